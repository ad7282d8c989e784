import NightjarModel

/// The apps that have changed since they were last taken: up to 256 of them by name, beyond that all apps.
struct ChangedApps: Sendable {
  private var ids: [AppID] = []
  private var areAll = true

  mutating func note(_ id: AppID) {
    guard !areAll, !ids.contains(id) else { return }
    if ids.count < Self.max { ids.append(id) } else { noteAll() }
  }

  mutating func noteAll() { (areAll, ids) = (true, []) }

  /// Takes them in the order of their first changes; nil if all apps may have changed.
  mutating func take() -> [AppID]? {
    defer { (areAll, ids) = (false, []) }
    return areAll ? nil : ids
  }

  private static let max = 256
}
