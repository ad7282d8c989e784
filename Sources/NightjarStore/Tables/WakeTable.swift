import GRDB
import NightjarCore
import NightjarModel

/// The wakes of apps.
enum WakeTable {
  private enum Reason: String {
    case transferEnded
  }

  private static let names = "number, app, reason, transfer, session, crashes"
  private static let upsert = "INSERT OR REPLACE INTO wake (\(names)) VALUES (?, ?, ?, ?, ?, ?)"
  private static let delete = "DELETE FROM wake WHERE number = ?"
  private static let select = "SELECT \(names) FROM wake ORDER BY number"

  static func write(_ changes: [Int64: Wake?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for number in changes.keys.sorted() {
      if case .some(.some(let wake)) = changes[number] {
        try upsert.write { add(wake, to: &$0) }
      } else {
        try delete.write { $0.add(number) }
      }
    }
  }

  /// Reads the wakes. The transfers must be read before, because a wake without its transfer cannot be delivered.
  static func read(into loading: inout Loading, _ db: Database) throws {
    let transfers = Set(loading.memory.transfers.map(\.id))
    try loading.read(db, "wake", select) { row throws(DamagedRow) in
      let wake = try wake(&row)
      if !transfers.contains(wake.transfer) {
        throw DamagedRow(detail: "its transfer \(wake.transfer) is not there")
      }
      return wake
    } keep: {
      $0.wakes.append($1)
    }
  }

  private static func add(_ wake: Wake, to row: inout Bindings) {
    precondition(!wake.isQuestion, "wake \(wake.number), a question, is to be written down")
    row.add(wake.number)
    row.add(wake.app.rawValue)
    row.add(Reason.transferEnded.rawValue)
    row.add(wake.transfer.rawValue)
    row.add(wake.session)
    row.add(wake.crashes)
  }

  private static func wake(_ row: inout Columns) throws(DamagedRow) -> Wake {
    let (number, app) = (try row.number(), AppID(try row.text()))
    let _: Reason = try row.word()
    let transfer = TransferID(try row.integer())
    let session = SessionID(app: app, identifier: try row.text())
    return Wake(number: number, of: session, transfer: transfer, crashes: try row.count())
  }
}
