import GRDB
import NightjarCore
import NightjarModel

/// What has happened to apps.
enum HistoryTable {
  private static let names = "app, number, life, at, kind, sentence"
  private static let upsert = "INSERT OR REPLACE INTO history (\(names)) VALUES (?, ?, ?, ?, ?, ?)"
  private static let delete = "DELETE FROM history WHERE app = ? AND number = ?"
  private static let select = "SELECT \(names) FROM history ORDER BY app, number"

  static func write(_ changes: [HistoryEntry.ID: HistoryEntry?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      if case .some(.some(let entry)) = changes[id] {
        try upsert.write { add(entry, to: &$0) }
      } else {
        try delete.write { row in
          row.add(id.app.rawValue)
          row.add(id.number)
        }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "history", select) { row throws(DamagedRow) in
      try entry(&row)
    } keep: {
      $0.history.append($1)
    }
  }

  private static func add(_ entry: HistoryEntry, to row: inout Bindings) {
    row.add(entry.id.app.rawValue)
    row.add(entry.id.number)
    row.add(entry.life)
    row.add(entry.at.nanoseconds)
    row.add(entry.kind.rawValue)
    row.add(entry.sentence)
  }

  private static func entry(_ row: inout Columns) throws(DamagedRow) -> HistoryEntry {
    let id = HistoryEntry.ID(app: AppID(try row.text()), number: try row.number())
    return HistoryEntry(
      id: id, life: try row.count(), at: Timestamp(nanoseconds: try row.integer()), kind: try row.word(),
      sentence: try row.text())
  }
}
