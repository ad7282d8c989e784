import NightjarModel

/// What an app's process has been told over its present connection.
struct Briefing: Sendable {
  /// The connection.
  var ear: ConnectionID
  /// The time up to which it was told of significant changes.
  var time: CivilTime.Mark
  /// What it was told of its standing.
  var standing: Standing?
  /// The notifications that were sent and not taken yet.
  var notices = OrderedIndex<NoticeID, Void>()
}

extension App {
  /// Begins anew with a connection that has been told nothing.
  mutating func brief(_ ear: ConnectionID, at time: CivilTime.Mark) {
    if run.briefing?.ear != ear { run.briefing = Briefing(ear: ear, time: time) }
  }
}
