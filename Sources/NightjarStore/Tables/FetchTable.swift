import GRDB
import NightjarCore
import NightjarModel

/// What is remembered about refreshing apps.
enum FetchTable {
  private static let names =
    "app, interval, open, last_begin, begun_at, last_fresh, fresh_at, last_outcome, last_duration, new_data, no_data,"
    + " failed, late, failures, not_before, task_failures, tasks_not_before, wall, cpu, received, sent, joules, changes,"
    + " hours, observations"
  private static let places = Array(repeating: "?", count: names.split(separator: ",").count).joined(separator: ", ")
  private static let upsert = "INSERT OR REPLACE INTO fetch (\(names)) VALUES (\(places))"
  private static let delete = "DELETE FROM fetch WHERE app = ?"
  private static let select = "SELECT \(names) FROM fetch ORDER BY app"

  static func write(_ changes: [AppID: FetchRecord?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for app in changes.keys.sorted() {
      if case .some(.some(let record)) = changes[app] {
        try upsert.write { add(record, to: &$0) }
      } else {
        try delete.write { $0.add(app.rawValue) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "fetch", select) { row throws(DamagedRow) in
      try record(&row)
    } keep: {
      $0.fetches.append($1)
    }
  }

  private static func add(_ record: FetchRecord, to row: inout Bindings) {
    row.add(record.app.rawValue)
    row.add(record.interval?.storedNanoseconds)
    row.add(record.open)
    row.add(record.lastBegin?.nanoseconds)
    row.add(record.begunAt)
    row.add(record.lastFresh?.nanoseconds)
    row.add(record.freshAt)
    row.add(record.lastOutcome?.rawValue)
    row.add(record.lastDuration)
    row.add(record.counts.newData)
    row.add(record.counts.noData)
    row.add(record.counts.failed)
    row.add(record.counts.late)
    for backOff in [record.backOff, record.taskBackOff] {
      row.add(backOff.failures)
      row.add(backOff.notBefore)
    }
    row.add(record.cost)
    row.add(record.updates.changes)
    row.add(record.updates.hours)
    row.add(record.updates.observations)
  }

  private static func record(_ row: inout Columns) throws(DamagedRow) -> FetchRecord {
    var record = FetchRecord(app: AppID(try row.text()))
    record.interval = try row.integerIfAny().map { .nanoseconds($0) }
    record.open = try row.integerIfAny()
    (record.lastBegin, record.begunAt) = (try row.timestampIfAny(), try row.ageIfAny())
    (record.lastFresh, record.freshAt) = (try row.timestampIfAny(), try row.ageIfAny())
    record.lastOutcome = try row.wordIfAny()
    record.lastDuration = try row.duration()
    (record.counts.newData, record.counts.noData) = (try row.count(), try row.count())
    (record.counts.failed, record.counts.late) = (try row.count(), try row.count())
    record.backOff = BackOff(failures: try row.count(), notBefore: try row.ageIfAny())
    record.taskBackOff = BackOff(failures: try row.count(), notBefore: try row.ageIfAny())
    record.cost = try row.cost()
    let (changes, hours, observations) = (try row.real(), try row.real(), try row.real())
    guard let updates = UpdateRate(changes: changes, hours: hours, observations: observations) else {
      throw DamagedRow(detail: "no content changes \(changes) times in \(hours) hours")
    }
    record.updates = updates
    return record
  }
}

extension Bindings {
  /// What fetches have cost: five columns.
  mutating func add(_ cost: FetchCost) {
    add(cost.wall)
    add(cost.cpu)
    add(cost.received)
    add(cost.sent)
    add(cost.joules)
  }
}

extension Columns {
  mutating func timestampIfAny() throws(DamagedRow) -> Timestamp? {
    try integerIfAny().map { Timestamp(nanoseconds: $0) }
  }

  /// What fetches have cost: five columns.
  mutating func cost() throws(DamagedRow) -> FetchCost {
    FetchCost(
      wall: try duration(), cpu: try duration(), received: try byteCount(), sent: try byteCount(), joules: try real())
  }
}
