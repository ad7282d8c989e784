import NightjarWire

/// The state of the link, guarded by its one lock.
struct LinkState {
  /// The phase of the line.
  enum Phase: Hashable {
    /// Not needed yet.
    case idle
    /// Being dialled, or dialled and not attached yet.
    case dialing
    /// Calls go out.
    case up
    /// Dropped; dialled again after a pause.
    case down
  }

  var phase = Phase.idle
  /// The number of the line; facts of earlier lines are late.
  var generation = 0
  var line: (any Line)?
  /// The daemon's last answer to an attachment, on whichever line.
  var attachment: AppInterface.Attached?
  /// The number of failed attempts to dial in a row.
  var failures = 0
  /// The refusal that was last written to the standard error.
  var refusalShown: LineDropped?

  var sessions: [String: SessionRecord] = [:]
  /// The highest next task identifier of any session that has ended. Later sessions number their tasks from there, so
  /// that late facts about a session are never taken for those of another with its name.
  var nextTask = 1
  var calls = CallQueue()
  /// The numbers of events that are being delivered, or whose acknowledgement has not been answered.
  var held: Set<Int64> = []
  /// The numbers of events whose acknowledgement was answered.
  var acknowledged = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
  /// Spooled files to remove once the acknowledgement of their task's end was answered, by the number of the event.
  var spent: [Int64: String] = [:]
  /// Callers that wait for the remnants of cancelled tasks.
  var keepers: [TaskPlace: @Sendable (AppInterface.Remnant?) -> Void] = [:]
  /// Sessions for which the app may run in the background.
  var wakes: [String: WakeState] = [:]
  /// The background tasks, which keep the app running.
  var backgroundTasks = TaskBook()
  /// Views on their way to the daemon.
  var views = ViewQueue()
  /// Called when the app moves to the foreground or the background; nil in a program.
  var moveHandler: (@Sendable (Move) -> Void)?
  /// Fetches and requested tasks.
  var errands = ErrandBook()
  /// Notifications, and what a person allows.
  var notices = NoticeBook()
  /// Called when a session has events and should be opened; nil in a program.
  var wakeHandler: (@Sendable (_ session: String) -> Void)?

  /// Whether a line is the present one, so that its facts are not late.
  func isPresent(_ generation: Int) -> Bool { self.generation == generation && phase != .down }

  /// The next call, if there is a line for it.
  mutating func next() -> (line: any Line, generation: Int, call: Call)? {
    guard phase == .up, let line, let call = calls.next() else { return nil }
    return (line, generation, call)
  }

  /// Queues a call that is kept in the session's outbox until the daemon has accepted it.
  mutating func ask(_ call: Call, of session: String) throws(FileTrouble) {
    guard let folder = sessions[session]?.folder else { return }
    let number = try folder.outbox.append(call, synced: phase != .up)
    calls.append(call, entry: OutboxEntry(session: session, number: number))
  }

  /// Queues a call that must reach the daemon even if it cannot be written to the outbox; it is kept in memory then.
  mutating func askAnyway(_ call: Call, of session: String) {
    do throws(FileTrouble) { try ask(call, of: session) } catch {
      Console.warn("\(error)")
      calls.append(call)
    }
  }

  /// Strikes out an entry that the daemon has accepted.
  mutating func strike(_ entry: OutboxEntry) {
    trying { () throws(FileTrouble) in
      if let session = entry.session {
        try sessions[session]?.folder?.outbox.strike(entry.number)
      } else {
        try notices.folder?.outbox.strike(entry.number)
      }
    }
  }

  /// Does something whose failure must not stop anything else, and is only logged.
  func trying(_ deed: () throws(FileTrouble) -> Void) {
    do throws(FileTrouble) { try deed() } catch { Console.warn("\(error)") }
  }

  /// The calls that open all sessions on a new line.
  var openings: [Call] {
    sessions.sorted { $0.key < $1.key }.map(\.value).filter { $0.folder != nil && $0.stage != .invalid }
      .map { .openSession(opening(of: $0)) }
  }

  /// The parameters of the call that opens a session. They say whether the app is handling the session's events: a
  /// daemon that has restarted or lost the line would otherwise suspend the app in the middle of them.
  func opening(of record: SessionRecord) -> AppInterface.OpenSession.Parameters {
    let session = record.session
    let options = AppInterface.SessionOptions(
      sendsLaunchEvents: session.ownSettings.sessionSendsLaunchEvents, asks: record.asks,
      handlesEvents: wakes[session.identifier] == nil ? nil : true)
    return AppInterface.OpenSession.Parameters(session: session.identifier, options: options)
  }
}

/// The app's progress with a session's waiting events.
struct WakeState: Hashable {
  /// Whether the app was told that there are events; only after that may it be told of their end.
  var isCalled = false
  /// Whether the app has called the completion handler.
  var isHandled = false
  /// Whether the delegate has been told that all events were delivered.
  var isTold = false
}
