import GRDB
import NightjarCore
import NightjarModel

/// Local notifications that are scheduled.
enum ScheduledNoticeTable {
  private static let names = NoticeRequest.columns + ", since"
  private static let upsert = """
    INSERT OR REPLACE INTO scheduled_notice (\(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let delete = "DELETE FROM scheduled_notice WHERE app = ? AND key = ?"
  private static let select = "SELECT \(names) FROM scheduled_notice ORDER BY app, key"

  static func write(_ changes: [NoticeKey: ScheduledNotice?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for key in changes.keys.sorted() {
      if case .some(.some(let notice)) = changes[key] {
        try upsert.write { row in
          row.add(notice.request)
          row.add(notice.since?.nanoseconds)
        }
      } else {
        try delete.write { row in
          row.add(key.app.rawValue)
          row.add(key.key.description)
        }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "scheduled_notice", select) { row throws(DamagedRow) in
      let request = try row.notice()
      guard let time = request.time, Timestamp.onCalendar.contains(time.at) else {
        throw DamagedRow(detail: "its time is on no calendar")
      }
      let since = try row.timestampIfAny()
      if let since, !Timestamp.onCalendar.contains(since) { throw row.damage("on no calendar") }
      return ScheduledNotice(request: request, since: since)
    } keep: {
      $0.scheduled.append($1)
    }
  }
}
