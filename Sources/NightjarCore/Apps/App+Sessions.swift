import NightjarModel

/// Which sessions are open, and in whose hands.
extension App {
  /// Opens a session for a client: what waits for it is told from the beginning. A client that has been at the
  /// session's events since before it lost its connection (`isHandling`) may go on with them until `by`. Only where the
  /// app was asked to handle the session's events is it told when that was all.
  mutating func take(_ session: String, holder: ConnectionID, isHandling: Bool, by end: Age?) {
    if let end, handling[session] == nil { handling[session] = end }
    // `handling` may be over: who was asked before the session was there may have answered at once.
    let wasAsked = isHandling || handling[session] != nil || announced[session] != nil
    open[session] = Open(holder: holder, owesFinish: wasAsked)
    wakes.rewind(session)
  }

  /// Until when it may go on with events that it says it was told of before it lost its connection; nil if that time is
  /// over. All sessions share one deadline: else an app would run in the background for as long as it opens them.
  mutating func claimEvents(at now: Age, until latest: Age) -> Age? {
    let end = claimedUntil ?? latest
    claimedUntil = end
    return end > now ? end : nil
  }

  /// Gives the app time to handle the events of a session that it is told of.
  mutating func beginHandling(_ session: String, by client: ConnectionID, until end: Age) {
    (announced[session], handling[session], claimedUntil) = (client, end, nil)
  }

  /// A session is closed or its holder gone: what was sent and not acknowledged will be sent again.
  mutating func leave(_ session: String) {
    open[session] = nil
    handling[session] = nil
    announced[session] = nil
    wakes.rewind(session)
  }

  /// A client is gone, and with it the sessions that it held or was asked to open.
  mutating func detach(_ connection: ConnectionID) {
    attachments[connection] = nil
    run.backgroundTasks.drop(connection)
    for session in sessions(of: connection) {
      if isToldNow(session) { interrupted[session] = open[session] != nil }
      leave(session)
    }
    if attachments.isEmpty { (handling, announced, run.entering) = (.init(), .init(), nil) }
  }

  /// Whether a crash may be due to a session's events: they are being told, or were when the connection broke. An open
  /// session whose events are held back is innocent.
  func isBeingTold(_ session: String) -> Bool {
    interrupted[session] != nil || isToldNow(session)
  }

  private func isToldNow(_ session: String) -> Bool {
    open[session] == nil ? handling[session] != nil : wakes.isInFlight(session)
  }

  /// The open session to tell alone, so that its first event, which may have crashed the app before, is the only one to
  /// blame if it crashes again; nil if there is none.
  var suspect: String? {
    open.entries(after: nil, limit: .max).map(\.key).first { (wakes.first($0)?.crashes ?? 0) > 0 }
  }

  /// Whether a session may be sent events. A suspect waits until what others were sent is acknowledged.
  func maySend(_ session: String, besides suspect: String?) -> Bool {
    guard let suspect else { return true }
    guard session == suspect else { return false }
    return !open.entries(after: nil, limit: .max).contains { $0.key != suspect && wakes.isInFlight($0.key) }
  }

  /// Whether a session that is being told was opened for that.
  func wasOpened(_ session: String) -> Bool { open[session] != nil || interrupted[session] == true }

  private func sessions(of connection: ConnectionID) -> [String] {
    let held = open.entries(after: nil, limit: .max).filter { $0.value.holder == connection }.map(\.key)
    let asked = announced.entries(after: nil, limit: .max).filter { $0.value == connection && open[$0.key] == nil }
    return held + asked.map(\.key)
  }
}
