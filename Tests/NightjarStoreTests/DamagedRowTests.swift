import GRDB
@testable import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

struct DamagedRowTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: [
    ("UPDATE transfer SET phase = 'dreaming' WHERE id = 2", "transfer 2: its phase is 'dreaming'"),
    ("UPDATE transfer SET phase = 'waiting' WHERE id = 2", "its phase is 'waiting', and what goes with that"),
    ("UPDATE transfer SET failure = 'hexed', failure_detail = '' WHERE id = 2", "its failure is 'hexed'"),
    ("UPDATE transfer SET headers = 'no colon' WHERE id = 2", "breaks off"),
    ("UPDATE transfer SET upload_size = 5 WHERE id = 2", "upload_"),
    ("UPDATE transfer SET resume_length = 5 WHERE id = 2", "its resume_offset is missing"),
    ("UPDATE transfer SET is_suspended = 2 WHERE id = 2", "its is_suspended is 2"),
    ("UPDATE transfer SET label = CAST(x'ff' AS TEXT) WHERE id = 2", "its label is no UTF-8"),
    ("UPDATE transfer SET priority = 8.98e307 WHERE id = 2", "which is no priority"),
    ("UPDATE transfer SET priority = 9e999 WHERE id = 2", "its priority is not finite"),
    ("UPDATE transfer SET attempts = -1 WHERE id = 2", "its attempts is -1, which is out of range"),
    ("UPDATE transfer SET attempts = \(Int64.max) WHERE id = 2", "its attempts is \(Int64.max), which is out"),
    ("UPDATE transfer SET failures = \(Int64.max) WHERE id = 2", "its failures is \(Int64.max), which is out"),
    ("UPDATE transfer SET resume_offset = 1 << 62 WHERE id = 2", "its resume_offset is 4611686018427387904, which"),
    (
      "UPDATE transfer SET file_path = 'f', file_size = \(Int64.max), file_modified = 0, file_inode = 0 WHERE id = 2",
      "its file_size is out of range"
    ),
    (
      """
      UPDATE transfer SET phase = 'delivering', response_url = 'http://localhost/', response_status = 200,
        response_headers = '', file_path = 'f', file_size = 1, file_modified = 0, file_inode = 0 WHERE id = 2
      """, "transfer 2: it is to be delivered and has no destination"
    ),
    (
      """
      UPDATE transfer SET phase = 'undelivered', failure = 'cannotWrite', failure_detail = '',
        response_url = 'http://localhost/', response_status = 200, response_headers = '',
        file_path = 'f', file_size = 1, file_modified = 0, file_inode = 0 WHERE id = 2
      """, "transfer 2: it is to be delivered and has no destination"
    ),
  ])
  func `a row that makes no sense is left out, told and kept`(sql: String, words: String) throws {
    try fill()
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: sql) }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.transfers.map(\.id.rawValue) == [1, 3])
    #expect(memory.wakes.map(\.number) == [1, 3])
    #expect(store.notices.count == 1)
    #expect(store.notices[0].contains(words))
    #expect(store.notices[0].contains("wake 2: its transfer 2 is not there"))
    store.close()
    let rows = try DatabaseQueue(path: folder.database).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM transfer")
    }
    #expect(rows == 3)
  }

  @Test(arguments: [
    ("scheduled_notice", "zone = 'Z', zone_offset = 10000000000", "its zone_offset is more than a day"),
    ("scheduled_notice", "zone = 'Z', zone_offset = \(Int64.min)", "its zone_offset is more than a day"),
    ("scheduled_notice", "since = \(Int64.max)", "its since is on no calendar"),
    ("scheduled_notice", "step = 0", "its step is no number of intervals"),
    ("scheduled_notice", "interval = 'day', step = \(Int64.max)", "its step is no number of intervals"),
    ("remnant", "offset = \(Int64.max)", "its offset is \(Int64.max), which is out of range"),
    ("history", "number = \(Int64.max)", "its number is \(Int64.max), which is out of range"),
    ("app", "life = \(Int64.max)", "its life is \(Int64.max), which is out of range"),
    ("app", "used = \(Int64.max)", "its used is \(Int64.max), which is out of range"),
    ("fetch", "joules = 9e999", "its joules is not finite"),
    ("fetch", "received = \(Int64.max)", "its received is \(Int64.max), which is out of range"),
    ("decision", "score = -9e999", "its score is not finite"),
    ("decision", "threshold = 9e999", "its threshold is not finite"),
    ("decision", "probability = 9e999", "its probability is not finite"),
    ("decision", "updates_per_hour = 9e999", "its updates_per_hour is not finite"),
  ])
  func `a number that nobody could reckon with is left out and told`(
    table: String, change: String, words: String
  ) throws {
    try fillTables()
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "UPDATE \(table) SET \(change)") }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    let (apps, others) = (memory.apps.count, memory.scheduled.count + memory.remnants.count + memory.history.count)
    #expect(apps + others + memory.fetches.count + memory.decisions.count == 5)
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains("left out, though still there: \(table) ") == true)
    #expect(store.notices.first?.contains(words) == true)
  }

  @Test(arguments: ["last_transfer", "last_wake", "last_notice", "last_decision"])
  func `a database that can give no new numbers is set aside`(counter: String) throws {
    try fill()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(sql: "UPDATE device SET \(counter) = \(Int64.max)")
    }

    let store = try Store(path: folder.database)

    #expect(try store.load() == Memory())
    #expect(store.setAside == 1)
    #expect(store.notices.first?.contains("its \(counter) is \(Int64.max), which is out of range") == true)
  }

  @Test func `no number is given again that a row has, even one that is left out`() throws {
    try fillNumbered()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(
        sql: """
          UPDATE device SET last_transfer = 1, last_wake = 0, last_notice = 0, last_decision = 0;
          UPDATE transfer SET phase = 'dreaming' WHERE id = 3;
          UPDATE decision SET verdict = 'maybe';
          """)
    }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.counters == Counters(transfer: 3, wake: 3, notice: 5, decision: 6))
    #expect(memory.transfers.map(\.id.rawValue) == [1, 2] && memory.decisions.isEmpty)
    #expect(store.notices.last?.contains("the last number of the table transfer was 1, and 3 is in use") == true)
    #expect(store.setAside == nil)
  }

  @Test(arguments: [("transfer", "id"), ("wake", "number"), ("notice", "number"), ("decision", "number")])
  func `a number after which there is none is left out, and numbers go on from the others`(
    table: String, column: String
  ) throws {
    try fillNumbered()
    try DatabaseQueue(path: folder.database).write {
      let last = "SELECT max(\(column)) FROM \(table)"
      try $0.execute(sql: "UPDATE \(table) SET \(column) = \(Int64.max) WHERE \(column) = (\(last))")
    }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.counters == Counters(transfer: 3, wake: 3, notice: 5, decision: 6))
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains("is \(Int64.max), which is out of range") == true)
  }

  @Test func `without clock and counters the transfers go on, by an age and numbers made from them`() throws {
    try fillNumbered()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(sql: "DELETE FROM device; UPDATE transfer SET born = 7000000000 WHERE id = 2")
    }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.clock?.latest == Age(.seconds(7)))
    #expect(memory.counters == Counters(transfer: 3, wake: 3, notice: 5, decision: 6))
    #expect(memory.transfers.count == 3 && memory.wakes.count == 3)
    #expect(store.setAside == nil)
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains("the row of the table device was missing") == true)
  }

  @Test func `without transfers the clock goes on from the latest fetch`() throws {
    var (changes, record) = (Changes(), FetchRecord(app: AppID("a")))
    (record.begunAt, record.freshAt) = (Age(.seconds(8)), Age(.seconds(9)))
    changes.keep(record)

    #expect(try latestWithoutDevice(changes) == Age(.seconds(9)))
  }

  @Test func `without anything that has happened the clock goes on from the end of the longest wait`() throws {
    let app = InstalledApp(id: AppID("a"), displayName: "A", kind: .program(relaunch: []))
    var changes = Changes()
    changes.keep(AppRecord(installed: app, notBefore: Age(.seconds(5)), paidUntil: Age(.seconds(6))))

    #expect(try latestWithoutDevice(changes) == Age(.seconds(6)))
  }

  /// The time at which the clock goes on once the device's row is gone.
  private func latestWithoutDevice(_ changes: Changes) throws -> Age? {
    let store = try Store(path: folder.database)
    try store.commit(changes, clock: .sample, counters: Counters(transfer: 0, wake: 0))
    store.close()
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "DELETE FROM device") }
    return try Store(path: folder.database).load().clock?.latest
  }

  @Test func `an app of an unknown kind is left out`() throws {
    try fill()
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "UPDATE app SET kind = 'applet'") }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.apps.isEmpty)
    #expect(memory.transfers.count == 3)
    #expect(store.notices.first?.contains("app a: its kind is 'applet', which this version does not know") == true)
  }

  @Test(arguments: ["soon", "9223372036854775807"])
  func `a notification repeated on days that are none is left out`(day: String) throws {
    let time = NoticeTime(at: Timestamp(seconds: 1_700_000_000), interval: .month, days: [20_000])
    let request = NoticeRequest(
      key: RequestKey(high: 1, low: 1), app: AppID("a"), time: time, content: NoticeContent())
    var changes = Changes()
    changes.keep(ScheduledNotice(request: request))
    let first = try Store(path: folder.database)
    try first.commit(changes, clock: .sample, counters: Counters(transfer: 0, wake: 0))
    first.close()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(sql: "UPDATE scheduled_notice SET days = ?", arguments: [day + "\n"])
    }

    let store = try Store(path: folder.database)
    let memory = try store.load()

    #expect(memory.scheduled.isEmpty)
    #expect(store.notices.first?.contains("'\(day)' is the number of no day on a calendar") == true)
  }

  @Test func `many damaged rows make one notice of bounded length`() throws {
    try fill(count: 500)
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "UPDATE transfer SET phase = 'dreaming'") }

    let store = try Store(path: folder.database)
    _ = try store.load()

    #expect(store.notices.count == 1)
    #expect(store.notices[0].count < 1200)
    #expect(store.notices[0].contains("and 992 more"))
  }

  @Test func `tables that are not ours are set aside`() throws {
    try fill()
    try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "ALTER TABLE transfer DROP COLUMN label") }

    let store = try Store(path: folder.database)

    #expect(try store.load() == Memory())
    #expect(store.notices.count == 1)
    #expect(folder.names.contains("nightjar.sqlite.damaged-1"))
  }

  /// One row in each of six tables.
  private func fillTables() throws {
    let store = try Store(path: folder.database)
    var (changes, dice) = (Changes(), Dice(seed: 1))
    changes.keep(dice.appRecord(AppID("a")))
    changes.keep(dice.historyEntry())
    changes.keep(dice.remnant())
    changes.keep(ScheduledNotice(request: dice.noticeRequest()))
    changes.keep(dice.fetchRecord(AppID("a")))
    changes.keep(dice.fetchDecision(1))
    try store.commit(changes, clock: .sample, counters: Counters(transfer: 0, wake: 0, decision: 1))
    store.close()
  }

  @Test func `neither the number nor the time of what a transfer has left is given again`() throws {
    try fillNumbered()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(
        sql:
          "UPDATE remnant SET \"transfer\" = 9, born = \(Int64.max / 4); DELETE FROM device; DELETE FROM \"transfer\"")
    }

    let memory = try Store(path: folder.database).load()

    #expect(memory.counters.transfer == 9)
    #expect(memory.clock?.latest == Age(.nanoseconds(Int64.max / 4)))
  }

  /// Three transfers and wakes, a notification and a decision.
  private func fillNumbered() throws {
    try fill()
    let store = try Store(path: folder.database)
    var (changes, dice) = (Changes(), Dice(seed: 1))
    changes.keep(dice.firedNotice(NoticeID(5)))
    changes.keep(dice.fetchDecision(6))
    changes.keep(dice.remnant())
    try store.commit(changes, clock: .sample, counters: Counters(transfer: 3, wake: 3, notice: 5, decision: 6))
    store.close()
  }

  private func fill(count: Int64 = 3) throws {
    let store = try Store(path: folder.database)
    var changes = Changes()
    changes.keep(AppRecord(installed: InstalledApp(id: AppID("a"), displayName: "A", kind: .program(relaunch: []))))
    for number in 1...count {
      let request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "http://localhost/")
      let id = TransferID(number)
      changes.add(TransferRecord(id: id, request: request, born: .zero, state: TransferState()))
      changes.keep(Wake(number: number, of: SessionID(app: AppID("a"), identifier: "s"), transfer: id))
    }
    try store.commit(changes, clock: .sample, counters: Counters(transfer: count, wake: count))
    store.close()
  }
}
