import NightjarModel

/// Which apps have changed since that was last asked: so many are told one by one, and of more it is said that all may have.
struct ChangedApps: Sendable {
  private var ids: [AppID] = []
  private var areAll = true

  mutating func note(_ id: AppID) {
    guard !areAll, !ids.contains(id) else { return }
    if ids.count < Self.max { ids.append(id) } else { noteAll() }
  }

  mutating func noteAll() { (areAll, ids) = (true, []) }

  /// Takes them, in the order in which they have changed first; nil if all may have.
  mutating func take() -> [AppID]? {
    defer { (areAll, ids) = (false, []) }
    return areAll ? nil : ids
  }

  private static let max = 256
}
