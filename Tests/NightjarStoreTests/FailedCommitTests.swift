import GRDB
import Glibc
@testable import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

struct FailedCommitTests {
  @Test func `a full disk loses the commit whole, and the same commit passes later`() throws {
    let folder = try Folder()
    var notices: [String] = []
    let database = try OpenDatabase(DatabaseFile(path: folder.database), notices: &notices)
    try database.limit(pages: 40)
    var (before, walk) = (Memory(), Walk(seed: 3))
    var (refused, error) = (walk.step(), nil as StoreError?)

    while error == nil {
      do throws(StoreError) {
        try database.commit(refused.changes, clock: refused.clock, counters: refused.counters)
        (before, refused) = (walk.memory, walk.step())
      } catch let refusal {
        error = refusal
      }
    }

    #expect(error?.code == .diskFull)
    #expect(try database.load().0 == before)
    try database.limit(pages: 100_000)
    try database.commit(refused.changes, clock: refused.clock, counters: refused.counters)
    #expect(try database.load().0 == walk.memory)
  }

  @Test func `a disk that refuses to write loses the commit whole, and the same commit passes later`() async throws {
    let folder = try Folder()
    let path = folder.database

    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try Store(path: path)
      var (before, walk) = (Memory(), Walk(seed: 5))
      var (refused, error) = (walk.step(), nil as StoreError?)
      FailedCommitTests.limitFiles(bytes: 400_000)

      while error == nil {
        do throws(StoreError) {
          try store.commit(refused.changes, clock: refused.clock, counters: refused.counters)
          (before, refused) = (walk.memory, walk.step())
        } catch let refusal {
          error = refusal
        }
      }

      precondition(error?.code == .io, "\(error as Any)")
      let left = try store.load()
      precondition(left == before)
      FailedCommitTests.limitFiles(bytes: rlim_t.max)
      try store.commit(refused.changes, clock: refused.clock, counters: refused.counters)
      let whole = try store.load()
      precondition(whole == walk.memory)
    }
  }

  @Test(arguments: [(EDQUOT, .diskFull), (EIO, .io), (0, .io)] as [(CInt, StoreError.Code)])
  func `a quota that is used up is a full disk, though SQLite does not say so`(errno: CInt, code: StoreError.Code) {
    let refusal = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "disk I/O error")

    let error = StoreError(refusal, at: "/database", systemErrors: [0, errno])

    #expect(error.code == code)
    #expect(error.detail.contains("quota") == (code == .diskFull))
  }

  @Test func `what the system said of a failed write is known after it`() async throws {
    let folder = try Folder()
    let path = folder.database

    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var notices: [String] = []
      let database = try OpenDatabase(DatabaseFile(path: path), notices: &notices)
      var (walk, hasFailed) = (Walk(seed: 5), false)
      FailedCommitTests.limitFiles(bytes: 400_000)

      while !hasFailed {
        let step = walk.step()
        do throws(StoreError) {
          try database.commit(step.changes, clock: step.clock, counters: step.counters)
        } catch {
          hasFailed = true
        }
      }

      let said = database.queue.systemErrors
      precondition(said.contains(EFBIG), "\(said)")
    }
  }

  @Test(arguments: ["", "-wal"])
  func `a commit into a file that was moved away is refused, and passes once the file is back`(
    companion: String
  ) throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    let file = folder.database + companion
    var walk = Walk(seed: 7)
    let step = walk.step()
    func commit() throws { try store.commit(step.changes, clock: step.clock, counters: step.counters) }

    #expect(rename(file, file + ".away") == 0)
    let error = #expect(throws: StoreError.self) { try commit() }
    #expect(rename(file + ".away", file) == 0)
    try commit()

    #expect(error?.code == .io)
    #expect(error?.detail.contains("removed or replaced") == true)
    #expect(try store.load() == walk.memory)
  }

  @Test func `a database that was put in its place is neither written to nor mixed with what the log holds`() throws {
    let folder = try Folder()
    let (path, spare) = (folder.database, folder.database + ".spare")
    var (old, new) = (Walk(seed: 8), Walk(seed: 9))
    let (first, second) = (old.step(), new.step())
    let store = try Store(path: path)
    try store.commit(first.changes, clock: first.clock, counters: first.counters)
    let other = try Store(path: spare)
    try other.commit(second.changes, clock: second.clock, counters: second.counters)
    other.close()

    #expect(rename(path, path + ".away") == 0 && rename(spare, path) == 0)
    #expect(throws: StoreError.self) { try store.commit(first.changes, clock: first.clock, counters: first.counters) }
    store.close()

    #expect(try Store(path: path).load() == new.memory)
    #expect(try Store(path: path + ".away").load() == old.memory)
  }

  @Test func `the log stays short`() throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    var dice = Dice(seed: 1)
    var longest = 0

    for round in 0..<60 {
      var changes = Changes()
      for number in 0..<100 {
        let id = TransferID(Int64(round * 100 + number))
        changes.add(TransferRecord(id: id, request: dice.request(), born: .zero, state: TransferState()))
      }
      try store.commit(changes, clock: .sample, counters: Counters())
      longest = max(longest, try Bytes.of(folder.database + "-wal").count)
    }

    #expect(longest < 6_000_000)
    #expect(try Bytes.of(folder.database).count > longest)
  }

  private static func limitFiles(bytes: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}

extension OpenDatabase {
  func limit(pages: Int) throws {
    _ = try queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
  }
}
