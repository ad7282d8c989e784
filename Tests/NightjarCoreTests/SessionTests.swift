import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A session` {
  @Test func `beyond an app's limit, and a program beyond the daemon's, are refused`() {
    var limits = Limits()
    (limits.sessionsPerAppMax, limits.appsMax) = (1, 1)
    var (bench, client) = Bench.withRunningApp(limits: limits)

    let session = bench.ask(.openSession("second", sendsLaunchEvents: true), as: client)
    let again = bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let program = bench.attach(Client(tool, connection: 2, relaunch: []))

    #expect(session == .refused(.limitReached(what: "sessions of one app", limit: 1)))
    #expect(again == .session(nextTask: 1, taskCount: 0))
    #expect(program == .refused(.limitReached(what: "apps and programs", limit: 1)))
  }

  @Test func `whose row made no sense is made anew from its tasks, whose numbers are not given out again`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(3), isSuspended: false), as: client)
    bench.rows.memory.sessions = []
    bench.restart()
    bench.finish(1, attempt: 2)
    let launched = bench.deeds.launches.count

    let app = bench.attachInBackground(life: 2, connection: 3)
    let opened = bench.ask(.openSession("main", sendsLaunchEvents: true), as: app)

    #expect(launched == 1)
    #expect(opened == .session(nextTask: 4, taskCount: 1))
  }

  @Test func `that is neither open nor has tasks goes where its app wants another one`() {
    var limits = Limits()
    limits.sessionsPerAppMax = 2
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.enqueue(.made(1), isSuspended: true), as: client)
    bench.send(.detached(client.connection))
    bench.attach(client)

    let answers = (1...5).map { number -> Answer? in
      let answer = bench.ask(.openSession("run \(number)", sendsLaunchEvents: true), as: client)
      bench.send(.detached(client.connection))
      bench.attach(client)
      return answer
    }

    #expect(answers.allSatisfy { $0 == .session(nextTask: 1, taskCount: 0) })
    #expect(bench.rows.memory.sessions.map(\.id.identifier).sorted() == ["main", "run 5"])
  }

  @Test func `that another live process holds is refused`() {
    var bench = Bench()
    let (first, second) = (
      Client(tool, pid: 1, connection: 1, relaunch: []), Client(tool, pid: 2, connection: 2, relaunch: [])
    )
    bench.attach(first)
    bench.attach(second)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: first)

    let refused = bench.ask(.openSession("main", sendsLaunchEvents: true), as: second)
    let strange = bench.ask(.cancel("main", task: 1), as: second)
    bench.send(.detached(first.connection))
    let granted = bench.ask(.openSession("main", sendsLaunchEvents: true), as: second)

    #expect(refused == .refused(.sessionInUse("main", pid: 1)))
    #expect(strange == .refused(.sessionInUse("main", pid: 1)))
    #expect(granted == .session(nextTask: 1, taskCount: 0))
  }

  @Test func `opened again on a new connection of the same process is told from the first event`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)

    client.connection = ConnectionID(2)
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let told = bench.deeds.tasksTold
    bench.send(.detached(ConnectionID(1)))
    bench.ask(.cancel("main", task: 1), as: client)

    #expect(told == [1])
    #expect(bench.deeds.count == 1)
  }

  @Test func `goes on with the task identifiers over lives and crashes`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1, task: 9), isSuspended: false), as: client)
    bench.finish(1)
    bench.ask(.acknowledge([1]), as: client)

    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)

    #expect(
      bench.ask(.openSession("main", sendsLaunchEvents: true), as: client) == .session(nextTask: 10, taskCount: 0))
  }

  @Test func `needs an attachment and a name`() {
    var bench = Bench()
    let client = Client(tool, relaunch: [])

    let stranger = bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.attach(client)
    let unnamed = bench.ask(.openSession("", sendsLaunchEvents: true), as: client)

    #expect(stranger == .refused(.notAttached(tool)))
    #expect(unnamed == .refused(.invalid(field: "session", reason: "an identifier has 1 to 512 bytes")))
  }

  @Test func `with tasks is closed only if they are to be cancelled`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    let refused = bench.ask(.closeSession("main", cancel: false), as: client)
    let closed = bench.ask(.closeSession("main", cancel: true), as: client)

    #expect(refused == .refused(.sessionHasTasks("main", count: 1)))
    #expect(closed == .done)
    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.transfers.isEmpty && bench.rows.memory.sessions.isEmpty)
    #expect(bench.ask(.cancel("main", task: 1), as: client) == .refused(.sessionNotOpen("main")))
  }

  @Test func `lists its tasks page by page`() {
    var limits = Limits()
    limits.listMax = 2
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...3 { bench.ask(.enqueue(.made(UInt64(number)), isSuspended: true), as: client) }

    guard case .transfers(let first, isComplete: false)? = bench.ask(.listTasks("main", after: 0), as: client),
      case .transfers(let rest, isComplete: true)? = bench.ask(.listTasks("main", after: 2), as: client)
    else { return #expect(bench.deeds.isEmpty) }

    #expect(first.map(\.request.task) == [1, 2])
    #expect(rest.map(\.request.task) == [3])
    #expect(rest.map(\.state) == [.suspended])
  }

  @Test func `lists no more of its tasks at a time than a message has room for`() {
    let limits = Limits()
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...40 {
      var request = TransferRequest.made(UInt64(number))
      request.label = String(repeating: "x", count: 60 << 10)
      bench.ask(.enqueue(request, isSuspended: true), as: client)
    }

    var (pages, listed) = ([[TransferView]](), [Int]())
    while case .transfers(let page, let isComplete)? = bench.ask(
      .listTasks("main", after: listed.last ?? 0), as: client)
    {
      pages.append(page)
      listed += page.map(\.request.task)
      if isComplete || page.isEmpty { break }
    }

    #expect(listed == Array(1...40))
    #expect(
      pages.allSatisfy { page in page.reduce(0) { $0 + $1.request.label.utf8.count } < limits.listTextMax + (61 << 10) }
    )
  }

  @Test func `forgets an event once, when it is acknowledged`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)

    let first = bench.ask(.acknowledge([1]), as: client)
    let forgotten = bench.rows.memory
    let second = bench.ask(.acknowledge([1, 1, 77]), as: client)

    #expect(first == .done && second == .done)
    #expect(forgotten.transfers.isEmpty && forgotten.wakes.isEmpty)
    #expect(bench.deeds.count == 1)
  }

  @Test func `takes no acknowledgement of another app's event`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.finish(1)
    let stranger = Client(tool, pid: 9, connection: 9, relaunch: [])
    bench.attach(stranger)

    bench.ask(.acknowledge([1]), as: stranger)

    #expect(bench.rows.memory.wakes.count == 1)
  }
}
