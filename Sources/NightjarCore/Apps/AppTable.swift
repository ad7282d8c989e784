import NightjarModel

/// The apps by name, and which of them may have changed since that was last asked.
struct AppTable: Sendable {
  private var apps: [AppID: App] = [:]
  var changes = ChangedApps()

  var count: Int { apps.count }
  /// Their names, in no order.
  var keys: Dictionary<AppID, App>.Keys { apps.keys }

  func contains(_ id: AppID) -> Bool { apps.index(forKey: id) != nil }

  subscript(id: AppID) -> App? {
    get { apps[id] }
    _modify {
      changes.note(id)
      yield &apps[id]
    }
  }

  /// Takes an app out, so that no change to it copies it; whoever does puts it back.
  mutating func removeValue(forKey id: AppID) -> App? {
    changes.note(id)
    return apps.removeValue(forKey: id)
  }
}
