import Glibc
@testable import NightjarCore
import NightjarModel
import Synchronization
import Testing

@testable import NightjarStore

struct CrashTests {
  @Test(arguments: 0..<UInt64(24))
  func `a process that is killed loses nothing that was reported done`(seed: UInt64) async throws {
    let folder = try Folder()
    let path = folder.database

    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
      var dice = Dice(seed: seed)
      let (commits, spins) = (Int(seed) % 8, Int.random(in: 0...4_000_000, using: &dice))
      try CrashTests.commitUntilKilled(path, seed: seed, afterCommits: commits, spins: spins)
    }

    let done = Int64((try? Bytes.of(path + ".done").count) ?? 0)
    let store = try Store(path: path)
    let memory = try store.load()
    let found = Walk.count(memory)
    #expect(store.notices.isEmpty)
    #expect(found == done || found == done + 1)
    #expect(memory == Self.memory(seed: seed, after: found))
  }

  @Test(arguments: 0..<UInt64(30))
  func `a torn log keeps the commits before the tear`(seed: UInt64) throws {
    let folder = try Folder()
    let torn = folder.path + "/torn.sqlite"
    let ends = try Self.commit(40, to: folder.database, seed: seed, thenCopyTo: torn)
    var dice = Dice(seed: seed)
    let tear = Int.random(in: ends[0]..<ends[40], using: &dice)
    var log = try Bytes.of(torn + "-wal").prefix(dice.flag() ? tear : ends[40])
    for index in log.indices.dropFirst(tear) { log[index] = ~log[index] }
    try Bytes.put(log, at: torn + "-wal")

    let store = try Store(path: torn)
    let memory = try store.load()

    let kept = try #require(ends.lastIndex { $0 <= tear })
    #expect(store.notices.isEmpty)
    #expect(memory == Self.memory(seed: seed, after: Int64(kept)))
  }

  /// What a store must remember after so many steps of a walk.
  private static func memory(seed: UInt64, after count: Int64) -> Memory {
    var walk = Walk(seed: seed)
    for _ in 0..<count { _ = walk.step() }
    return walk.memory
  }

  /// Commits, copies the files as a sudden end would leave them, and returns how long the log was before the first
  /// commit and after each.
  private static func commit(_ count: Int, to path: String, seed: UInt64, thenCopyTo copy: String) throws -> [Int] {
    var walk = Walk(seed: seed)
    let store = try Store(path: path)
    var ends = [try Bytes.of(path + "-wal").count]
    for _ in 0..<count {
      let step = walk.step()
      try store.commit(step.changes, clock: step.clock, counters: step.counters)
      ends.append(try Bytes.of(path + "-wal").count)
    }
    for suffix in ["", "-wal"] { try Bytes.put(try Bytes.of(path + suffix), at: copy + suffix) }
    store.close()
    return ends
  }

  /// Commits, and adds a byte to a file beside the database for each commit that is done, until a second thread kills
  /// the process at a moment that the two numbers choose.
  private static func commitUntilKilled(_ path: String, seed: UInt64, afterCommits: Int, spins: Int) throws -> Never {
    let done = Atomic(0)
    let killer = Killer(afterCommits: afterCommits, spins: spins)
    killer.start()
    let report = open(path + ".done", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let store = try Store(path: path)
    var walk = Walk(seed: seed)
    while true {
      let step = walk.step()
      try store.commit(step.changes, clock: step.clock, counters: step.counters)
      write(report, "x", 1)
      killer.count(done.add(1, ordering: .relaxed).newValue)
    }
  }
}

/// A second thread that kills the process.
private final class Killer: Sendable {
  private let afterCommits: Int
  private let spins: Int
  private let commits = Atomic(0)

  init(afterCommits: Int, spins: Int) { (self.afterCommits, self.spins) = (afterCommits, spins) }

  func count(_ commits: Int) { self.commits.store(commits, ordering: .releasing) }

  func start() {
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self).toOpaque()
    pthread_create(&thread, nil, { Unmanaged<Killer>.fromOpaque($0!).takeRetainedValue().run() }, me)
  }

  private func run() -> Never {
    while commits.load(ordering: .acquiring) < afterCommits { sched_yield() }
    for _ in 0..<spins { _ = commits.load(ordering: .sequentiallyConsistent) }
    kill(getpid(), SIGKILL)
    fatalError("the process outlived SIGKILL")
  }
}
