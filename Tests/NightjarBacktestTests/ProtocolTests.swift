import NightjarCore
import NightjarPictures
import TestThreads
import Testing

@testable import NightjarBacktest

/// What holds for every policy, and what is known of some without measuring.
@Suite(.computing) struct ProtocolTests {
  private func courses() throws -> [Course] {
    let recording = try Recording()
    let path = try recording.file([Recording.header] + Recording.lines())
    return try Recording.read(path).diaries.map(Recording.course)
  }

  /// Lets a policy choose, and looks at whether the guards hold for what is taken of it.
  private struct Watched<Inner: Policy>: Policy {
    var inner: Inner
    var earlier: [Scene.App] = []
    var floors = 0

    mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
      for (app, before) in earlier.enumerated() where scene.apps[app].fetched != before.fetched {
        let isAllowed = before.launched != nil && scene.apps[app].fetched - before.fetched >= 900
        floors += isAllowed ? 0 : 1
      }
      earlier = scene.apps
      inner.choose(scene, into: &chosen)
    }
  }

  private struct Always: Policy {
    mutating func choose(_ scene: Scene, into chosen: inout [Int]) { chosen += scene.apps.indices }
  }

  @Test func `no app is fetched before its first launch or sooner than 15 minutes after a fetch`() throws {
    for course in try courses() {
      var policy = Watched(inner: Always())

      let tally = Replay.run(course, &policy)

      #expect(policy.floors == 0)
      #expect(tally.fetchesPerAppDay > 90 && tally.fetchesPerAppDay <= 96)
    }
  }

  @Test func `polling each 15 minutes keeps everything fresh`() throws {
    for course in try courses() {
      var policy = Poll(minutes: 15, apps: course.apps.count)

      let measures = try #require(Measures(Replay.run(course, &policy), traffic: course.traffic))

      #expect(measures.fresh30 == 1)
      #expect(measures.fresh15 > 0.99)
    }
  }

  @Test func `polling wakes for each app alone, though all were opened on the first day`() throws {
    for course in try courses() {
      var policy = Poll(minutes: 720, apps: course.apps.count)

      let tally = Replay.run(course, &policy)

      #expect(tally.fetches > 2 * tally.appDays - course.apps.count)
      #expect(tally.batches.allSatisfy { $0.count == 1 })
    }
  }

  @Test func `whoever knows the future needs few fetches and wastes none`() throws {
    for course in try courses() {
      var policy = Oracle(course, gapMin: 15)

      let tally = Replay.run(course, &policy)
      let measures = try #require(Measures(tally, traffic: course.traffic))

      #expect(measures.fresh30 == 1)
      #expect(measures.fetchesPerAppDay < 2)
      #expect(measures.wasted == 0)
    }
  }

  @Test func `nothing spends more than its budget, and the rule spends all of it`() throws {
    let course = try courses()[0]
    for policy in PolicyName.allCases where policy != .never && policy != .nightjarOnline {
      var dial = policy.dial(course)

      let few = dial.tally(within: .fetchesPerAppDay(4))
      let cheap = dial.tally(within: .joulesPerDay(100))

      #expect(few.fetchesPerAppDay <= 4, "\(policy)")
      #expect(cheap.joulesBatched(.lte, traffic: course.traffic) <= 100, "\(policy)")
      if policy == .nightjar { #expect(few.fetchesPerAppDay > 3.6) }
    }
  }

  @Test func `the daemon's own budget is spent as it goes, and not far from all of it`() throws {
    let course = try courses()[0]
    var dial = PolicyName.nightjarOnline.dial(course)

    let tallies = [2.0, 4, 8].map { dial.tally(within: .fetchesPerAppDay($0)).fetchesPerAppDay }

    for (spent, allowed) in zip(tallies, [2.0, 4, 8]) { #expect((0.7...1.3).contains(spent / allowed), "\(spent)") }
  }

  @Test func `the rule knows no more than what has happened`() throws {
    let recording = try Recording()
    let lines = Recording.lines(users: ["ann"])
    let half = 10 * 8  // Of so many days.
    let later = lines[half...].map { $0.replacing("mail", with: "swap").replacing("news", with: "mail") }
    let paths = [
      try recording.file([Recording.header] + lines, "one.tsv"),
      try recording.file(
        [Recording.header] + lines[..<half] + later.map { $0.replacing("swap", with: "news") }, "two.tsv"),
    ]
    let days = try paths.map { path in
      let course = try Recording.course(Recording.read(path).diaries[0])
      var policy = OwnRule(course, threshold: 0.1)
      return Replay.run(course, &policy).batches.filter { $0.time < 10 * Course.day }.map { "\($0.time) \($0.count)" }
    }

    #expect(!days[0].isEmpty)
    #expect(days[0] == days[1])
  }

  @Test func `two names of a trace are two apps to the rule, though Unicode calls them equal`() throws {
    let names = [("app1", "app2"), ("caf\u{e9}", "cafe\u{301}")]

    let batches = try names.map { first, second in
      let lines = Recording.lines(users: ["ann"]).map { line in
        line.replacing("\tmail\t", with: "\t\(first)\t").replacing("\tmaps\t", with: "\t\(second)\t")
      }
      let recording = try Recording()
      let diaries = try Recording.read(recording.file([Recording.header] + lines)).diaries
      let course = try Recording.course(diaries[0])
      var policy = OwnRule(course, threshold: 0.1)
      return Replay.run(course, &policy).batches.map { "\($0.time) \($0.count)" }
    }

    #expect(!batches[0].isEmpty)
    #expect(batches[0] == batches[1])
  }

  /// It looks at what a course keeps itself, and not into what that keeps.
  @Test func `what is kept of a person grows with the days, and not with the number of apps`() throws {
    for course in try courses() {
      let sizes = Mirror(reflecting: course).children.map { Mirror(reflecting: $0.value).children.count }

      #expect(course.apps.count == 3)
      #expect(sizes.max() == course.ticks.count)
    }
  }

  @Test func `days without a line are cut out`() throws {
    let recording = try Recording()
    let gap = Recording.lines(users: ["ann"], days: 28).filter { !$0.contains("\t2027-01-2") }
    let course = try Recording.course(Recording.read(recording.file([Recording.header] + gap)).diaries[0])

    #expect(course.daysCounted == 28 - 9 - 7)
    #expect(course.ticks.count == 19 * 288)
    #expect(zip(course.ticks, course.ticks.dropFirst()).allSatisfy { $1.time - $0.time == 300 })
  }

  @Test func `who was seen for too few days is left out, with the reason`() throws {
    let recording = try Recording()
    let path = try recording.file([Recording.header] + Recording.lines(users: ["ann"], days: 13))

    let error = #expect(throws: TraceError.self) { try Backtest(users: ["ann", "zoe"]).run(path) }

    #expect(error?.code == .nothingToJudge)
    #expect(error?.detail.contains("ann has 13 recorded days, and 14 are needed") == true)
    #expect(error?.detail.contains("zoe is not in the trace") == true)
  }

  @Test func `who has launched nothing that counts is left out, with the reason`() throws {
    let recording = try Recording()
    let lines = (0..<14).flatMap { day -> [String] in
      [30_000, 43_000].flatMap { second -> [String] in
        let app = day < 7 ? "mail" : "sys02"
        return [Recording.line("ann", day, second, app), Recording.line("ann", day, second + 90, "sys01")]
      }
    }
    let path = try recording.file([Recording.header] + lines)

    let error = #expect(throws: TraceError.self) { try Backtest(policies: [.never]).run(path) }

    #expect(error?.code == .nothingToJudge)
    #expect(
      error?.detail.contains("ann has no launch of a judged app after the first 7 days, and one is needed") == true)
  }

  @Test func `another run, on the same lines backwards, gives the same rows and the same picture`() throws {
    let recording = try Recording()
    let lines = Recording.lines()
    let paths = [
      try recording.file([Recording.header] + lines, "one.tsv"),
      try recording.file([Recording.header] + lines.reversed(), "two.tsv"),
    ]
    let backtest = Backtest(users: ["ann"], policies: [.poll, .histogram, .nightjar])

    let reports = try paths.map { try backtest.run($0) }

    #expect(reports[0].rows.count == 21)
    #expect(reports[0].rows == reports[1].rows)
    #expect(reports[0].picture.svg == reports[1].picture.svg)
  }
}
