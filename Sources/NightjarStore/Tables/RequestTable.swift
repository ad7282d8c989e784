import Foundation
import GRDB
import NightjarCore
import NightjarModel

/// The background requests of apps that have not ended. Apps choose their identifiers, which are compared like those of
/// sessions: see ``SessionTable``.
enum RequestTable {
  private static let names = "app, identifier, kind, earliest_begin, needs_network, needs_power, errand"
  private static let upsert = "INSERT OR REPLACE INTO request (\(names), canonical) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
  private static let delete = "DELETE FROM request WHERE app = ? AND canonical = ?"
  private static let select = "SELECT \(names) FROM request ORDER BY app, canonical"

  static func write(_ changes: [RequestRecord.ID: RequestRecord?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      if case .some(.some(let record)) = changes[id] {
        try upsert.write { add(record, to: &$0) }
      } else {
        try delete.write { row in
          row.add(id.app.rawValue)
          row.add(id.identifier.precomposedStringWithCanonicalMapping)
        }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "request", select) { row throws(DamagedRow) in
      let (app, identifier) = (AppID(try row.text()), try row.text())
      let request = BackgroundRequest(
        identifier: identifier, kind: try row.word(), earliestBegin: try row.timestampIfAny(),
        needsNetwork: try row.flag(), needsPower: try row.flag())
      return RequestRecord(app: app, request: request, errand: try row.integerIfAny())
    } keep: {
      $0.requests.append($1)
    }
  }

  private static func add(_ record: RequestRecord, to row: inout Bindings) {
    row.add(record.app.rawValue)
    row.add(record.request.identifier)
    row.add(record.request.kind.rawValue)
    row.add(record.request.earliestBegin?.nanoseconds)
    row.add(record.request.needsNetwork)
    row.add(record.request.needsPower)
    row.add(record.errand)
    row.add(record.request.identifier.precomposedStringWithCanonicalMapping)
  }
}
