import NightjarWire

/// Everything the link knows, guarded by its one lock.
struct LinkState {
  /// How the line is.
  enum Phase: Hashable {
    /// Nobody has wanted it yet.
    case idle
    /// Being dialled, or dialled and not attached yet.
    case dialing
    /// Calls go out.
    case up
    /// Dropped; dialled again after a pause.
    case down
  }

  var phase = Phase.idle
  /// Which line this is; facts of earlier ones are late.
  var generation = 0
  var line: (any Line)?
  /// What the daemon said when it attached us, on whichever line.
  var attachment: AppInterface.Attached?
  /// How many attempts to get a line have failed in a row.
  var failures = 0
  /// The refusal that was last written to the standard error.
  var refusalShown: LineDropped?

  var sessions: [String: SessionRecord] = [:]
  /// The highest of the next task identifiers of sessions that have ended; sessions that begin later go on from there: what
  /// comes late about one's tasks is not about those of another of its name.
  var nextTask = 1
  var calls = CallQueue()
  /// Numbers of events that are being told, or whose acknowledgement has not been answered.
  var held: Set<Int64> = []
  /// Numbers of events whose acknowledgement was answered.
  var acknowledged = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
  /// Files of uploads that go when the end of their task is known to be acknowledged, by the number of the event.
  var spent: [Int64: String] = [:]
  /// Who is handed what cancelled tasks have left.
  var keepers: [TaskPlace: @Sendable (AppInterface.Remnant?) -> Void] = [:]
  /// Sessions for which the app may run in the background.
  var wakes: [String: WakeState] = [:]
  /// What keeps the app running in the background.
  var backgroundTasks = TaskBook()
  /// What the app shows, on its way to the daemon.
  var views = ViewQueue()
  /// Who hears that the app goes to the foreground or the background; nil in a program.
  var moveHandler: (@Sendable (Move) -> Void)?
  /// What the app does in the background when the daemon says so.
  var errands = ErrandBook()
  /// Notifications, and what a person allows.
  var notices = NoticeBook()
  /// Who hears that a session wants to be opened; nil in a program.
  var wakeHandler: (@Sendable (_ session: String) -> Void)?

  /// Whether what comes over a line is not late.
  func isPresent(_ generation: Int) -> Bool { self.generation == generation && phase != .down }

  /// The next call, if there is a line for it.
  mutating func next() -> (line: any Line, generation: Int, call: Call)? {
    guard phase == .up, let line, let call = calls.next() else { return nil }
    return (line, generation, call)
  }

  /// Asks something that is kept in the session's outbox until the daemon has accepted it.
  mutating func ask(_ call: Call, of session: String) throws(FileTrouble) {
    guard let folder = sessions[session]?.folder else { return }
    let number = try folder.outbox.append(call, synced: phase != .up)
    calls.append(call, entry: OutboxEntry(session: session, number: number))
  }

  /// The same for what the daemon must hear of even if the disk takes nothing more: it is kept in memory then.
  mutating func askAnyway(_ call: Call, of session: String) {
    do throws(FileTrouble) { try ask(call, of: session) } catch {
      Console.warn("\(error)")
      calls.append(call)
    }
  }

  /// The daemon has accepted an entry of an outbox.
  mutating func strike(_ entry: OutboxEntry) {
    trying { () throws(FileTrouble) in
      if let session = entry.session {
        try sessions[session]?.folder?.outbox.strike(entry.number)
      } else {
        try notices.folder?.outbox.strike(entry.number)
      }
    }
  }

  /// Does what makes things safer and must not stop anything else: trouble is shown to people.
  func trying(_ deed: () throws(FileTrouble) -> Void) {
    do throws(FileTrouble) { try deed() } catch { Console.warn("\(error)") }
  }

  /// The calls that open all sessions on a new line.
  var openings: [Call] {
    sessions.sorted { $0.key < $1.key }.map(\.value).filter { $0.folder != nil && $0.stage != .invalid }
      .map { .openSession(opening(of: $0)) }
  }

  /// How the daemon is asked to open a session. One that does not know that the app is at the session's events, since it has
  /// started anew or lost the line, would suspend the app in the middle of them.
  func opening(of record: SessionRecord) -> AppInterface.OpenSession.Parameters {
    let session = record.session
    let options = AppInterface.SessionOptions(
      sendsLaunchEvents: session.ownSettings.sessionSendsLaunchEvents, asks: record.asks,
      handlesEvents: wakes[session.identifier] == nil ? nil : true)
    return AppInterface.OpenSession.Parameters(session: session.identifier, options: options)
  }
}

/// How far the app has come with a session's waiting events.
struct WakeState: Hashable {
  /// Whether the app was told that there are events; only after that it hears that all were told.
  var isCalled = false
  /// Whether the app has called the completion handler.
  var isHandled = false
  /// Whether the delegate has been told that all events were told.
  var isTold = false
}
