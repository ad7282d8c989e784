import NightjarModel

/// What an app's process has been told over its present connection.
struct Briefing: Sendable {
  /// The connection.
  var ear: ConnectionID
  /// What it was told of its standing.
  var standing: Standing?
  /// The notifications that were sent and not taken yet.
  var notices = OrderedIndex<NoticeID, Void>()
}

extension App {
  /// What it is allowed, what its icon shows, and how the device is. `refreshes`: the setting for all apps.
  func standing(refreshes: Bool, _ conditions: Conditions) -> Standing {
    var settings = record.settings
    settings.refreshes = settings.refreshes && refreshes
    return Standing(settings: settings, badge: record.badge, power: PowerView(conditions))
  }

  /// Begins anew with a connection that has been told nothing.
  mutating func brief(_ ear: ConnectionID) {
    if briefing?.ear != ear { briefing = Briefing(ear: ear) }
  }
}
