import NightjarModel
import Testing

@testable import NightjarCore

extension Bench {
  /// Lets time pass until an app is launched; nil if that takes longer than a span.
  fileprivate mutating func passUntilLaunch(within span: Duration) -> LaunchOrder? {
    var waited = Duration.zero
    while waited < span {
      if let order = pass(.seconds(1)).launches.first { return order }
      waited += .seconds(1)
    }
    return nil
  }

  /// An app that was launched to be told does so: it opens its session, acknowledges, queues another task, and goes.
  fileprivate mutating func beTold(life: Int, acknowledging number: Int64, queueing next: UInt64) {
    let client = attachInBackground(life: life, connection: UInt64(1000 + life))
    ask(.openSession("main", sendsLaunchEvents: true), as: client)
    ask(.enqueue(.made(next), isSuspended: false), as: client)
    ask(.acknowledge([number]), as: client)
    ask(.finishEvents("main"), as: client)
    send(.detached(client.connection), .app(farm, life: life, .exited(status: "exited 0", isCrash: false)))
  }
}

@Suite struct `An app with too much in the staging area` {
  private static var narrow: Limits {
    var limits = Limits()
    (limits.stagedBytesPerAppMax, limits.runningPerHostMax) = (20, 1)
    return limits
  }

  @Test func `begins no new download until it has collected some, and is told why`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    for number in 1...4 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }

    bench.finish(1)
    let second = bench.deeds.starts
    bench.finish(2)
    let third = bench.deeds.starts
    let verdict = bench.view(TransferID(3))?.verdict
    bench.ask(.acknowledge([1]), as: client)

    #expect(second.map(\.id) == [TransferID(2)])
    #expect(third.isEmpty)
    #expect(verdict == .waits(.stagedBytes(20, limit: 20), atMost: nil))
    #expect(bench.deeds.starts.map(\.id) == [TransferID(3)])
  }

  @Test func `has the answers to its uploads there, too, until it has collected them`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    for number in 1...2 as ClosedRange<UInt64> {
      var upload = TransferRequest.made(number)
      upload.direction = .upload(path: "/up", stamp: FileStamp(size: 5, modified: 1, inode: 1))
      bench.ask(.enqueue(upload, isSuspended: false), as: client)
      bench.finish(Int64(number))
    }

    bench.ask(.enqueue(.made(3), isSuspended: false), as: client)
    let held = bench.deeds.starts
    let staged = bench.supervisor.transfers.stagedBytes(of: farm)
    bench.ask(.acknowledge([1]), as: client)

    #expect(held.isEmpty && staged == 20)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(3)])
  }

  @Test func `begins the next download in the turn in which what nobody collected has gone`() {
    var limits = Self.narrow
    limits.keptFor = .seconds(100)
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...2 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }
    bench.finish(1)
    bench.pass(.seconds(1))
    bench.finish(2)
    bench.ask(.enqueue(.made(3), isSuspended: false), as: client)

    let starts = bench.pass(bench.limits.keptFor - .seconds(1)).starts

    #expect(starts.map(\.id) == [TransferID(3)])
  }

  @Test func `goes on with what it has begun, so that nothing waits for ever`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let point = ResumePoint(offset: 30, validator: .entityTag("\"a\""), length: 100)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))

    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    let held = bench.deeds.starts
    let begunAgain = bench.pass(.seconds(2)).starts

    #expect(held.isEmpty)
    #expect(begunAgain.map(\.id) == [TransferID(1)])
  }

  @Test func `holds up no other app, and none of its uploads`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 1, expected: 1000)))
    var upload = TransferRequest.made(2, host: "b.example")
    upload.direction = .upload(path: "/up", stamp: FileStamp(size: 5, modified: 1, inode: 1))

    bench.ask(.enqueue(.made(3, host: "c.example"), isSuspended: false), as: client)
    let fresh = bench.deeds.starts
    bench.ask(.enqueue(upload, isSuspended: false), as: client)
    let ofUpload = bench.deeds.starts
    bench.order(.enqueue(.made(4, app: .commandLine, session: nil, host: "d.example")))

    #expect(fresh.isEmpty)
    #expect(ofUpload.count == 1)
    #expect(bench.deeds.starts.count == 1)
  }

  @Test func `is never the command line for files that the daemon delivers by itself`() {
    var bench = Bench(limits: Self.narrow)
    bench.queue(1, to: "/home/large")
    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 1, expected: 1000)))
    let staged = bench.supervisor.transfers.stagedBytes(of: .commandLine)

    var request = TransferRequest.made(2, app: .commandLine, session: nil, host: "b.example")
    request.destination = Destination(path: "/home/small")
    bench.order(.enqueue(request))

    #expect(staged == 0)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `is launched to collect before the rest of its session has ended`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    for number in 1...3 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.finish(1)
    let early = bench.deeds.launches
    bench.finish(2)

    #expect(early.isEmpty)
    #expect(bench.deeds.launches.count == 1)
  }

  @Test func `is held again after a restart`() {
    var (bench, client) = Bench.withRunningApp(limits: Self.narrow)
    for number in 1...3 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }
    bench.finish(1)
    bench.finish(2)

    bench.restart()

    #expect(bench.deeds.starts.isEmpty)
  }
}

@Suite struct `The budget of launches` {
  @Test func `never delays an app that queues the next download whenever it is told of one`() {
    var bench = Bench.withTasksOfEndedApp()
    var delays: [Int] = []

    for round in 1...400 as ClosedRange<Int64> {
      bench.finish(round)
      guard let order = bench.deeds.launches.first else {
        delays.append(Int(round))
        break
      }
      bench.beTold(life: order.life, acknowledging: round, queueing: UInt64(round + 1))
      bench.pass(.seconds(1))
    }

    #expect(delays.isEmpty)
  }

