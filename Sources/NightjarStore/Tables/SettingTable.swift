import GRDB
import NightjarCore

/// What a person allows all apps: a row for each setting that was ever changed.
enum SettingTable {
  private enum Name: String {
    case backgroundRefresh
  }

  private static let upsert = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)"
  private static let select = "SELECT name, value FROM setting ORDER BY name"

  static func write(_ refreshes: Bool?, to db: Database) throws {
    guard let refreshes else { return }
    try RowWriter(db, upsert).write { row in
      row.add(Name.backgroundRefresh.rawValue)
      row.add(refreshes)
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "setting", select) { row throws(DamagedRow) in
      let _: Name = try row.word()
      return try row.flag()
    } keep: {
      $0.refreshes = $1
    }
  }
}
