import NightjarCore
import NightjarModel
import NightjarPictures
import NightjarSimulator
import TestThreads
import Testing

@Suite(.computing) struct PlayTests {
  @Test(arguments: Scenario.builtIn.map(\.name))
  func `a scenario and a seed give one chronicle, and another seed another`(name: String) throws {
    var scenario = try #require(Scenario.builtIn(name))
    scenario.days = 3

    let (one, other, third) = (scenario.played(seed: 5), scenario.played(seed: 5), scenario.played(seed: 6))

    #expect(one.digest == other.digest)
    #expect(one.fetches == other.fetches && one.visits == other.visits)
    #expect(one.picture().svg == other.picture().svg)
    #expect(one.visits != third.visits)
  }

  @Test func `a fetch that a person asks for finds what has changed, and nothing if nothing has`() throws {
    let lines = [
      "opens Mail at 09:00 on day 1", "days 3", "fetch now Mail on day 2 at 12:00", "Mail never fetches",
    ]

    let changing = try Scenario(lines: lines + ["Mail changes every 10 min"]).played()
    let still = try Scenario(lines: lines + ["Mail never changes"]).played()

    #expect(changing.fetches.map(\.outcome) == [.newData])
    #expect(still.fetches.map(\.outcome) == [.noData])
    #expect(still.fetches.first?.manner == .thawed)
  }

  @Test func `an app that takes longer than it may is late, and can be opened afterwards`() throws {
    let scenario = try Scenario(
      lines: ["opens Mail at 09:00", "days 2", "Mail takes 2 min", "fetch now Mail on day 1 at 12:00"])

    let chronicle = scenario.played()

    let fetch = try #require(chronicle.fetches.first)
    #expect(fetch.outcome == .late)
    #expect((30_000...31_000).contains(fetch.until - fetch.at))
    #expect(chronicle.visits.count == 2)
  }

  @Test func `a fetch that the end cuts short has neither failed nor succeeded`() throws {
    let scenario = try Scenario(
      lines: ["opens Mail at 09:00", "days 1", "Mail takes 5 min", "fetch now Mail at 23:58", "Mail never fetches"])
    var limits = Limits()
    limits.fetchTimeout = .minutes(10)

    let chronicle = scenario.played(limits: limits)

    #expect(chronicle.fetches.map(\.outcome) == [nil])
    #expect(chronicle.figures().fetches == 0 && chronicle.figures().failed == 0)
    #expect(!chronicle.picture().svg.contains("fetch failed"))
  }

  @Test func `every fetch is drawn, also on a day that a journey leads into`() throws {
    let scenario = try Scenario(lines: [
      "days 1", "opens Mail 40 times 00:00-24:00", "Mail changes every 5 min", "Mail fetches every 1 s",
      "time zone -10:00 on day 1 at 05:00",
    ])

    let chronicle = scenario.played()

    let words = ["fetched new data", "fetched, no new data", "fetch failed", "fetch was late"]
    let drawn = words.map { chronicle.picture().svg.ranges(of: $0).count }.reduce(0, +)
    #expect(drawn == chronicle.ended.count && drawn > 0)
    #expect(chronicle.ended.contains { chronicle.local($0.fetch.at).day != 0 })
  }

  @Test func `without a network a fetch fails`() throws {
    let scenario = try Scenario(
      lines: [
        "opens Mail at 09:00", "days 1", "Mail takes 20 s", "fetch now Mail at 12:00", "network lost 11:59-12:30",
        "Mail never fetches",
      ])

    let chronicle = scenario.played()

    #expect(chronicle.fetches.map(\.outcome) == [.failed])
    #expect(chronicle.weather.map(\.conditions.network) == [.unmetered, .none, .unmetered])
  }

  @Test(arguments: [
    (["network lost on day 2", "network lost on day 3"], [2]), (["low data on days 2-3"], [2]),
    (["low power on days 2-4"], [3]), (["asleep on days 2-3"], [2]),
    (["asleep 00:00-06:00 on day 2", "asleep 04:00-08:00 on day 2"], [0]),
  ])
  func `what a device is like goes on without a hole from one stretch to the next`(
    lines: [String], days: [Int]
  ) throws {
    let scenario = try Scenario(lines: ["opens Mail at 09:00", "days 5"] + lines)

    let weather = scenario.played().weather

    #expect(weather.count == 3)
    #expect(weather.first?.conditions == weather.last?.conditions)
    #expect(zip(weather.dropFirst(), weather.dropFirst(2)).map { Int(($1.at - $0.at) / 86_400_000) } == days)
  }

