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

  private func fill(count: Int64 = 3) throws {
    let store = try Store(path: folder.database)
    var changes = Changes()
    changes.keep(AppRecord(installed: InstalledApp(id: AppID("a"), displayName: "A", kind: .program(relaunch: []))))
    for number in 1...count {
      let request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "http://localhost/")
      let id = TransferID(number)
      changes.add(TransferRecord(id: id, request: request, born: .zero, state: TransferState()))
      changes.keep(Wake(number: number, app: AppID("a"), reason: .transferEnded(id, session: "s")))
    }
    try store.commit(changes, clock: .sample, counters: Counters(transfer: count, wake: count))
    store.close()
  }
}
