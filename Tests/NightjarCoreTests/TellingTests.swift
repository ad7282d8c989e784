import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `Telling an app` {
  @Test func `that runs with its session open happens at once, after the answer that opened it`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.finish(1)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.rows.memory.wakes.map(\.number) == [1])
  }

  @Test func `of an end that no progress came before names the whole length`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.finish(1)

    guard case .ended(let ended)? = bench.deeds.messages.first else { return #expect(Bool(false), "nothing was told") }
    #expect(ended.count == oneFile.stamp.size)
    #expect(ended.expected == oneFile.stamp.size)
  }

  @Test func `of a failure in a later life names the answer whose body came, and how much of it`() {
    var bench = Bench.withTasksOfEndedApp()
    let answer = Response(url: "https://a.example/1", status: 200, headers: [])
    let failure = TransferFailure(.badRedirect, "no")

    bench.send(
      .transfer(TransferID(1), attempt: 1, .informed(answer)),
      .transfer(TransferID(1), attempt: 1, .progressed(count: 7, expected: 10)),
      .transfer(TransferID(1), attempt: 1, .failed(failure, retryAfter: nil)))
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    let told = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    #expect(told.map(\.outcome) == [.failed(failure)])
    #expect(told.map(\.answer) == [answer])
    #expect(told.map(\.count) == [7] && told.map(\.expected) == [10])
  }

  @Test func `that does not run launches it once, when the last task of the session has ended`() {
    var bench = Bench.withTasksOfEndedApp(3)

    bench.finish(1)
    bench.finish(2)
    let early = bench.view(farm)?.verdict
    bench.finish(3)

    #expect(early == .waits(.restOfSession(count: 1), atMost: .days(1)))
    #expect(bench.deeds.launches.map(\.life) == [2])
    #expect(bench.deeds.launches.map(\.isBackground) == [true])
  }

  @Test func `waits for the rest of each task's own session, and counts no other`() {
    var (bench, client) = Bench.withRunningApp()
    for (session, tasks) in [("main", 1...4), ("other", 5...6)] as [(String, ClosedRange<UInt64>)] {
      bench.ask(.openSession(session, sendsLaunchEvents: true), as: client)
      for task in tasks { bench.ask(.enqueue(.made(task, session: session), isSuspended: false), as: client) }
    }
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    for id in [1, 5] as [Int64] { bench.finish(id) }

    #expect(bench.view(TransferID(1))?.verdict == .waits(.restOfSession(count: 3), atMost: .days(1)))
    #expect(bench.view(TransferID(5))?.verdict == .waits(.restOfSession(count: 1), atMost: .days(1)))
  }

  @Test func `that does not run launches it after a day, though a task of the session waits for weeks`() {
    var (bench, client) = Bench.withRunningApp()
    var late = TransferRequest.made(2)
    late.options.earliestBegin = Timestamp(seconds: bench.wall.seconds + 31 * 86_400)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.ask(.enqueue(late, isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)

    let early = bench.pass(.days(1) - .seconds(1)).launches
    let verdict = bench.view(farm)?.verdict
    let launches = bench.pass(.seconds(1)).launches
    let again = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: again)

    #expect(early.isEmpty && verdict == .waits(.restOfSession(count: 1), atMost: .seconds(1)))
    #expect(launches.map(\.life) == [2])
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `of ends whose wakes are lost happens after the next start, and once`() throws {
    var bench = Bench.withTasksOfEndedApp(2)
    bench.finish(1)
    bench.finish(2)
    bench.rows.memory.wakes = []  // Their rows could not be read.

    bench.restart()
    let launch = try #require(bench.deeds.launches.first)
    let client = bench.attachInBackground(life: launch.life, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let told = bench.deeds.tasksTold
    bench.restart(adopting: [(farm, life: launch.life, pid: client.pid)])

    #expect(told == [1, 2])
    #expect(bench.rows.memory.wakes.map(\.number) == [3, 4])
  }

  @Test func `whose row was lost goes on once it is found again, and nothing that belongs to it is lost`() throws {
    var bench = Bench.withTasksOfEndedApp(2)
    bench.schedule(.made(1, in: 3600, of: bench))
    bench.finish(1)
    bench.finish(2)
    let history = bench.rows.memory.history
    bench.rows.memory.apps = []  // Its row could not be read.

    bench.restart(thenFinding: [.installed(farmApp, nil)])
    let launch = try #require(bench.deeds.launches.first)
    let client = bench.attachInBackground(life: launch.life, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(bench.deeds.tasksTold == [1, 2])
    #expect(bench.rows.memory.wakes.map(\.number) == [1, 2])
    #expect(bench.supervisor.notices.keys(of: farm).count == 1)
    #expect(Array(bench.rows.memory.history.prefix(history.count)) == history)
  }

  @Test func `in the background goes from handleEvents to its suspension`() {
    var bench = Bench.withTasksOfEndedApp(2)
    bench.finish(1)
    bench.finish(2)

    let client = bench.attachInBackground(life: 2, connection: 2)
    let asked = bench.deeds.messages
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let told = bench.deeds
    bench.ask(.acknowledge([1, 2]), as: client)
    let acknowledged = bench.deeds
    bench.ask(.finishEvents("main"), as: client)

    #expect(asked == [.handleEvents(session: "main")])
    #expect(told.tasksTold == [1, 2])
    #expect(told.messages.last == .eventsFinished(session: "main"))
    #expect(acknowledged.contains(.discard(TransferID(1))) && acknowledged.contains(.discard(TransferID(2))))
    #expect(acknowledged.suspensions == [])
    #expect(bench.deeds.suspensions == [farm])
    #expect(bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }

  @Test func `answers first and tells then`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)

    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    guard case .answer? = bench.deeds.first else { return #expect(bench.deeds.isEmpty) }
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `says that all was told of those sessions only that the app was asked to handle`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.openSession("other", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    bench.ask(.enqueue(.made(3, session: "other"), isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    bench.finish(3)
    client = bench.attachInBackground(life: 2, connection: 2)
    let asked = bench.deeds.messages

    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let unasked = bench.deeds
    bench.ask(.openSession("other", sendsLaunchEvents: true), as: client)

    #expect(asked == [.handleEvents(session: "other")])
    #expect(unasked.tasksTold == [1] && unasked.messages.count == 1)
    #expect(bench.deeds.tasksTold == [3])
    #expect(bench.deeds.messages.last == .eventsFinished(session: "other"))
  }

  @Test(arguments: [false, true])
  func `says that all was told also to an app that has answered before it opens the session`(isLate: Bool) {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.order(.launch(farm, arguments: []))

    if isLate { bench.pass(bench.limits.eventsTimeout) } else { bench.ask(.finishEvents("main"), as: client) }
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.deeds.messages.last == .eventsFinished(session: "main"))
  }

  @Test func `says that all was told though the app queues new tasks meanwhile`() {
    var limits = Limits()
    limits.tellsInFlightMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...2 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    bench.finish(2)
    client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    bench.ask(.enqueue(.made(3), isSuspended: false), as: client)
    bench.ask(.acknowledge([1]), as: client)

    #expect(bench.deeds.tasksTold == [2])
    #expect(bench.deeds.messages.last == .eventsFinished(session: "main"))
  }

  @Test func `kills one in the background that does not call the completion handler in time`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    _ = bench.attachInBackground(life: 2, connection: 2)

    let early = bench.pass(.seconds(29))
    let late = bench.pass(.seconds(2))

    #expect(early.ends == [])
    #expect(late.ends == [false])
    #expect(late.notes.contains { $0.contains("completion handler") && $0.contains("30 s") })
    #expect(bench.rows.memory.wakes.map(\.crashes) == [0])  // It never opened the session: no event is to blame.
    #expect(bench.rows.memory.sessions.map(\.unopened) == [1])
  }

  @Test func `kills one in the background that finishes and does not acknowledge`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.finishEvents("main"), as: client)

    let early = bench.pass(.seconds(29))
    let late = bench.pass(.seconds(2))

    #expect(early.ends == [])
    #expect(late.ends == [false])
  }

  @Test func `leaves one in the foreground alone however long it takes`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)

    let done = bench.pass(.hours(3))

    #expect(done.ends == [])
  }

  @Test func `kills one that does not attach in time`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    bench.send(.app(farm, life: 2, .launched(pid: 102)))

    let done = bench.pass(.seconds(31))

    #expect(done.ends == [false])
    #expect(done.notes.contains { $0.contains("did not attach within 30 s") })
  }

  @Test(arguments: [true, false])
  func `parks an event after three crashes, however they are reported, and a person's launch tells it again`(
    detachesFirst: Bool
  ) {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)

    for life in 2...4 {
      if life > 2 { bench.pass(.seconds(5)) }
      let client = bench.attachInBackground(life: life, connection: UInt64(life))
      bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
      #expect(bench.deeds.tasksTold == [1])
      if detachesFirst { bench.send(.detached(client.connection)) }
      bench.send(.app(farm, life: life, .exited(status: "was killed by signal 11", isCrash: true)))
    }
    let parked = bench.pass(.days(2))
    let verdict = bench.view(TransferID(1))?.verdict
    bench.order(.launch(farm, arguments: []))
    let client = bench.attachInBackground(life: 5, connection: 5)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(parked.launches.isEmpty)
    #expect(verdict == .waits(.parked(crashes: 3), atMost: nil))
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `in a session that sends no launch events waits for the next launch`() {
    var bench = Bench.withTasksOfEndedApp(sendsLaunchEvents: false)

    bench.finish(1)
    let launches = bench.deeds.launches + bench.pass(.days(2)).launches
    let verdict = bench.view(farm)?.verdict
    bench.order(.launch(farm, arguments: []))
    _ = bench.attachInBackground(life: 2, connection: 2)

    #expect(launches.isEmpty)
    #expect(verdict == .waits(.nextLaunch, atMost: nil))
    #expect(bench.deeds.messages == [.handleEvents(session: "main")])
  }

  @Test func `that failed to be launched is tried again after growing waits`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)

    var waits: [Duration] = []
    for life in 2...6 {
      bench.send(.app(farm, life: life, .launchFailed(LaunchFailure(.refused, "no memory"))))
      guard case .waits(.launchBackOff(_, let attempts), let wait?)? = bench.view(farm)?.verdict else {
        return #expect(bench.view(farm)?.verdict == .allowed)
      }
      #expect(attempts == life - 1)
      waits.append(wait)
      bench.pass(waits.last!)
      #expect(bench.deeds.launches.map(\.life) == [life + 1])
    }

    #expect(waits == waits.sorted())
    #expect(waits.first! <= .seconds(1) && waits.last! > .seconds(10))
  }

  @Test func `goes on with the next client when the one that was asked has left`() {
    var bench = Bench()
    let (first, second) = (
      Client(tool, pid: 1, connection: 1, relaunch: []), Client(tool, pid: 2, connection: 2, relaunch: [])
    )
    bench.attach(first)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: first)
    bench.ask(.enqueue(.made(1, app: tool), isSuspended: false), as: first)
    bench.send(.detached(first.connection))
    bench.attach(first)
    bench.attach(second)
    bench.finish(1)
    let asked = bench.deeds

    bench.send(.detached(first.connection))

    #expect(asked.contains(.tell(first.connection, .handleEvents(session: "main"))))
    #expect(bench.deeds.contains(.tell(second.connection, .handleEvents(session: "main"))))
  }

  @Test(arguments: [false, true])
  func `of a session's events goes to its first process, though a helper attached before that`(isAdopted: Bool) {
    var bench = Bench.withTasksOfEndedApp()
    let (helper, leader) = (Client(farm, pid: 43, connection: 2), Client(farm, connection: 3))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 2, .launched(pid: leader.pid)))
    if isAdopted { bench.restart(adopting: [(farm, life: 2, pid: leader.pid)]) }
    bench.attach(helper)
    bench.attach(leader)

    bench.finish(1, attempt: isAdopted ? 2 : 1)

    #expect(bench.deeds.contains(.tell(leader.connection, .handleEvents(session: "main"))))
    #expect(bench.deeds.messages.count == 1)
  }

  @Test func `suspends a life in the background at once when nothing is left to tell`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.acknowledge([1]), as: client)

    bench.restart(adopting: [(farm, life: 2, pid: client.pid)])
    bench.attach(client)

    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `tells progress to whoever holds the session`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 5, expected: 10)))

    #expect(bench.deeds == [.tell(client.connection, .progressed(session: "main", task: 1, count: 5, expected: 10))])
  }
}