  @Test func `a person asks for nothing, and apps do nothing, while the machine sleeps`() throws {
    let scenario = try Scenario(
      lines: [
        "days 3", "asleep 10:00-12:00", "opens Mail at 08:00", "Mail takes 20 s", "fetch now Mail daily at 09:50",
        "fetch now Mail daily at 11:00",
      ])

    let chronicle = scenario.played()

    let asleep = { (time: Int64) in
      let hour = chronicle.local(time).hour
      return hour > 10 && hour < 12
    }
    #expect(chronicle.fetches.count { abs(chronicle.local($0.at).hour * 60 - 590) < 0.01 } == 3)
    #expect(!chronicle.fetches.contains { asleep($0.at) || asleep($0.until) })
  }

  @Test func `what changes while the machine sleeps wakes nobody, and is known when it wakes`() throws {
    let lines = ["days 2", "opens Mail at 09:00", "asleep 00:00-07:00"]

    let still = try Scenario(lines: lines).played()
    let passing = try Scenario(lines: lines + ["network lost 02:00-03:00"]).played()
    let lasting = try Scenario(lines: lines + ["network lost 02:00-08:00"]).played()

    #expect(passing.weather.count == still.weather.count + 2 * 2 && passing.turns == still.turns)
    #expect(!lasting.fetches.contains { (0.01..<8).contains(lasting.local($0.at).hour) })
  }

  @Test func `who opens an app in the minute in which the machine wakes finds it awake`() throws {
    let scenario = try Scenario(lines: ["days 3", "asleep 00:00-07:00", "opens Mail at 07:00 give or take 0 min"])

    let visits = scenario.played().visits

    #expect(visits.count == 3)
    #expect(visits.allSatisfy { $0.until > $0.at })
  }

  @Test func `the machine does not wake between two stretches of sleep that touch, though an app is to be opened`()
    throws
  {
    let scenario = try Scenario(
      lines: [
        "days 3", "asleep 00:00-07:00", "asleep 07:00-09:00", "opens Mail at 07:00 give or take 0 min",
        "opens Mail at 09:00 give or take 0 min",
      ])

    let chronicle = scenario.played()

    #expect(chronicle.visits.map { chronicle.local($0.at).hour } == [9, 9, 9])
    #expect(chronicle.weather.count == 1 + 2 * 3)
  }

  @Test func `a visit ends when its app is removed from the switcher`() throws {
    let scenario = try Scenario(
      lines: [
        "days 1", "Mail never fetches", "opens Mail at 09:00 give or take 0 min for 2 h",
        "removes Mail from the switcher on day 1 at 09:10", "opens Mail at 12:00 give or take 0 min",
      ])

    let chronicle = scenario.played()

    let visits = chronicle.visits
    try #require(visits.count == 2)
    #expect(visits[0].until - visits[0].at == 10 * 60_000)
    let age = try #require(visits[1].age)
    #expect(age == 170 * 60_000)
  }

  @Test(
    arguments: [(["1 h", "2 h"], 80...200), (["2 h", "1 min"], 60...180)] as [([String], ClosedRange<Int64>)])
  func `who opens an app that is open already uses it for longer, and never for less`(
    lengths: [String], minutes: ClosedRange<Int64>
  ) throws {
    let scenario = try Scenario(
      lines: [
        "days 1", "Mail never fetches", "opens Mail at 09:00 give or take 0 min for \(lengths[0])",
        "opens Mail at 09:20 give or take 0 min for \(lengths[1])",
      ])

    let visits = scenario.played().visits

    #expect(visits.count == 1)
    #expect(visits.allSatisfy { minutes.contains(($0.until - $0.at) / 60_000) })
  }

