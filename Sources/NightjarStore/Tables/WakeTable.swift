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
      switch wake.reason {
      case .transferEnded(let id, _), .question(let id, _):
        if !transfers.contains(id) { throw DamagedRow(detail: "its transfer \(id) is not there") }
      case .fetch, .task: preconditionFailure("errands are not written down")
      }
      return wake
    } keep: {
      $0.wakes.append($1)
    }
  }

  private static func add(_ wake: Wake, to row: inout Bindings) {
    row.add(wake.number)
    row.add(wake.app.rawValue)
    switch wake.reason {
    case .transferEnded(let id, let session):
      row.add(Reason.transferEnded.rawValue)
      row.add(id.rawValue)
      row.add(session)
    case .question, .fetch, .task: preconditionFailure("wake \(wake.number), \(wake.reason), is to be written down")
    }
    row.add(wake.crashes)
  }

  private static func wake(_ row: inout Columns) throws(DamagedRow) -> Wake {
    let (number, app) = (try row.number(), AppID(try row.text()))
    let reason: Reason = try row.word()
    let told: Wake.Reason =
      switch reason {
      case .transferEnded: .transferEnded(TransferID(try row.integer()), session: try row.text())
      }
    return Wake(number: number, app: app, reason: told, crashes: try row.count())
  }
}
