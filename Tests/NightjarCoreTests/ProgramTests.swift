import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A program` {
  private let client = Client(tool, pid: 1, connection: 1, relaunch: ["tool", "--again"])

  /// A person has started it, and it has queued a task.
  private func benchWithTask() -> Bench {
    var bench = Bench()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1, app: tool), isSuspended: false), as: client)
    return bench
  }

  private func benchWithFinishedTask() -> Bench {
    var bench = benchWithTask()
    bench.send(.detached(client.connection))
    bench.finish(1)
    return bench
  }

  /// It has crashed three times over what it was told.
  private func benchWithParkedTask() -> Bench {
    var bench = benchWithFinishedTask()
    for life in 1...3 {
      let relaunched = bench.run(client, life: life)
      bench.send(.app(tool, life: life, .exited(status: "was killed by signal 11", isCrash: true)))
      bench.send(.detached(relaunched.connection))
      bench.pass(.hours(1))
    }
    return bench
  }

  @Test func `is relaunched by its own command when there is something to tell`() {
    let bench = benchWithFinishedTask()

    #expect(bench.deeds.launches.map(\.app.kind) == [.program(relaunch: ["tool", "--again"])])
  }

  @Test func `has a command of a bounded length`() {
    var bench = Bench()
    let longest = ["tool", String(repeating: "x", count: (64 << 10) - 6)]

    let tooLong = bench.attach(Client(tool, pid: 1, connection: 1, relaunch: [longest[0], longest[1] + "x"]))
    let tooMany = bench.attach(Client(tool, pid: 1, connection: 1, relaunch: Array(repeating: "", count: 65_537)))
    let exact = bench.attach(Client(tool, pid: 1, connection: 1, relaunch: longest))

    let refusal = Answer.refused(.invalid(field: "relaunch", reason: "a command has at most 65536 bytes in all"))
    #expect([tooLong, tooMany] == [refusal, refusal])
    #expect(bench.rows.memory.apps.map(\.installed.kind) == [.program(relaunch: longest)])
    guard case .attached? = exact else { return #expect(Bool(false), "\(String(describing: exact))") }
  }

  @Test(arguments: [false, true])
  func `whose row was lost is told of its tasks once it registers again`(losesWakes: Bool) {
    var bench = benchWithFinishedTask()
    bench.rows.memory.apps = []  // Its row could not be read.
    if losesWakes { bench.rows.memory.wakes = [] }

    bench.restart()
    let again = Client(tool, pid: 2, connection: 2, relaunch: ["tool", "--again"])
    bench.attach(again)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: again)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.rows.memory.wakes.map(\.number) == [losesWakes ? 2 : 1])
  }

  @Test func `that does not run and has no transfers goes with its logs where there are too many`() {
    var bench = benchWithFinishedTask()
    bench.limits.appsMax = 3
    bench.restart()
    bench.attach(Client(AppID("attached"), pid: 2, connection: 2, relaunch: []))

    var removed: [AppID] = []
    let answers = (3...6).map { number -> Answer? in
      let run = Client(AppID("run\(number)"), pid: Int32(number), connection: UInt64(number), relaunch: [])
      let answer = bench.attach(run)
      removed += bench.deeds.compactMap { if case .uninstall(let id) = $0 { id } else { nil } }
      bench.send(.detached(run.connection))
      return answer
    }

    #expect(answers.allSatisfy { if case .attached? = $0 { true } else { false } })
    #expect(bench.rows.memory.apps.map(\.installed.id.rawValue).sorted() == ["attached", "run6", "tool"])
    #expect(removed.map(\.rawValue) == ["run3", "run4", "run5"])
  }

  @Test func `is not relaunched while it is attached`() {
    var bench = benchWithTask()

    bench.finish(1)

    #expect(bench.deeds.launches.isEmpty)
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `whose command ends after it has handed over stays attached`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))
    let worker = Client(tool, pid: 51, connection: 2, relaunch: client.relaunch)
    bench.attach(worker)

    bench.send(.app(tool, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: worker)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.deeds.launches.isEmpty)
  }

  @Test func `whose launch fails while a person's own process is attached is launched again when that has left`() {
    var bench = benchWithFinishedTask()
    let own = Client(tool, pid: 51, connection: 2, relaunch: client.relaunch)
    bench.attach(own)

    bench.send(.app(tool, life: 1, .launchFailed(LaunchFailure(.refused, "the disk is gone"))))
    let done = bench.send(.detached(own.connection)) + bench.pass(.hours(1))

    #expect(done.launches.first?.life == 2)
  }

  @Test func `is never ended, however long it takes`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))
    bench.attach(Client(tool, pid: 50, connection: 2, relaunch: client.relaunch))

    let done = bench.pass(.hours(2))

    #expect(done.ends == [])
    #expect(bench.order(.terminate(tool)) == .refused(.notABundle(tool)))
  }

  @Test func `that was started and never attaches is not called attached, and its history says so`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))

    let done = bench.pass(.hours(2))
    let (state, verdicts) = (bench.view(tool)?.state, [bench.view(tool)?.verdict, bench.view(TransferID(1))?.verdict])
    let entries = bench.supervisor.apps[tool]?.history.entries.filter { $0.kind == .delayed } ?? []
    let late = Client(tool, pid: 50, connection: 2, relaunch: client.relaunch)
    bench.attach(late)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: late)

    #expect(done.ends == [] && state == .launching)
    #expect(verdicts == [.waits(.unattached(pid: 50), atMost: nil), .waits(.unattached(pid: 50), atMost: nil)])
    #expect(entries.map(\.sentence) == ["has not attached within 30 s of its start; its events wait for that"])
    #expect(bench.deeds.tasksTold == [1] && bench.view(tool)?.state == .attached)
    #expect(bench.view(tool)?.verdict == .waits(.telling, atMost: nil))
  }

  @Test func `is told what was parked when a person starts it`() {
    var bench = benchWithParkedTask()
    #expect(bench.deeds.launches.isEmpty)

    let started = Client(tool, pid: 99, connection: 20, relaunch: client.relaunch)
    bench.attach(started)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: started)

    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `is told what was parked when a person starts it beside the process that was launched`() {
    var bench = benchWithParkedTask()
    bench.send(.adopted(tool, life: 3, pid: 60, isFrozen: false))
    let launched = Client(tool, pid: 60, connection: 20, relaunch: client.relaunch)
    bench.attach(launched)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: launched)
    let withoutPerson = bench.deeds.tasksTold

    bench.attach(Client(tool, pid: 99, connection: 21, relaunch: client.relaunch))

    #expect(withoutPerson == [])
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `that a person has started is not launched beside itself when the daemon starts anew`() {
    var bench = benchWithTask()

    bench.restart()
    var done = bench.send(.transfer(TransferID(1), attempt: 2, .finished(ok, oneFile)))
    let verdicts = [bench.view(tool)?.verdict, bench.view(TransferID(1))?.verdict]
    done += bench.pass(.seconds(2))
    bench.attach(Client(tool, pid: client.pid, connection: 2, relaunch: client.relaunch))
    done += bench.pass(.minutes(1))

    #expect(done.launches.isEmpty)
    let isAwaited = Verdict.waits(.unattached(pid: nil), atMost: .seconds(5))
    #expect(verdicts == [isAwaited, isAwaited])
  }

  @Test func `that does not come back after a start of the daemon is launched, and at once if it came and left`() {
    var bench = benchWithTask()
    bench.restart()
    bench.finish(1, attempt: 2)
    var visited = bench

    let (early, late) = (bench.pass(.milliseconds(4999)), bench.pass(.milliseconds(1)))
    let visitor = Client(tool, pid: client.pid, connection: 2, relaunch: client.relaunch)
    visited.attach(visitor)
    visited.send(.detached(visitor.connection))

    #expect(early.launches.isEmpty && late.launches.count == 1)
    #expect(visited.deeds.launches.count == 1)
  }

  @Test func `has its time to come back though the device falls asleep`() {
    var bench = benchWithTask()
    bench.restart()
    bench.finish(1, attempt: 2)

    bench.sleep(.hours(1))
    let early = bench.deeds + bench.pass(.milliseconds(4999))
    let late = bench.pass(.milliseconds(1))

    #expect(early.launches.isEmpty)
    #expect(late.launches.count == 1)
  }

  @Test func `is told what waits though it stood still when the daemon started anew`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))
    bench.restart(thenFinding: [.adopted(tool, life: 1, pid: 50, isFrozen: true)])

    let launched = Client(tool, pid: 50, connection: 20, relaunch: client.relaunch)
    bench.attach(launched)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: launched)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.deeds.ends == [])
  }

  @Test func `is removed at once, with what is its`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))

    let answer = bench.order(.uninstall(tool))

    #expect(answer == .done)
    #expect(bench.deeds.contains(.uninstall(tool)) && bench.rows.memory.departed.isEmpty)
    #expect(bench.deeds.ends == [])
    #expect(bench.rows.memory.apps.isEmpty && bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }

  @Test(arguments: ["", "../etc", ".hidden", "a b", "dev.nightjar.cli", "7"])
  func `needs a name that can be used`(name: String) {
    var bench = Bench()

    guard case .refused(.nameRefused(name, _))? = bench.attach(Client(AppID(name), relaunch: [])) else {
      return #expect(bench.deeds.isEmpty)
    }
  }

  @Test func `needs a command that can be run as it is`() {
    var bench = Bench()

    let answer = bench.attach(Client(tool, relaunch: ["tool", "--a\0b"]))

    #expect(answer == .refused(.invalid(field: "relaunch", reason: "no part of a command has a NUL in it")))
    #expect(bench.rows.memory.apps.isEmpty)
  }

  @Test func `cannot attach over another program's connection, which keeps the name that it has`() {
    var bench = Bench()
    bench.attach(client)
    let second = AppID("second")

    let answer = bench.attach(Client(second, pid: client.pid, connection: 1, relaunch: []))
    bench.send(.detached(client.connection))

    #expect(answer == .refused(.nameRefused("second", reason: "this connection is attached as tool already")))
    #expect(bench.view(second) == nil && bench.rows.memory.apps.map(\.installed.id) == [tool])
    #expect(bench.supervisor.apps[tool]?.attachments.isEmpty == true)
  }

  @Test func `cannot take an installed app's name`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    guard case .refused(.nameRefused)? = bench.attach(Client(farm, relaunch: [])) else {
      return #expect(bench.deeds.isEmpty)
    }
  }
}

extension Bench {
  /// A program's relaunched process runs, attaches and opens its session.
  @discardableResult
  fileprivate mutating func run(_ client: Client, life: Int) -> Client {
    let relaunched = Client(tool, pid: Int32(50 + life), connection: UInt64(10 + life), relaunch: client.relaunch)
    send(.app(tool, life: life, .launched(pid: relaunched.pid)))
    attach(relaunched)
    ask(.openSession("main", sendsLaunchEvents: true), as: relaunched)
    return relaunched
  }
}
