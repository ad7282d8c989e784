import NightjarWire

/// One thing that a delegate is about to be told.
struct Telling: Sendable {
  let session: URLSession
  let task: URLSessionTask?
  let what: Happening
  /// The folder in which a file of the delegate's own may be put.
  let deliveries: String?
  /// Where the session's uploads that are in no file of the app's wait.
  var spool: Spool?
  var figures: AppInterface.Progressed?
  /// That it is being told.
  var presence: Presence?
}

extension SessionRecord {
  mutating func nextTelling() -> Telling? {
    guard !isTelling, isListed || stage == .invalid, let what = inbox.popFirst() else { return nil }
    isTelling = true
    var telling = Telling(
      session: session, task: what.task.flatMap { tasks[$0] }, what: what,
      deliveries: folder?.deliveries, spool: folder?.spool)
    if case .progressed(let task) = what { telling.figures = progress.removeValue(forKey: task) }
    return telling
  }
}
