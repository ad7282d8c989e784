import NightjarCore
import NightjarModel

/// The invariants of apps' histories. Called after the commit.
extension World {
  mutating func checkHistory(_ changes: Changes) {
    for (id, entry) in changes.history.sorted(by: { $0.key < $1.key }) {
      guard let entry else { continue }
      if entry.life > disk.apps[id.app]?.life ?? 0, disk.apps[id.app] != nil {
        fail("\(id.app)'s history tells of life \(entry.life), which has not begun")
      }
    }
    for app in Set(changes.history.keys.map(\.app)).sorted() { checkHistory(of: app) }
  }

  /// Checks that a history is bounded and without gaps, and that a life begins only after the end of the one before.
  private mutating func checkHistory(of app: AppID) {
    let entries = disk.history.values.filter { $0.id.app == app }.sorted { $0.id < $1.id }
    guard disk.apps[app] != nil else {
      return entries.isEmpty ? () : fail("\(app) is gone and its history is not: \(entries)")
    }
    if entries.count > limits.historyPerAppMax { fail("\(app) has \(entries.count) entries in its history") }
    for (earlier, later) in zip(entries, entries.dropFirst()) where later.id.number != earlier.id.number + 1 {
      fail("\(app)'s history jumps from \(earlier) to \(later)")
    }
    var isOver = true
    for entry in entries.drop(while: { $0.kind != .launched }) {
      switch entry.kind {
      case .launched where !isOver: fail("\(app)'s history tells of a second life within one: \(entries)")
      case .launched: isOver = false
      case .exited, .crashed, .failed, .lost: isOver = true
      default: break
      }
    }
  }
}