  @Test func `makes an app wait that was launched too often, for a while and not in silence`() {
    var limits = Limits()
    limits.launchesPerAppMax = 3
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    for round in 1...3 as ClosedRange<Int64> {
      bench.finish(round)
      bench.beTold(life: Int(round) + 1, acknowledging: round, queueing: UInt64(round + 1))
    }

    bench.finish(4)
    let atOnce = bench.deeds.launches
    let verdict = bench.view(TransferID(4))?.verdict
    bench.restart()
    let restarted = bench.deeds.launches
    let later = bench.passUntilLaunch(within: .seconds(20))

    #expect(atOnce.isEmpty && restarted.isEmpty)
    #expect(verdict == .waits(.launchBudget(max: 3), atMost: .seconds(15)))
    #expect(later?.life == 5)
  }

  @Test func `is whole again over a restart, too, though the app has yet to end before it is launched`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    _ = bench.attachInBackground(life: 2, connection: 2)
    bench.order(.terminate(farm))
    let before = bench.rows.memory.apps.map(\.paidUntil)

    bench.order(.launch(farm, arguments: []))

    #expect(before != [nil])
    #expect(bench.rows.memory.apps.map(\.paidUntil) == [nil])
  }

  @Test func `is whole again once a person has launched the app`() {
    var limits = Limits()
    limits.launchesPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    bench.beTold(life: 2, acknowledging: 1, queueing: 2)

    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 3, .launched(pid: 9)), .app(farm, life: 3, .exited(status: "exited 0", isCrash: false)))
    bench.finish(2)

    #expect(bench.deeds.launches.map(\.isBackground) == [true])
  }
}

@Suite struct `A session that its app never opens` {
  @Test func `is parked after three launches, whatever waits for it, until a person launches the app`() {
    var bench = Bench.withTasksOfEndedApp(5)
    for number in 1...5 as ClosedRange<Int64> { bench.finish(number) }
    var order = bench.deeds.launches.first
    var lives = 0

    while let life = order?.life, lives < 10 {
      lives += 1
      let client = bench.attachInBackground(life: life, connection: UInt64(life))
      bench.pass(.seconds(31))
      bench.send(.detached(client.connection), .app(farm, life: life, .exited(status: "was killed", isCrash: false)))
      order = bench.passUntilLaunch(within: .minutes(5))
    }
    let verdicts = (1...5 as ClosedRange<Int64>).map { bench.view(TransferID($0))?.verdict }
    bench.order(.launch(farm, arguments: []))

    #expect(lives == 3)
    #expect(verdicts.allSatisfy { $0 == .waits(.unopened(session: "main", launches: 3), atMost: nil) })
    #expect(bench.rows.memory.sessions.map(\.unopened) == [0])
  }
}

@Suite struct `A session that its app leaves out` {
  @Test func `is parked after three lives that called its completion handler and left their end to the daemon`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    var order = bench.deeds.launches.first
    var (lives, ends) = (0, [Bool]())

    while let life = order?.life, lives < 10 {
      lives += 1
      let client = bench.attachInBackground(life: life, connection: UInt64(life))
      bench.ask(.finishEvents("main"), as: client)
      ends += bench.deeds.ends
      bench.send(.detached(client.connection), .app(farm, life: life, .exited(status: "exited 0", isCrash: false)))
      order = bench.passUntilLaunch(within: .minutes(5))
    }

    #expect(lives == 3 && ends == [true, true, true])
    #expect(bench.view(TransferID(1))?.verdict == .waits(.unopened(session: "main", launches: 3), atMost: nil))
  }

  @Test func `is parked after three lives that ended well and acknowledged what they had queued in another`() {
    var bench = Bench.withTasksOfEndedApp(1)
    bench.finish(1)
    var order = bench.deeds.launches.first
    var lives: Int64 = 0

    while let life = order?.life, lives < 10 {
      lives += 1
      let client = bench.attachInBackground(life: life, connection: UInt64(life))
      bench.ask(.openSession("other", sendsLaunchEvents: true), as: client)
      bench.ask(.enqueue(.made(UInt64(1 + lives), session: "other"), isSuspended: false), as: client)
      bench.finish(1 + lives)
      bench.ask(.acknowledge([1 + lives]), as: client)
      bench.send(.detached(client.connection), .app(farm, life: life, .exited(status: "exited 0", isCrash: false)))
      order = bench.deeds.launches.first ?? bench.passUntilLaunch(within: .minutes(5))
    }

    #expect(lives == 3)
    #expect(bench.view(TransferID(1))?.verdict == .waits(.unopened(session: "main", launches: 3), atMost: nil))
  }
}

@Suite struct `What nobody collects` {
  @Test func `is kept for thirty days, says until when, and is then removed with its file`() {
    var bench = Bench.withTasksOfEndedApp(1, sendsLaunchEvents: false)
    bench.finish(1)

    bench.pass(.days(29))
    let view = bench.view(TransferID(1))
    let done = bench.pass(.days(2))

    #expect(view?.verdict == .waits(.nextLaunch, atMost: nil))
    #expect(view?.keptFor == .days(1))
    #expect(done.contains(.discard(TransferID(1))))
    #expect(bench.view(TransferID(1)) == nil)
    #expect(bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }
}

@Suite struct `A download with a destination` {
  @Test func `counts no attempt for its delivery`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")

    bench.finish(1)
    let delivery = bench.deeds.deliveries.first
    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))

    #expect(delivery?.attempt == 1)
    #expect(bench.view(TransferID(1))?.attempts == 1)
    #expect(bench.view(TransferID(1))?.state == .succeeded)
  }
}
