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
