import NightjarModel

/// What a person allows: to each app, and for refreshing in the background also to all.
extension Supervisor {
  /// Changes the settings of an app. Without one: the common setting for refreshing, and all others of each app.
  mutating func change(_ id: AppID?, _ change: SettingsChange, into turn: inout Turn) throws(Refusal) {
    guard let id else { return changeAll(change, into: &turn) }
    guard let app = apps[id] else { throw .noSuchApp(id) }
    guard app.isBundle else { throw .notABundle(id) }
    set(id, app.record.settings.changed(by: change), into: &turn)
  }

  private mutating func changeAll(_ change: SettingsChange, into turn: inout Turn) {
    var others = change
    others.refreshes = nil
    for id in apps.keys.sorted() where apps[id]!.isBundle {
      set(id, apps[id]!.record.settings.changed(by: others), into: &turn)
    }
    guard let isOn = change.refreshes, isOn != refreshes else { return }
    refreshes = isOn
    turn.changes.keep(refreshes: isOn)
    plan.disturbAll()
    for id in apps.keys.sorted() where apps[id]!.isBundle { touch(id, into: &turn) }
  }

  private mutating func set(_ id: AppID, _ settings: AppSettings, into turn: inout Turn) {
    guard var record = apps[id]?.record, record.settings != settings else { return }
    record.settings = settings
    apps[id]?.record = record
    turn.changes.keep(record)
    plan.isDisturbed = true
    touch(id, into: &turn)
  }

  /// All settings, those of apps by name.
  var settingsView: SettingsView {
    let bundles = apps.keys.sorted().map { apps[$0]! }.filter(\.isBundle)
    return SettingsView(
      refreshes: refreshes, isRestricted: limits.isRefreshRestricted,
      apps: bundles.map { .init(app: $0.id, settings: $0.record.settings) })
  }
}
