import Foundation
import GRDB
import NightjarCore
import NightjarModel

/// Background sessions.
///
/// An identifier is any text. Swift considers two texts equal if they are canonically equivalent, SQLite if their bytes
/// are the same: so the canonical form is the key, and the identifier is kept as it was given.
enum SessionTable {
  private static let names = """
    identifier, sends_launch_events, next_task, asks_credentials, asks_every_certificate, asks_delays, unopened
    """
  private static let upsert = """
    INSERT OR REPLACE INTO session (app, canonical, \(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let delete = "DELETE FROM session WHERE app = ? AND canonical = ?"
  private static let select =
    "SELECT app, \(names) FROM session ORDER BY app, canonical"

  static func write(_ changes: [SessionID: SessionRecord?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      if case .some(.some(let record)) = changes[id] {
        try upsert.write { add(record, to: &$0) }
      } else {
        try delete.write { addKey(id, to: &$0) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "session", select) { row throws(DamagedRow) in
      var record = SessionRecord(
        id: SessionID(app: AppID(try row.text()), identifier: try row.text()),
        sendsLaunchEvents: try row.flag(), nextTask: Int(try row.integer()))
      record.asks = Asks(credentials: try row.flag(), everyCertificate: try row.flag(), delays: try row.flag())
      record.unopened = try row.count()
      return record
    } keep: {
      $0.sessions.append($1)
    }
  }

  private static func add(_ record: SessionRecord, to row: inout Bindings) {
    addKey(record.id, to: &row)
    row.add(record.id.identifier)
    row.add(record.sendsLaunchEvents)
    row.add(record.nextTask)
    row.add(record.asks.credentials)
    row.add(record.asks.everyCertificate)
    row.add(record.asks.delays)
    row.add(record.unopened)
  }

  private static func addKey(_ id: SessionID, to row: inout Bindings) {
    row.add(id.app.rawValue)
    row.add(id.identifier.precomposedStringWithCanonicalMapping)
  }
}
