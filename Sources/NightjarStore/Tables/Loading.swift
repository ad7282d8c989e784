import GRDB
import NightjarCore

/// Reads the memory row by row, and notes the invalid rows.
struct Loading {
  /// The most rows that the notices name; the others are only counted.
  private static let namedMax = 8

  var memory = Memory()
  /// The rows that were left out, in words.
  private(set) var leftOut: [String] = []
  /// What the clock and the counters lacked and was made from the other rows, in words.
  var mended: [String] = []

  init(_ db: Database) throws {
    if let (clock, counters) = try DeviceTable.read(db) {
      (memory.clock, memory.counters) = (clock, counters)
    }
    try AppTable.read(into: &self, db)
    try SessionTable.read(into: &self, db)
    try TransferTable.read(into: &self, db)
    try WakeTable.read(into: &self, db)
    try RemnantTable.read(into: &self, db)
    try DepartureTable.read(into: &self, db)
    try HistoryTable.read(into: &self, db)
    try SimulationTable.read(into: &self, db)
    try SettingTable.read(into: &self, db)
    try ScheduledNoticeTable.read(into: &self, db)
    try NoticeTable.read(into: &self, db)
    try FetchTable.read(into: &self, db)
    try RequestTable.read(into: &self, db)
    try DecisionTable.read(into: &self, db)
    try HabitTable.read(into: &self, db)
    try BudgetTable.read(into: &self, db)
    try DeviceTable.mend(&self, db)
  }

  /// Reads one table, whose first column names the row.
  mutating func read<Record>(
    _ db: Database, _ table: String, _ sql: String, read: (inout Columns) throws(DamagedRow) -> Record,
    keep: (inout Memory, Record) -> Void
  ) throws {
    try db.forEachRow(sql) { row throws(DamagedRow) in
      keep(&memory, try read(&row))
    } leave: { damage, row in
      leftOut.append("\(table) \(row.anyName()): \(damage.detail)")
    }
  }

  /// The notices about what was left out and what was mended.
  func notices(path: String) -> [String] {
    var notices = leftOut.isEmpty ? [] : [noticeOfRows(path: path)]
    if !mended.isEmpty {
      let words = mended.joined(separator: "; ")
      notices.append("The clock or the counters of the database \(path) made no sense and were mended: \(words).")
    }
    return notices
  }

  private func noticeOfRows(path: String) -> String {
    let named = leftOut.prefix(Self.namedMax).joined(separator: "; ")
    let more = leftOut.count > Self.namedMax ? "; and \(leftOut.count - Self.namedMax) more" : ""
    return "Rows of the database \(path) make no sense and are left out, though still there: \(named)\(more)."
  }
}

extension Columns {
  /// The first column as words, whatever its type.
  mutating func anyName() -> String {
    var copy = self
    if let number = try? integer() { return String(number) }
    return (try? copy.text()) ?? "without a name"
  }
}
