import GRDB
import Glibc
@testable import NightjarCore
import NightjarModel
import Synchronization
import Testing

@testable import NightjarStore

struct DamageTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `what is no database is set aside, and a new one begun`() throws {
    let bytes = Array("Dear diary, today the disk was replaced. ".utf8) + [UInt8](repeating: 7, count: 5000)
    try Bytes.put(bytes, at: folder.database)

    let store = try Store(path: folder.database)

    #expect(try store.load() == Memory())
    #expect(store.notices.count == 1)
    #expect(store.notices[0].contains("nightjar.sqlite.damaged-1"))
    #expect(try Bytes.of(folder.database + ".damaged-1") == bytes)
    try commit(to: store)
  }

  @Test func `what was set aside is told even where no new database can be begun`() async throws {
    let path = folder.database
    try Bytes.put([UInt8](repeating: 7, count: 5000), at: path)

    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let told = Mutex<[String]>([])

      let store = try? Store(path: path) { line in told.withLock { $0.append(line) } }

      let lines = told.withLock { $0 }
      precondition(store == nil && lines.count == 1 && lines[0].contains("nightjar.sqlite.damaged-1"))
    }
  }

  @Test(arguments: ["x'ff00'", "cast(x'ff00' as text)", "'3-app-l\u{1}fe'"])
  func `damage among the names of what was done to the database has it set aside`(name: String) throws {
    try fill()
    let queue = try DatabaseQueue(path: folder.database)
    try queue.write {
      try $0.execute(sql: "UPDATE grdb_migrations SET identifier = \(name) WHERE identifier = '3-app-life'")
    }
    try queue.close()

    let store = try Store(path: folder.database)

    #expect(store.notices.count == 1)
    #expect(folder.names.contains("nightjar.sqlite.damaged-1"))
    #expect(try store.load() == Memory())
  }

  @Test func `damage is found at the start when the last end was not in order`() throws {
    try fill()
    try garble()
    try Bytes.put([], at: folder.database + "-wal")

    let store = try Store(path: folder.database)

    #expect(store.notices.count == 1)
    #expect(try store.load() == Memory())
    #expect(folder.names.contains("nightjar.sqlite.damaged-1"))
  }

  @Test func `damage that only shows when it is read is set aside, too`() throws {
    try fill()
    try garble()
    let store = try Store(path: folder.database)
    #expect(store.notices.isEmpty)

    let memory = try store.load()

    #expect(memory == Memory())
    #expect(store.notices.count == 1)
    try commit(to: store)
    #expect(try store.load().clock != nil)
  }

  @Test func `damage that a commit meets is told, and checked at the next start`() throws {
    try fill()
    var notices: [String] = []
    let database = try OpenDatabase(DatabaseFile(path: folder.database), notices: &notices)
    try garble()

    let error = #expect(throws: StoreError.self) {
      try database.commit(removal(of: 1...400), clock: .sample, counters: Counters())
    }
    database.close()

    #expect(error?.code == .damaged)
    #expect(folder.names.contains("nightjar.sqlite-wal"))
    #expect(try Store(path: folder.database).notices.count == 1)
  }

  @Test func `a log without its database is kept`() throws {
    try Bytes.put([1, 2, 3], at: folder.database + "-wal")

    let store = try Store(path: folder.database)

    #expect(store.notices.count == 1)
    #expect(try Bytes.of(folder.database + ".damaged-1-wal") == [1, 2, 3])
  }

  @Test func `setting aside that breaks off leaves no database that could pass for whole without its log`() throws {
    // The database's new name is as long as a name may be; the log's is longer.
    let file = DatabaseFile(path: folder.path + "/" + String(repeating: "x", count: 255 - ".damaged-1".utf8.count))
    try Bytes.put([1], at: file.path)
    try Bytes.put([2], at: file.path + "-wal")

    #expect(throws: StoreError.self) { try file.setAside() }

    #expect(try Bytes.of(file.path + ".damaged-1") == [1])
    #expect(try Bytes.of(file.path + "-wal") == [2])
    let error = #expect(throws: StoreError.self) { try file.prepare() }
    #expect(error?.code == .damaged)
  }

  @Test func `nothing takes the place of a log that was set aside without its database`() throws {
    try Bytes.put([9], at: folder.database + ".damaged-1-wal")
    try Bytes.put([1, 2, 3], at: folder.database + "-wal")

    let store = try Store(path: folder.database)

    #expect(store.notices[0].contains("nightjar.sqlite.damaged-2"))
    #expect(try Bytes.of(folder.database + ".damaged-1-wal") == [9])
    #expect(try Bytes.of(folder.database + ".damaged-2-wal") == [1, 2, 3])
  }

  @Test func `a database cut short is set aside`() throws {
    try fill()
    try Bytes.put(try Bytes.of(folder.database).prefix(9000), at: folder.database)

    let store = try Store(path: folder.database)

    #expect(try store.load() == Memory())
    #expect(store.notices.count == 1)
  }

  @Test func `damaged databases do not pile up without end`() throws {
    for _ in 0..<DatabaseFile.setAsideMax {
      try Bytes.put([UInt8](repeating: 7, count: 5000), at: folder.database)
      try Store(path: folder.database).close()
    }
    try Bytes.put([UInt8](repeating: 7, count: 5000), at: folder.database)

    let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }

    #expect(error?.code == .damaged)
    #expect(try Bytes.of(folder.database).count == 5000)
  }

  /// Four hundred transfers, in a database that was closed in order.
  private func fill() throws {
    let store = try Store(path: folder.database)
    var dice = Dice(seed: 1)
    var changes = Changes()
    for number in 1...400 {
      let id = TransferID(Int64(number))
      changes.add(TransferRecord(id: id, request: dice.request(), born: .zero, state: dice.state()))
    }
    try store.commit(changes, clock: .sample, counters: Counters())
    store.close()
  }

  /// Writes over everything from the thirty-third page on: what lies before it are the tables' names and first pages.
  private func garble() throws {
    let count = try Bytes.of(folder.database).count
    try Bytes.overwrite(folder.database, at: 131_072, with: [UInt8](repeating: 0xA5, count: count - 131_072))
  }

  private func removal(of numbers: ClosedRange<Int64>) -> Changes {
    var changes = Changes()
    for number in numbers { changes.remove(TransferID(number)) }
    return changes
  }

  private func commit(to store: Store) throws {
    try store.commit(Changes(), clock: .sample, counters: Counters())
  }
}
