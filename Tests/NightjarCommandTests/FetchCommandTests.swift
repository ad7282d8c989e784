import NightjarCommand
import NightjarWire
import Testing
import Varlink

@Suite(.timeLimit(.minutes(2))) struct FetchCommandTests {
  @Test func `apps are listed with their last fetch, their score, and what is in the way`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let status = await bench.run("fetch", columns: 200)

    #expect(status == 0)
    #expect(bench.screen.output.contains("dev.a  2030-03-17T17:46:40Z  newData"))
    #expect(bench.screen.output.contains("There is no network."))
    #expect(bench.screen.output.contains("Left to spend: 3.5 fetches (8 a day)"))
    #expect(bench.screen.output.contains("3.5 J from the battery (8), 3.5 bytes where they cost money (8)."))
    #expect(bench.screen.output.contains("The daemon decides anew at 2030-03-17T17:46:40Z"))
    daemon.stop()
  }

  @Test func `a fetch under way is not shown with the time of the one before`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.isFetchUnderWay = true }

    _ = await bench.run("fetch", columns: 200)
    _ = await bench.run("fetch", "list", "dev.a")

    #expect(bench.screen.output.contains("dev.a  now   under way"))
    #expect(!bench.screen.output.contains("Its last fetch began"))
    daemon.stop()
  }

  @Test func `one app is shown in full`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let status = await bench.run("fetch", "list", "dev.a")

    #expect(status == 0)
    #expect(bench.screen.output.contains("It wants at least 900 s between two fetches."))
    #expect(bench.screen.output.contains("A fetch now is worth 0.25; it has to reach 0.5."))
    #expect(bench.screen.output.contains("Fetches so far: 4 newData, 3 noData, 2 failed, 1 late"))
    let task = "It has asked for the processing task 'tidy'.\n  It waits for external power.\n"
    #expect(bench.screen.output.contains(task))
    daemon.stop()
  }

  @Test func `an app that was refreshed for neglect is said to, and in JSON also one that will be`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    _ = await bench.run("fetch", columns: 250)
    let table = bench.screen.output
    _ = await bench.run("fetch", "list", "dev.a")
    let words = bench.screen.output.dropFirst(table.count)
    _ = await bench.run("fetch", "list", "--json")
    _ = await bench.run("fetch", "log", "--json")
    let json = bench.screen.output.dropFirst(table.count + words.count)

    #expect(table.contains("newData, neglected before"))
    #expect(words.contains("Its content was so old, and no app is neglected for long."))
    #expect(json.contains("\"lastNeglected\" : true"))
    #expect(json.ranges(of: "\"neglected\" : true").count == 2)
    daemon.stop()
  }

  @Test func `a fetch tells what came of it and what it cost`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let first = await bench.run("fetch", "now", "dev.a")
    let second = await bench.run("fetch", "now", "dev.b")
    let third = await bench.run("launch", "dev.a", "--background-fetch", "--", "word")

    #expect([first, second, third] == [0, 5, 2])
    #expect(bench.screen.output.contains("dev.a was refreshed: newData, 1.5 s, 30 ms of processor time"))
    #expect(bench.screen.errors.contains("dev.b is not refreshed (backgroundRefreshOff): it is off"))
    daemon.stop()
  }

  @Test(
    arguments: [
      (.failed, [], "dev.a was not refreshed: failed, 1.5 s"), (.late, [], "dev.a was not refreshed in time, 1.5 s"),
      (.failed, ["--task", "tidy"], "dev.a has run 'tidy': not completed, 1.5 s"),
      (.late, ["--task", "tidy"], "dev.a has run 'tidy': not completed in time, 1.5 s"),
    ] as [(ControlInterface.FetchOutcome, [String], String)])
  func `a fetch that has failed or was late is no success`(
    outcome: ControlInterface.FetchOutcome, options: [String], words: String
  ) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.fetchOutcome = outcome }

    let status = await Program.run(["fetch", "now", "dev.a"] + options, in: bench.surroundings())

    #expect(status == 1)
    #expect(bench.screen.output.contains(words))
    #expect(bench.screen.errors.isEmpty)
    daemon.stop()
  }

  @Test(arguments: [("ended", 1), ("notTold", 1), ("removedFromSwitcher", 5), ("underWay", 5)] as [(String, Int32)])
  func `an app that ends over its fetch, or is not there for it, has failed, and one that may not fetch is refused`(
    obstacle: String, status: Int32
  ) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.fetchObstacle = obstacle }

    #expect(await bench.run("fetch", "now", "dev.b") == status)
    #expect(bench.screen.errors.contains("dev.b is not refreshed (\(obstacle))"))
    daemon.stop()
  }

  @Test func `a task was completed or not, and brings no content`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    _ = await bench.run("fetch", "now", "dev.a", "--task", "tidy")
    _ = await bench.run("fetch", "log")

    #expect(bench.screen.output.contains("dev.a has run 'tidy': completed, 1.5 s"))
    #expect(bench.screen.output.contains("dev.a  completed    runs the task 'tidy'"))
    daemon.stop()
  }

  @Test func `decisions are told, the last so many and page by page from the newest`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let status = await bench.run("fetch", "log", "-n", "1")
    let last = bench.screen.output
    let all = await bench.run("fetch", "log")

    #expect([status, all] == [0, 0])
    #expect(last.contains("dev.a  new content  is refreshed"))
    #expect(!last.contains("waits"))
    let both = bench.screen.output.dropFirst(last.count).split(separator: "is refreshed")
    #expect(both.count == 2 && both[0].contains("waits") && !both[1].contains("waits"))
    daemon.stop()
  }

  @Test func `habits are drawn, and forgotten`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let statuses = [
      await bench.run("habits"), await bench.run("habits", "forget", "dev.a"), await bench.run("habits", "forget"),
    ]

    #expect(statuses == [0, 0, 0])
    #expect(bench.screen.output.contains("dev.a  weekday           @"))
    #expect(bench.screen.output.contains("2700 bytes are remembered, 300 of them of the day as a whole."))
    #expect(daemon.read { $0.deeds } == ["forget dev.a", "forget all"])
    daemon.stop()
  }

  @Test func `an app that was used once does not look like one that is used all day`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    _ = await bench.run("habits")

    #expect(bench.screen.output.contains("dev.b  weekday  ========================"))
    #expect(bench.screen.output.contains("With fewer than 10 visits, a day is mostly assumed and hardly learned."))
    daemon.stop()
  }

  @Test(arguments: [(["habits"], "day of each app, hour by hour"), (["habits", "show"], "Each character is an hour")])
  func `the help of habits speaks of hours, as they are drawn`(command: [String], words: String) async throws {
    let bench = try Bench()

    #expect(await Program.run(command + ["--help"], in: bench.surroundings()) == 0)
    #expect(bench.screen.output.contains(words))
  }
}

