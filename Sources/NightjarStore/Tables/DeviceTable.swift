import GRDB
import NightjarCore
import NightjarModel

/// The clock and the counters: one row, written with every commit.
enum DeviceTable {
  private static let upsert = """
    INSERT OR REPLACE INTO device (only, boot, boot_offset, latest, last_transfer, last_wake, last_notice, last_decision)
    VALUES (1, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let select =
    "SELECT boot, boot_offset, latest, last_transfer, last_wake, last_notice, last_decision FROM device"

  static func write(_ clock: DeviceClock, _ counters: Counters, to db: Database) throws {
    try RowWriter(db, upsert).write { row in
      row.add(clock.bootID.rawValue)
      row.add(clock.offset)
      row.add(clock.latest)
      row.add(counters.transfer)
      row.add(counters.wake)
      row.add(counters.notice)
      row.add(counters.decision)
    }
  }

  /// Reads the row; nil in a new database. Ages and new numbers depend on it, so a damaged row here means a damaged
  /// database.
  static func read(_ db: Database) throws -> (clock: DeviceClock, counters: Counters)? {
    var found: (DeviceClock, Counters)?
    var damage: DamagedRow?
    try db.forEachRow(select) { row throws(DamagedRow) in
      let clock = DeviceClock(bootID: BootID(try row.text()), offset: try row.duration(), latest: try row.age())
      let counters = Counters(
        transfer: try row.number(), wake: try row.number(), notice: try row.number(), decision: try row.number())
      found = (clock, counters)
    } leave: { row, _ in
      damage = row
    }
    if let damage { throw StoreError(.damaged, "The database's clock or counters cannot be read: \(damage.detail).") }
    return found
  }
}

extension DeviceTable {
  /// Makes the clock and the counters fit all rows that are there, those that were left out included.
  static func mend(_ loading: inout Loading, _ db: Database) throws {
    try mendClock(&loading, db)
    try raise(\.transfer, to: "id", in: "transfer", &loading, db)
    try raise(\.transfer, to: "transfer", in: "remnant", &loading, db)
    try raise(\.transfer, to: "resume_heritage", in: "transfer", &loading, db)
    try raise(\.wake, to: "number", in: "wake", &loading, db)
    try raise(\.notice, to: "number", in: "notice", &loading, db)
    try raise(\.decision, to: "number", in: "decision", &loading, db)
  }

  /// Sets a clock that is missing to the latest time at which something has happened that is remembered with its time,
  /// or, where there is nothing of that kind, to the end of the longest wait before a launch. Whatever boot that was in
  /// is over, so ages go on from there.
  private static func mendClock(_ loading: inout Loading, _ db: Database) throws {
    guard loading.memory.clock == nil, let age = try Int64.fetchOne(db, sql: latest) else { return }
    loading.memory.clock = DeviceClock(bootID: BootID(""), offset: .zero, latest: Age(.nanoseconds(max(age, 0))))
    loading.mended.append("the row of the table device was missing")
  }

  private static let latest = """
    SELECT coalesce(
      (
        SELECT max(age) FROM (
          SELECT born AS age FROM transfer UNION ALL SELECT born FROM remnant UNION ALL SELECT at FROM budget
          UNION ALL SELECT phase_age FROM transfer WHERE phase IN ('succeeded', 'failed')
          UNION ALL SELECT begun_at FROM fetch UNION ALL SELECT fresh_at FROM fetch
        ) WHERE age < \(Int64.max / 2) -- No later age could be written.
      ),
      (
        SELECT max(age) FROM (SELECT paid_until AS age FROM app UNION ALL SELECT not_before FROM app)
        WHERE age < \(Int64.max / 2)
      )
    )
    """

  /// Raises a counter to the highest number in use: what is given that number anew would replace what has it.
  private static func raise(
    _ counter: WritableKeyPath<Counters, Int64>, to column: String, in table: String, _ loading: inout Loading,
    _ db: Database
  ) throws {
    let sql = "SELECT max(\(column)) FROM \(table) WHERE \(column) < \(Columns.numbers.upperBound)"
    let (last, highest) = (loading.memory.counters[keyPath: counter], try Int64.fetchOne(db, sql: sql) ?? 0)
    guard last < highest else { return }
    loading.memory.counters[keyPath: counter] = highest
    loading.mended.append("the last number of the table \(table) was \(last), and \(highest) is in use")
  }
}
