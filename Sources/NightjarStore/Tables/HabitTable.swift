import GRDB
import NightjarCore

/// What was learned about when a person uses which app: one row of bytes in the core's format.
enum HabitTable {
  private static let upsert = "INSERT OR REPLACE INTO habit (only, state) VALUES (1, ?)"
  private static let select = "SELECT state FROM habit"

  static func write(_ state: [UInt8]?, to db: Database) throws {
    guard let state else { return }
    try RowWriter(db, upsert).write { $0.add(blob: state) }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "habit", select) { row throws(DamagedRow) in
      try row.blobIfAny() ?? []
    } keep: {
      $0.habits = $1
    }
  }
}
