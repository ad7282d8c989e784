import NightjarModel

/// Which sessions are open, and in whose hands.
extension App {
  /// A client opens a session: what waits for it is told from the beginning.
  mutating func take(_ session: String, holder: ConnectionID) {
    let owesFinish = handling[session] != nil || wakes.waits(session)
    open[session] = Open(holder: holder, owesFinish: owesFinish)
    wakes.rewind(session)
  }

  /// A session is closed or its holder gone: what was sent and not acknowledged will be sent again.
  mutating func leave(_ session: String) {
    open[session] = nil
    handling[session] = nil
    announced[session] = nil
    wakes.rewind(session)
  }

  /// A client is gone, and its sessions with it.
  mutating func detach(_ connection: ConnectionID) {
    attachments[connection] = nil
    for (session, state) in open.entries(after: nil, limit: .max) where state.holder == connection { leave(session) }
    if attachments.isEmpty { (handling, announced) = (.init(), .init()) }
  }
}
