import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A crash` {
  @Test func `over one of two sessions is charged to both once, and then to that alone`() {
    var bench = Bench.withTwoSessionsThatWait()
    var told: [[Int]] = []

    for life in 2...4 {
      told.append(bench.open(inLife: life).told)
      bench.crash(inLife: life)
    }
    let crashes = bench.rows.memory.wakes.map(\.crashes)
    told.append(bench.open(inLife: 5).told)

    #expect(told == [[1, 2], [1], [1], [2]])
    #expect(crashes == [3, 1])
  }

  @Test(arguments: [false, true])
  func `is not charged to a session that is held back, however it is reported`(detachesFirst: Bool) {
    var bench = Bench.withTwoSessionsThatWait()
    _ = bench.open(inLife: 2)
    bench.crash(inLife: 2)

    let (client, _) = bench.open(inLife: 3)
    if detachesFirst { bench.send(.detached(client.connection)) }
    bench.crash(inLife: 3)

    #expect(bench.rows.memory.wakes.map(\.crashes) == [2, 1])
  }

  @Test func `leaves the other session its turn, its last word and all its time`() {
    var bench = Bench.withTwoSessionsThatWait()
    _ = bench.open(inLife: 2)
    bench.crash(inLife: 2)
    let (client, first) = bench.open(inLife: 3)

    bench.pass(.seconds(29))
    bench.ask(.acknowledge([1]), as: client)
    let second = bench.deeds
    bench.ask(.finishEvents("main"), as: client)
    let early = bench.pass(.seconds(29))
    bench.ask(.acknowledge([2]), as: client)
    bench.ask(.finishEvents("other"), as: client)

    #expect(first == [1] && second.tasksTold == [2])
    #expect(second.messages.last == .eventsFinished(session: "other"))
    #expect(early.ends.isEmpty)
    #expect(bench.deeds.suspensions == [farm])
    #expect(bench.rows.memory.wakes.isEmpty)
  }

  @Test func `has its session wait for what another was told before it was opened`() {
    var bench = Bench.withTwoSessionsThatWait()
    _ = bench.open(inLife: 2)
    bench.crash(inLife: 2)

    let (client, first) = bench.open(["other", "main"], inLife: 3)
    bench.ask(.acknowledge([2]), as: client)

    #expect(first == [2])
    #expect(bench.deeds.tasksTold == [1])
  }
}

extension Bench {
  /// The app is gone, and an event waits in each of its two sessions.
  fileprivate static func withTwoSessionsThatWait() -> Bench {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.openSession("other", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.ask(.enqueue(.made(2, session: "other"), isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    bench.finish(2)
    return bench
  }

  /// The app attaches for a life in the background and opens these sessions; the tasks that it is told of.
  fileprivate mutating func open(
    _ sessions: [String] = ["main", "other"], inLife life: Int
  ) -> (client: Client, told: [Int]) {
    let client = attachInBackground(life: life, connection: UInt64(life))
    var told: [Int] = []
    for session in sessions {
      ask(.openSession(session, sendsLaunchEvents: true), as: client)
      told += deeds.tasksTold
    }
    return (client, told)
  }

  /// The app crashes, and is launched again.
  fileprivate mutating func crash(inLife life: Int) {
    send(.app(farm, life: life, .exited(status: "was killed by signal 11", isCrash: true)))
    pass(.seconds(10))
  }
}
