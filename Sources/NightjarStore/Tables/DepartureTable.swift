import GRDB
import NightjarCore
import NightjarModel

/// Apps that were removed and whose bundles may still lie on the disk.
enum DepartureTable {
  private static let upsert = "INSERT OR REPLACE INTO departure (app) VALUES (?)"
  private static let delete = "DELETE FROM departure WHERE app = ?"
  private static let select = "SELECT app FROM departure ORDER BY app"

  static func write(_ changes: [AppID: Bool], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      try (changes[id] == true ? upsert : delete).write { $0.add(id.rawValue) }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "departure", select) { row throws(DamagedRow) in
      AppID(try row.text())
    } keep: {
      $0.departed.append($1)
    }
  }
}
