import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A transfer` {
  @Test(arguments: [false, true])
  func `of a person has no resource timeout, and keeps its bytes until it is ended`(isPaused: Bool) {
    var bench = Bench()
    bench.queue(1, to: "/home/film.mp4")
    let point = ResumePoint(offset: 5, validator: .entityTag("\"a\""), length: 10)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    if isPaused { bench.order(.pause(TransferID(1))) } else { bench.send(.sensed(Conditions(isOnline: false))) }
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))

    let done = bench.pass(.days(100))

    #expect(bench.view(TransferID(1))?.failure == nil)
    #expect(!done.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.transfers.map(\.state.resume) == [point])
    if isPaused { #expect(bench.view(TransferID(1))?.verdict == .waits(.suspended, atMost: nil)) }
  }

  @Test(arguments: [(nil, 31), ("main", 8)] as [(String?, Int)])
  func `is not ended by a busy server, unless an app is to have its answer at last`(session: String?, times: Int) {
    var (bench, client) = Bench.withRunningApp()
    if session == nil { bench.queue(1) } else { bench.ask(.enqueue(.made(1), isSuspended: false), as: client) }
    var orders = bench.deeds.starts

    for attempt in 1...30 {
      let busy = TransferFact.failed(TransferFailure(.serverBusy, "a.example answered 503"), retryAfter: nil)
      bench.send(.transfer(TransferID(1), attempt: attempt, busy))
      guard case .waits(.backOff, let wait?) = bench.view(TransferID(1))?.verdict else { break }
      orders += bench.pass(wait).starts
    }

    #expect(orders.map(\.attempt) == Array(1...31))
    #expect(orders.prefix(while: \.retriesServerErrors).count == times)
    #expect(orders.prefix(while: \.asksForOffset).count == bench.limits.serverErrorsMax)
  }

  @Test func `of a session has Apple's seven days unless its app says otherwise`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: true), as: client)

    bench.pass(.days(7) - .seconds(1))
    let early = bench.failure(1)
    bench.pass(.seconds(2))

    #expect(early == nil)
    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test func `of which nothing is heard is stopped and begun again`() {
    var bench = Bench()
    bench.queue(1)

    let early = bench.pass(.seconds(119))
    let late = bench.pass(.seconds(2))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))

    #expect(early.starts.isEmpty)
    #expect(late.first == .stop(TransferID(1), attempt: 1))
    #expect(late.starts.isEmpty)
    #expect(bench.deeds.starts.map(\.attempt) == [2])
  }

  @Test func `of which nothing is heard, not even that it has stopped, is begun again`() {
    var bench = Bench()
    bench.queue(1)

    let done = bench.pass(.seconds(121) + bench.limits.answerTimeout)

    #expect(done.starts.map(\.attempt) == [2])
  }

  @Test func `that has ended while nobody listened is not sent again`() {
    var bench = Bench()
    bench.queue(1)
    bench.queue(2)

    // The database could not be written for three minutes. Then what has happened is heard, one after the other.
    bench.boot += .minutes(3)
    let first = bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 1, expected: nil)))
    let second = bench.send(.transfer(TransferID(2), attempt: 1, .finished(ok, oneFile)))

    #expect(first.starts.isEmpty && second.starts.isEmpty)
    #expect(bench.view(TransferID(2))?.state == .succeeded)
    #expect(bench.view(TransferID(2))?.attempts == 1)
  }

  @Test func `of which a server announces more than there can be counts no more than that`() {
    var (bench, client) = Bench.withRunningApp()
    for number in 1...3 as ClosedRange<UInt64> {
      bench.ask(.enqueue(.made(number), isSuspended: false), as: client)
      let fact = TransferFact.progressed(count: 1, expected: number == 1 ? 1 : .max)
      bench.send(.transfer(TransferID(Int64(number)), attempt: 1, fact))
    }
    for number in 1...3 { bench.ask(.cancel("main", task: number), as: client) }
    for number in 1...3 { bench.send(.transfer(TransferID(Int64(number)), attempt: 1, .stopped)) }

    #expect(bench.supervisor.transfers.stagedBytes(of: farm) == 0)
  }

  @Test func `of which something is heard is left alone`() {
    var bench = Bench()
    bench.queue(1)

    var done: [Deed] = []
    for second in 1...10 {
      done += bench.pass(.seconds(100))
      done += bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: Int64(second), expected: nil)))
    }

    #expect(done.isEmpty)
  }

  @Test func `goes on where its bytes are safe, after a crash of the daemon too`() {
    var bench = Bench()
    bench.queue(1)
    let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))

    bench.restart()

    #expect(bench.deeds.starts.map(\.attempt) == [2])
    #expect(bench.deeds.starts.map(\.resume) == [point])
  }

  @Test func `that failed for want of a network goes on as soon as there is one`() {
    var bench = Bench()
    bench.queue(1)
    bench.send(.sensed(Conditions(isOnline: false)))
    for attempt in 1...3 {
      bench.send(
        .transfer(TransferID(1), attempt: attempt, .failed(TransferFailure(.notConnected, ""), retryAfter: nil)))
      if attempt < 3 {
        bench.send(.sensed(Conditions(isOnline: true)))
        bench.send(.sensed(Conditions(isOnline: false)))
      }
    }

    let offline = bench.pass(.hours(1))
    bench.send(.sensed(Conditions(isOnline: true)))

    #expect(offline.starts.isEmpty)
    #expect(bench.deeds.starts.map(\.attempt) == [4])
  }

  @Test func `paused gives up its place, and resumed while it stops begins once it has stopped`() {
    var bench = Bench()
    bench.queue(1)

    bench.order(.pause(TransferID(1)))
    let stopped = bench.deeds
    bench.order(.resume(TransferID(1)))
    let early = bench.deeds.starts
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))

    #expect(stopped.contains(.stop(TransferID(1), attempt: 1)))
    #expect(early.isEmpty)
    #expect(bench.deeds.starts.map(\.attempt) == [2])
  }

  @Test func `that was never stopped as ordered is begun anew after a while`() {
    var bench = Bench()
    bench.queue(1)
    bench.order(.pause(TransferID(1)))
    bench.order(.resume(TransferID(1)))

    let done = bench.pass(.minutes(11))

    #expect(done.starts.first?.attempt == 2)
  }

  @Test func `resumed after it has ended stays as it is, and is told once`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: true), as: client)
    bench.ask(.cancel("main", task: 1), as: client)

    bench.ask(.resume("main", task: 1), as: client)

    #expect(bench.deeds.tasksTold == [])
    #expect(bench.rows.memory.wakes.map(\.number) == [1])
  }

  @Test func `cancelled is told as such, and its bytes go`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.ask(.cancel("main", task: 1), as: client)

    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.failure(1) == .cancelled)
  }

  @Test func `that has ended shows the count it ended with, whatever is said late`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)

    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 3, expected: 99)))

    #expect(bench.view(TransferID(1))?.count == oneFile.stamp.size)
  }

  @Test func `whose file is damaged is downloaded again before it is told again`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)

    bench.ask(.reportDamage(1), as: client)
    let again = bench.pass(.minutes(1))
    bench.finish(1, attempt: 2)

    #expect(again.starts.map(\.attempt) == [2])
    #expect(again.starts.map(\.resume) == [nil])
    #expect(again.tasksTold == [])
    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.rows.memory.wakes.map(\.number) == [2])
  }

  @Test func `whose file is found damaged long after it came in time is downloaded again`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.detached(client.connection))
    bench.finish(1)
    bench.pass(.days(8))
    let again = Client(farm, pid: client.pid, connection: 9)
    bench.attach(again)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: again)

    bench.ask(.reportDamage(1), as: again)
    let done = bench.pass(.minutes(1))

    #expect(done.starts.map(\.attempt) == [2])
    #expect(bench.failure(1) == nil)
  }

  @Test func `whose file is damaged each time fails in the end`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    var pauses: [Bool] = []
    for attempt in 1...bench.limits.doubtfulFailuresMax + 1 {
      bench.finish(1, attempt: attempt)
      bench.ask(.reportDamage(Int64(attempt)), as: client)
      pauses.append(bench.deeds.starts.isEmpty)
      bench.order(.resume(TransferID(1)))  // Nobody waits for the pause to be over.
    }

    #expect(pauses.allSatisfy { $0 })
    #expect(bench.failure(1) == .cannotReadSource)
    #expect(bench.view(TransferID(1))?.attempts == bench.limits.doubtfulFailuresMax + 1)
  }

  @Test func `counts what the last attempt moved, not what an earlier one did`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 5_000, expected: nil)))

    bench.finish(1)
    let download = bench.view(TransferID(1))?.count
    var upload = TransferRequest.made(2)
    upload.direction = .upload(path: "/movie", stamp: FileStamp(size: 77, modified: 1, inode: 1))
    bench.ask(.enqueue(upload, isSuspended: false), as: client)
    bench.finish(2)
    bench.restart()

    #expect(download == oneFile.stamp.size)
    #expect(bench.view(TransferID(1))?.count == oneFile.stamp.size)
    #expect(bench.view(TransferID(2))?.count == 77)
  }

  @Test func `counts of an upload what has left, though the answer came first`() {
    var (bench, client) = Bench.withRunningApp()
    var upload = TransferRequest.made(1)
    upload.direction = .upload(path: "/movie", stamp: FileStamp(size: 77, modified: 1, inode: 1))
    bench.ask(.enqueue(upload, isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 50, expected: 77)))

    bench.finish(1)

    #expect(bench.view(TransferID(1))?.count == 50)
    #expect(bench.view(TransferID(1))?.expected == 77)
  }

  @Test func `whose upload's reply is damaged has failed`() {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.made(1)
    request.direction = .upload(path: "/movie", stamp: oneFile.stamp)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.finish(1)

    bench.ask(.reportDamage(1), as: client)

    #expect(bench.deeds.starts.isEmpty)
    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.failure(1) == .cannotWrite)
  }

  @Test func `that nobody collects is kept for thirty days and then removed`() {
    var bench = Bench.withTasksOfEndedApp(sendsLaunchEvents: false)
    bench.finish(1)

    bench.pass(.days(29))
    let kept = bench.rows.memory.transfers.count
    let done = bench.pass(.days(2))

    #expect(kept == 1)
    #expect(done.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }

  @Test func `is no more than so many at one time`() {
    var limits = Limits()
    limits.runningMax = 4
    var (bench, client) = Bench.withRunningApp(limits: limits)

    for number in 1...5 as ClosedRange<UInt64> { bench.queue(number) }
    let verdict = bench.view(TransferID(5))?.verdict
    for number in 6...7 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }

    #expect(bench.rows.memory.transfers.filter { $0.state.phase == .running }.map(\.id.rawValue) == [1, 2, 3, 6])
    #expect(verdict == .waits(.appBusy(count: 3), atMost: nil))
    #expect(bench.view(TransferID(7))?.verdict == .waits(.allBusy(limit: 4), atMost: nil))
  }

  @Test func `leaves a place of a busy host to another app that waits for it, and says so`() {
    var limits = Limits()
    limits.runningPerHostMax = 4
    var (bench, client) = Bench.withRunningApp(limits: limits)
    var picky = TransferRequest.made(1)
    picky.options.allowsCellular = false
    bench.send(.sensed(Conditions(network: .cellular)))

    bench.ask(.enqueue(picky, isSuspended: false), as: client)
    for number in 2...5 as ClosedRange<UInt64> { bench.queue(number) }

    #expect(bench.rows.memory.transfers.filter { $0.state.phase == .running }.map(\.id.rawValue) == [2, 3, 4])
    #expect(bench.view(TransferID(5))?.verdict == .waits(.hostShared(host: "a.example", count: 3), atMost: nil))
  }
}