extension TestDaemon {
  func serveFetches(_ interface: inout VarlinkInterface) {
    let at: Int64 = 1_900_000_000_000
    interface.handle(ControlInterface.ListFetches.self) { [weak self] call in
      var app = ControlInterface.AppFetches(app: "dev.a", name: "A", interval: 900, allowed: true)
      (app.lastBegin, app.lastOutcome, app.lastDurationMs) = (at, .newData, 1500)
      (app.newData, app.noData, app.failed, app.late) = (4, 3, 2, 1)
      app.score = .init(
        score: 0.25, threshold: 0.5, probability: 0.1, ageMinutes: 60, updatesPerHour: 1, value: 0.6)
      app.blockers = [.init(code: "noNetwork", sentence: "There is no network.")]
      (app.lastNeglected, app.neglected) = (true, true)
      app.underWay = self?.read { $0.isFetchUnderWay } ?? false
      app.requests = [
        .init(
          identifier: "tidy", kind: .processing, power: true,
          blockers: app.blockers + [.init(code: "noPower", sentence: "It waits for external power.")])
      ]
      let balance = ControlInterface.FetchBalance(perDay: 8, left: 3.5)
      let budget = ControlInterface.FetchBudget(threshold: 0.5, fetches: balance, joules: balance, bytes: balance)
      call.reply(.init(apps: [app], budget: budget, nextLook: at))
    }
    interface.handle(ControlInterface.ListFetchDecisions.self) { call in
      let all: [ControlInterface.FetchDecision] = [
        .init(
          number: 0, at: at, app: "dev.a", verdict: .fetch, sentence: "runs the task 'tidy'", request: "tidy",
          outcome: .newData),
        .init(number: 1, at: at, app: "dev.a", verdict: .waits, sentence: "waits: there is no network"),
        .init(
          number: 2, at: at, app: "dev.a", verdict: .fetch, sentence: "is refreshed", neglected: true,
          outcome: .newData),
      ]
      let before = call.parameters.before ?? .min
      call.reply(.init(decisions: Array(all.filter { $0.number < before }.suffix(1))))
    }
    interface.handle(ControlInterface.FetchNow.self) { [weak self] call throws(VarlinkError) in
      guard call.parameters.app == "dev.a" else {
        let code = self?.read { $0.fetchObstacle } ?? ""
        throw ControlInterface.FetchRefused(app: call.parameters.app, code: code, reason: "it is off").varlink
      }
      let outcome = self?.read { $0.fetchOutcome } ?? .newData
      call.reply(
        .init(outcome: outcome, cost: .init(wallMs: 1500, cpuMs: 30, received: 2000, sent: 100, joules: 12.5)))
    }
    interface.handle(ControlInterface.ShowHabits.self) { call in
      var day = [Double](repeating: 0, count: 48)
      day[18] = 0.5
      let app = ControlInterface.AppHabits(
        app: "dev.a", name: "A", weekday: day, weekend: day, probability: 0.25, launches: 7, bytes: 1200)
      let flat = [Double](repeating: 0.1, count: 48)
      let new = ControlInterface.AppHabits(
        app: "dev.b", name: "B", weekday: flat, weekend: flat, probability: 0.1, launches: 1, bytes: 1200)
      call.reply(.init(apps: [app, new], bytes: 300))
    }
    interface.handle(ControlInterface.ForgetHabits.self) { [weak self] call throws(VarlinkError) in
      try self?.did("forget \(call.parameters.app ?? "all")")
      call.reply()
    }
  }
}
