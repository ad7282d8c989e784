import GRDB
import NightjarCore
import NightjarModel

/// The remnants of cancelled and failed transfers.
enum RemnantTable {
  private static let names = """
    key, app, url, transfer, born, offset, length, entity_tag, last_modified, upload_url, upload_version, \
    upload_append_max, upload_namer, provenance, source_size, source_modified, source_inode
    """
  private static let upsert = """
    INSERT OR REPLACE INTO remnant (\(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let delete = "DELETE FROM remnant WHERE key = ?"
  private static let select = "SELECT \(names) FROM remnant ORDER BY key"

  static func write(_ changes: [RequestKey: Remnant?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for key in changes.keys.sorted() {
      if case .some(.some(let remnant)) = changes[key] {
        try upsert.write { add(remnant, to: &$0) }
      } else {
        try delete.write { $0.add(key.description) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "remnant", select) { row throws(DamagedRow) in
      try remnant(&row)
    } keep: {
      $0.remnants.append($1)
    }
  }

  private static func add(_ remnant: Remnant, to row: inout Bindings) {
    row.add(remnant.key.description)
    row.add(remnant.app.rawValue)
    row.add(remnant.url)
    row.add(remnant.transfer.rawValue)
    row.add(remnant.born)
    row.add(remnant.point.offset)
    row.add(remnant.point.length)
    row.add(remnant.point.validator?.tag)
    row.add(remnant.point.validator?.date)
    row.add(remnant.point.upload)
    row.add(remnant.point.provenance?.text)
    row.add(remnant.source)
  }

  private static func remnant(_ row: inout Columns) throws(DamagedRow) -> Remnant {
    guard let key = RequestKey(try row.text()) else { throw DamagedRow(detail: "its key is no key") }
    let (app, url, transfer) = (AppID(try row.text()), try row.text(), TransferID(try row.integer()))
    let (born, offset, length) = (try row.age(), try row.byteCount(), try row.integerIfAny())
    let (tag, date) = (try row.textIfAny(), try row.textIfAny())
    let validator = tag.map(Validator.entityTag) ?? date.map(Validator.lastModified)
    let upload = try row.uploadResource()
    var point = ResumePoint(offset: offset, validator: validator, length: length, upload: upload)
    if let provenance = try row.textIfAny() {
      guard upload == nil else { throw DamagedRow(detail: "its provenance is set, and so is its upload's URL") }
      point.provenance = Provenance(text: provenance)
    }
    let source = try row.stampIfAny()
    guard (source == nil) == (upload == nil) else {
      throw DamagedRow(detail: "its upload's URL and its file's stamp do not agree")
    }
    return Remnant(key: key, app: app, url: url, source: source, transfer: transfer, point: point, born: born)
  }
}

extension Validator {
  fileprivate var tag: String? { if case .entityTag(let tag) = self { tag } else { nil } }
  fileprivate var date: String? { if case .lastModified(let date) = self { date } else { nil } }
}
