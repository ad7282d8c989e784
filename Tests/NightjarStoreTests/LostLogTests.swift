import GRDB
import Glibc
@testable import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

/// A database whose log is taken away or damaged between two daemons.
struct LostLogTests {
  private let folder: Folder
  private var log: String { folder.database + "-wal" }
  private var sign: String { folder.database + "-open" }

  init() throws { folder = try Folder() }

  /// The files of a killed process: one commit is written back into the database, a second is in the log alone.
  private func crash() throws -> (written: Memory, all: Memory) {
    let life = folder.path + "/life.sqlite"
    let store = try Store(path: life)
    var walk = Walk(seed: 11)
    let first = walk.step()
    try store.commit(first.changes, clock: first.clock, counters: first.counters)
    try store.fold()
    let written = walk.memory
    let second = walk.step()
    try store.commit(second.changes, clock: second.clock, counters: second.counters)
    try copy(life, to: folder.database)
    store.close()
    return (written, walk.memory)
  }

  /// Copies what a kill would leave just now.
  private func copy(_ database: String, to other: String) throws {
    for end in ["", "-wal", "-open"] { try Bytes.put(Bytes.of(database + end), at: other + end) }
  }

  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.database)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `a log that is gone after a crash is told, and what the database holds is kept`() throws {
    let (written, _) = try crash()
    unlink(log)

    let store = try Store(path: folder.database)

    #expect(try store.load() == written)
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains("may be missing") == true)
    #expect(store.notices.first?.contains(log) == true)
    store.close()
  }

  @Test(arguments: [0..<0, 0..<8, 24..<32, 0..<4096])
  func `a log that was emptied or overwritten is told like one that is gone`(bytes: Range<Int>) throws {
    let (written, _) = try crash()
    var damaged = try Bytes.of(log)
    for index in bytes { damaged[index] = ~damaged[index] }
    if bytes.isEmpty { damaged = [] }
    try Bytes.put(damaged, at: log)

    let store = try Store(path: folder.database)

    #expect(try store.load() == written)
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains("may be missing") == true)
    store.close()
  }

  @Test func `the sign tells an emptied log from one that nothing was written to`() throws {
    let store = try Store(path: folder.database)
    var walk = Walk(seed: 5)
    try store.fold()
    #expect(try Bytes.of(sign).isEmpty && Bytes.of(log).isEmpty)
    let step = walk.step()

    try store.commit(step.changes, clock: step.clock, counters: step.counters)

    #expect(try Bytes.of(sign).count == 1)
    #expect(LogHeader.isValid(at: log))
    store.close()
  }

  @Test func `a loss is told once`() throws {
    _ = try crash()
    unlink(log)
    try Store(path: folder.database).close()

    let next = try Store(path: folder.database)

    _ = try next.load()
    #expect(next.notices.isEmpty)
    next.close()
  }

  @Test func `a loss of which nobody was told, since the daemon could not start, is told by the next one`() throws {
    let (written, _) = try crash()
    unlink(log)
    do { _ = try Store(path: folder.database).load() }

    let next = try Store(path: folder.database)

    #expect(try next.load() == written)
    #expect(next.notices.count == 1)
    next.close()
    #expect(!folder.names.contains("nightjar.sqlite-open"))
  }

  @Test(arguments: [false, true])
  func `a kill has a loss told again unless it was told`(isTold: Bool) throws {
    _ = try crash()
    unlink(log)
    let later = folder.path + "/later.sqlite"
    let store = try Store(path: folder.database)
    let memory = try store.load()
    if isTold { store.noteTold() }
    try store.fold()
    try store.commit(Changes(), clock: #require(memory.clock), counters: memory.counters)
    try copy(folder.database, to: later)
    store.close()

    let next = try Store(path: later)

    _ = try next.load()
    #expect(next.notices.count == (isTold ? 0 : 1))
    next.close()
  }

  @Test func `a crash that leaves the log is no loss`() throws {
    let (_, all) = try crash()

    let store = try Store(path: folder.database)

    #expect(try store.load() == all)
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `a crash right after the log was written back is no loss`() throws {
    let (_, all) = try crash()
    let store = try Store(path: folder.database)
    try store.fold()
    let later = folder.path + "/later.sqlite"
    try copy(folder.database, to: later)
    store.close()

    let next = try Store(path: later)

    #expect(try Bytes.of(later + "-open").isEmpty)
    #expect(try next.load() == all)
    #expect(next.notices.isEmpty)
    next.close()
  }

  @Test func `a kill while it is closed is no loss: the sign goes before the log`() throws {
    _ = try crash()
    unlink(sign)

    let store = try Store(path: folder.database)

    _ = try store.load()
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `a store that is let go of has lost nothing`() throws {
    do { _ = try Store(path: folder.database) }

    #expect(folder.names == ["nightjar.sqlite"])
  }

  @Test func `a start that is refused does not hide the loss from the next one`() throws {
    _ = try crash()
    unlink(log)
    try edit("INSERT INTO grdb_migrations VALUES ('9-hovercraft')")
    let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }
    try edit("DELETE FROM grdb_migrations WHERE identifier = '9-hovercraft'")

    let store = try Store(path: folder.database)

    _ = try store.load()
    #expect(error?.code == .newer)
    #expect(store.notices.count == 1)
    store.close()
  }

  @Test func `a start that is refused with the log in its place is no loss`() throws {
    let life = folder.path + "/life.sqlite"
    var notices: [String] = []
    let database = try OpenDatabase(DatabaseFile(path: life), notices: &notices)
    try database.commit(Changes(), clock: .sample, counters: Counters())
    try database.queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9-hovercraft')") }
    try copy(life, to: folder.database)
    database.close()

    let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }
    let left = folder.names
    try edit("DELETE FROM grdb_migrations WHERE identifier = '9-hovercraft'")
    let store = try Store(path: folder.database)

    #expect(error?.code == .newer)
    #expect(left == ["life.sqlite", "nightjar.sqlite"])
    #expect(try store.load().clock != nil)
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `a database that is set aside takes its sign along`() throws {
    _ = try crash()
    unlink(log)
    try Bytes.put([UInt8](repeating: 7, count: 5000), at: folder.database)

    let store = try Store(path: folder.database)

    _ = try store.load()
    #expect(store.notices.count == 1)
    #expect(folder.names.contains("nightjar.sqlite.damaged-1-open"))
    store.close()
  }

  @Test func `the sign loses its byte though no file can be opened any more`() async throws {
    let path = folder.database

    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store(path: path)
      try store.commit(Changes(), clock: .sample, counters: Counters())
      precondition(DatabaseFile.size(path + "-open") == 1)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

      try store.fold()

      precondition(DatabaseFile.size(path + "-wal") == 0 && DatabaseFile.size(path + "-open") == 0)
    }
  }

  @Test func `a log that SQLite writes back as it lets go of the database leaves no sign`() throws {
    var (notices, walk): ([String], Walk) = ([], Walk(seed: 3))
    let step = walk.step()
    let database = try OpenDatabase(DatabaseFile(path: folder.database), notices: &notices)
    try database.commit(step.changes, clock: step.clock, counters: step.counters)
    database.queue.interrupt()  // Only the next checkpoint fails by it.

    database.close()

    #expect(DatabaseFile.size(log) == 0 && DatabaseFile.size(sign) == nil)
    let store = try Store(path: folder.database)
    #expect(try store.load() == walk.memory)
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `a log that cannot be written back stays at the end, and nothing is lost`() async throws {
    let path = folder.database

    await #expect(processExitsWith: .success) { [path = path as String] in
      var notices: [String] = []
      let database = try OpenDatabase(DatabaseFile(path: path), notices: &notices)
      var walk = Walk(seed: 3)
      let step = walk.step()
      try database.commit(step.changes, clock: step.clock, counters: step.counters)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = 4096
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)

      database.close()

      precondition(DatabaseFile(path: path).hasLog && DatabaseFile(path: path).hasSign)
    }

    let store = try Store(path: folder.database)
    var walk = Walk(seed: 3)
    _ = walk.step()
    #expect(try store.load() == walk.memory)
    #expect(store.notices.isEmpty)
    store.close()
  }
}
