import GRDB
import NightjarCore
import NightjarModel

/// Installed apps and registered programs.
enum AppTable {
  private enum Kind: String {
    case bundle, program
  }

  private static let names =
    "id, display_name, kind, path, executable, relaunch, life, is_background, failures, not_before, paid_until,"
    + " exits_on_suspend, is_protected, used, snapshot, is_stale, is_removed, modes, refreshes, alerts, sounds, badges,"
    + " badge, attached_life, past_notices"
  private static let places = Array(repeating: "?", count: names.split(separator: ",").count).joined(separator: ", ")
  private static let upsert = "INSERT OR REPLACE INTO app (\(names)) VALUES (\(places))"
  private static let delete = "DELETE FROM app WHERE id = ?"
  private static let select = "SELECT \(names) FROM app ORDER BY id"

  static func write(_ changes: [AppID: AppRecord?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      if case .some(.some(let record)) = changes[id] {
        try upsert.write { add(record, to: &$0) }
      } else {
        try delete.write { $0.add(id.rawValue) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "app", select) { row throws(DamagedRow) in
      try record(&row)
    } keep: {
      $0.apps.append($1)
    }
  }

  private static func add(_ record: AppRecord, to row: inout Bindings) {
    row.add(record.installed.id.rawValue)
    row.add(record.installed.displayName)
    add(record.installed.kind, to: &row)
    row.add(record.life)
    row.add(record.isBackground)
    row.add(record.failures)
    row.add(record.notBefore)
    row.add(record.paidUntil)
    row.add(record.installed.exitsOnSuspend)
    row.add(record.installed.isProtected)
    add(record.card, to: &row)
    row.add(text: LineText.bytes(of: record.installed.modes))
    add(record.settings, to: &row)
    row.add(record.badge)
    row.add(record.attachedLife)
    add(pastNotices: record.pastNotices, to: &row)
  }

  private static func add(_ settings: AppSettings, to row: inout Bindings) {
    row.add(settings.refreshes)
    row.add(settings.alerts)
    row.add(settings.sounds)
    row.add(settings.badges)
  }

  private static func add(_ card: Card, to row: inout Bindings) {
    row.add(card.used)
    row.add(card.snapshot)
    row.add(card.isStale)
    row.add(card.isRemoved)
  }

  private static func add(pastNotices: [RequestKey], to row: inout Bindings) {
    guard !pastNotices.isEmpty else { return row.add(nil as String?) }
    row.add(text: LineText.bytes(of: pastNotices.map(\.description)))
  }

  private static func add(_ kind: InstalledApp.Kind, to row: inout Bindings) {
    switch kind {
    case .bundle(let path, let executable):
      row.add(Kind.bundle.rawValue)
      row.add(path)
      row.add(executable)
      row.add(nil as String?)
    case .program(let relaunch):
      row.add(Kind.program.rawValue)
      row.add(nil as String?)
      row.add(nil as String?)
      row.add(text: LineText.bytes(of: relaunch))
    }
  }

  private static func record(_ row: inout Columns) throws(DamagedRow) -> AppRecord {
    let installed = InstalledApp(id: AppID(try row.text()), displayName: try row.text(), kind: try kind(&row))
    var record = AppRecord(
      installed: installed, life: try row.count(), isBackground: try row.flag(), failures: try row.count(),
      notBefore: try row.ageIfAny(), paidUntil: try row.ageIfAny())
    record.installed.exitsOnSuspend = try row.flag()
    record.installed.isProtected = try row.flag()
    record.card = Card(
      used: try row.numberIfAny(), snapshot: try row.numberIfAny(), isStale: try row.flag(),
      isRemoved: try row.flag())
    record.installed.modes = try row.textIfAny(LineText.lines) ?? []
    record.settings.refreshes = try row.flag()
    record.settings.alerts = try row.flag()
    record.settings.sounds = try row.flag()
    record.settings.badges = try row.flag()
    record.badge = Int(try row.integer())  // Whatever number its app has chosen.
    record.attachedLife = try row.count()
    record.pastNotices = try (row.textIfAny(LineText.lines) ?? []).map(key)
    return record
  }

  private static func key(_ line: String) throws(DamagedRow) -> RequestKey {
    guard let key = RequestKey(line) else { throw DamagedRow(detail: "'\(line)' is no notification's key") }
    return key
  }

  private static func kind(_ row: inout Columns) throws(DamagedRow) -> InstalledApp.Kind {
    let kind: Kind = try row.word()
    let (path, executable) = (try row.textIfAny(), try row.textIfAny())
    let relaunch = try row.textIfAny(LineText.lines)
    switch (kind, path, executable, relaunch) {
    case (.bundle, let path?, let executable?, nil): return .bundle(path: path, executable: executable)
    case (.program, nil, nil, let relaunch?): return .program(relaunch: relaunch)
    case (.bundle, _, _, _), (.program, _, _, _): throw DamagedRow(detail: "its kind and its paths do not agree")
    }
  }
}