  @Test func `a visit goes on when another app is removed from the switcher`() throws {
    let lines = ["days 1", "opens News at 08:00", "opens Mail at 09:00 give or take 0 min for 2 h"]

    let alone = try Scenario(lines: lines).played()
    let removing = try Scenario(lines: lines + ["removes News from the switcher on day 1 at 09:10"]).played()

    #expect(removing.visits == alone.visits)
  }

  @Test func `a journey west in the midst of a visit can be drawn`() throws {
    let scenario = try Scenario(
      lines: [
        "days 7", "time zone +10:00", "time zone +01:00 on day 5 at 06:10",
        "opens Mail at 06:00 give or take 0 min for 1 h",
      ])

    let chronicle = scenario.played()

    let visit = try #require(chronicle.visits.first { chronicle.local($0.until).day < chronicle.local($0.at).day })
    #expect(chronicle.local(visit.at).hour == 6)
    #expect(chronicle.picture().svg.contains("Mail"))
  }

  @Test func `what a person looks at is as old as the last look or fetch`() throws {
    let scenario = try Scenario(
      lines: [
        "opens Mail at 09:00 give or take 0 min", "opens Mail at 13:00 give or take 0 min", "days 1",
        "Mail never fetches", "Mail changes every 1 min",
      ])

    let visits = scenario.played().visits

    #expect(visits.count == 2 && visits[0].age == nil)
    #expect(visits[1].age == visits[1].at - visits[0].until)
    #expect(!visits[1].hasNewest)
  }

  @Test func `nobody fetches who does not want to, or was never opened`() throws {
    let scenario = try Scenario(
      lines: ["opens Mail 6 times", "Mail never fetches", "News changes every 10 min", "days 14"])

    #expect(scenario.played().fetches.isEmpty)
  }

  @Test func `a fetch costs the energy that its bytes take, and one that fails for want of a network none`() throws {
    let lines = ["opens Mail at 09:00", "days 1", "fetch now Mail at 12:00", "Mail never fetches"]

    let small = try Scenario(lines: lines + ["Mail receives 1 kB"]).played().figures()
    let large = try Scenario(lines: lines + ["Mail receives 50 MB"]).played().figures()
    let cellular = try Scenario(lines: lines + ["Mail receives 1 kB", "network cellular 11:00-13:00"]).played()
      .figures()
    let lost = try Scenario(lines: lines + ["Mail takes 20 s", "network lost 11:59-12:30"]).played().figures()

    #expect(small.fetches == 1 && 0 < small.joulesPerDay && small.joulesPerDay < large.joulesPerDay)
    #expect(cellular.joulesPerDay > small.joulesPerDay)
    #expect(lost.fetches == 1 && lost.joulesPerDay == 0)
  }

  @Test func `a picture says nothing of the age of content where nothing had an age`() throws {
    let scenario = try Scenario(lines: ["opens Mail at 09:00", "days 1", "Mail never fetches"])

    let drawn = scenario.played().picture().svg

    #expect(drawn.contains("opened 1 times"))
    #expect(!drawn.contains("of the openings"))
  }

  @Test func `between two ages the median and the ninth decile lie in proportion`() throws {
    let times = ["08:00", "08:10", "20:00"]
    let visits = times.map { "opens Mail at \($0) give or take 0 min" }

    let chronicle = try Scenario(lines: ["days 1", "Mail never fetches"] + visits).played()

    let ages = chronicle.visits.compactMap(\.age).map { Double($0) / 60_000 }
    let figures = chronicle.figures()
    try #require(ages.count == 2)
    #expect(abs(try #require(figures.ageMedian) - (ages[0] + ages[1]) / 2) < 0.001)
    #expect(abs(try #require(figures.age90) - (ages[0] + 0.9 * (ages[1] - ages[0]))) < 0.001)
    #expect((630...645).contains(try #require(figures.age90)))
  }

  @Test func `figures count what the chronicle has`() throws {
    let scenario = try Scenario(
      lines: ["opens Mail at 09:00", "days 2", "fetch now Mail at 08:50", "Mail never fetches"])

    let chronicle = scenario.played()
    let figures = chronicle.figures()

    #expect(figures.visits == 2)
    #expect(figures.fetches == chronicle.fetches.count)
    #expect(figures.fresh30 == 1)
    #expect(figures == chronicle.figures(of: 0))
  }
}
