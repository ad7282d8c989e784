import GRDB
import NightjarCore
import NightjarModel

/// Transfers: the request, written once, and the state, rewritten with every change.
enum TransferTable {
  private static let requestNames = [
    "id", "born", "key_high", "key_low", "app", "session", "task", "upload_path", "upload_size", "upload_modified",
    "upload_inode", "method", "url", "headers", "label", "destination", "overwrites", "priority", "request_timeout",
    "resource_timeout", "options",
  ]
  private static let stateNames = [
    "phase", "phase_age", "failure", "failure_detail", "failure_network", "response_url", "response_status",
    "response_headers",
    "file_path", "file_size", "file_modified", "file_inode", "attempts", "failures", "server_errors", "is_suspended",
    "resume_offset", "resume_length", "resume_entity_tag", "resume_last_modified",
    "resume_upload_url", "resume_upload_version", "resume_upload_append_max", "resume_upload_namer", "resume_heritage",
    "resume_provenance", "asks_before_begin", "deliveries",
  ]
  private static let names = (requestNames + stateNames).joined(separator: ", ")
  private static let marks = (requestNames + stateNames).map { _ in "?" }.joined(separator: ", ")

  private static let insert = "INSERT OR REPLACE INTO transfer (\(names)) VALUES (\(marks))"
  private static let insertBody = "INSERT OR REPLACE INTO transfer_body (id, body) VALUES (?, ?)"
  private static let deleteBody = "DELETE FROM transfer_body WHERE id = ?"
  private static let update =
    "UPDATE transfer SET \(stateNames.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
  private static let revise =
    "UPDATE transfer SET \((requestNames + stateNames).map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
  private static let delete = "DELETE FROM transfer WHERE id = ?"
  private static let select =
    "SELECT \(names), body FROM transfer LEFT JOIN transfer_body USING (id) ORDER BY id"

  static func write(_ changes: [TransferID: Changes.TransferChange], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let insert = try RowWriter(db, insert)
    let (insertBody, deleteBody) = (try RowWriter(db, insertBody), try RowWriter(db, deleteBody))
    let (update, delete) = (try RowWriter(db, update), try RowWriter(db, delete))
    let revise = try RowWriter(db, revise)
    for id in changes.keys.sorted() {
      switch changes[id] {
      case .added(let record):
        try insert.write { add(record, to: &$0) }
        if !record.request.body.isEmpty { try insertBody.write { addBody(of: record, to: &$0) } }
      case .revised(let record):
        let count = try revise.write { row in
          add(record, to: &row)
          row.add(id.rawValue)
        }
        precondition(count == 1, "transfer \(id), which is to be revised, was never added")
        if record.request.body.isEmpty {
          try deleteBody.write { $0.add(id.rawValue) }
        } else {
          try insertBody.write { addBody(of: record, to: &$0) }
        }
      case .changed(let state):
        let count = try update.write { add(state, of: id, to: &$0) }
        precondition(count == 1, "transfer \(id), which is to be changed to \(state), was never added")
      case .removed:
        try delete.write { $0.add(id.rawValue) }
      case nil:
        preconditionFailure("transfer \(id) is among the changes and is not")
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "transfer", select) { row throws(DamagedRow) in
      var record = try record(&row)
      record.request.body = try row.blobIfAny() ?? []
      return record
    } keep: {
      $0.transfers.append($1)
    }
  }

  private static func add(_ record: TransferRecord, to row: inout Bindings) {
    row.add(record.id.rawValue)
    row.add(record.born)
    row.add(record.request)
    row.add(record.state)
  }

  private static func addBody(of record: TransferRecord, to row: inout Bindings) {
    row.add(record.id.rawValue)
    row.add(blob: record.request.body)
  }

  private static func add(_ state: TransferState, of id: TransferID, to row: inout Bindings) {
    row.add(state)
    row.add(id.rawValue)
  }

  private static func record(_ row: inout Columns) throws(DamagedRow) -> TransferRecord {
    let (id, born) = (TransferID(try row.number()), try row.age())
    let (request, state) = (try row.transferRequest(), try row.transferState())
    if state.phase.isDelivery, request.destination == nil {
      throw DamagedRow(detail: "it is to be delivered and has no destination")
    }
    return TransferRecord(id: id, request: request, born: born, state: state)
  }
}

extension TransferState.Phase {
  /// Whether the file is there and is to be brought to its destination.
  fileprivate var isDelivery: Bool {
    switch self {
    case .delivering, .undelivered: true
    case .queued, .running, .stopping, .waiting, .asking, .ended: false
    }
  }
}
