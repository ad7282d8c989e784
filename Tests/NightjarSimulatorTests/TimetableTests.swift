import NightjarModel
import Testing

@testable import NightjarSimulator

@Suite struct TimetableTests {
  @Test func `an app is opened by the clock on the wall, before and after clocks are put forward`() throws {
    let scenario = try Scenario(
      """
      starts 2026-03-28
      days 3
      time zone +01:00
      clocks forward on Sunday
      opens Mail at 08:00 give or take 0 min
      """)

    let timetable = Timetable(scenario, seed: 1)

    #expect(opened(timetable).map(utc) == ["28 07:00", "29 06:00", "30 06:00"])
    #expect(timetable.end - timetable.start == 71 * 3_600_000)
  }

  @Test(arguments: ["00:05", "23:55"])
  func `an app is opened on the first and the last day, too, however early or late`(time: String) throws {
    let scenario = try Scenario("days 3\nopens Mail at \(time) give or take 2 h")

    for seed in 1...20 as ClosedRange<UInt64> {
      #expect(opened(Timetable(scenario, seed: seed)).count == 3, "seed \(seed)")
    }
  }

  @Test func `an app is opened by the clock on the wall on a journey of a day and a half`() throws {
    let scenario = try Scenario(
      """
      starts 2026-03-01
      days 7
      time zone +01:00
      time zone +10:00 on day 5 at 14:00
      time zone +01:00 on day 6 at 23:00
      opens Mail at 08:00 give or take 0 min
      """)

    let times = opened(Timetable(scenario, seed: 1)).map(utc)

    #expect(times.prefix(5) == ["01 07:00", "02 07:00", "03 07:00", "04 07:00", "05 07:00"])
    #expect(times.suffix(2) == ["05 22:00", "07 07:00"])
  }

  @Test(arguments: [("forward", "28 22:00", "29 05:00"), ("back", "28 22:00", "29 07:00")])
  func `what the device is like ends by the clock on the wall, in the night in which clocks are set, too`(
    way: String, begin: String, end: String
  ) throws {
    let scenario = try Scenario(
      """
      starts 2026-03-28
      days 2
      time zone +01:00
      clocks \(way) on Sunday
      opens Mail at 08:00
      asleep 23:00-07:00 on Saturday
      """)

    let entries = Timetable(scenario, seed: 1).entries

    #expect(entries.first { $0.incident == .begins(.asleep) }.map { utc($0.at) } == begin)
    #expect(entries.first { $0.incident == .ends(.asleep) }.map { utc($0.at) } == end)
  }

  @Test func `of a journey nobody tells the device beforehand`() throws {
    let scenario = try Scenario(
      """
      days 4
      time zone +01:00
      time zone +10:00 on day 3 at 12:00
      opens Mail at 08:00 give or take 0 min
      """)

    let timetable = Timetable(scenario, seed: 1)

    #expect(opened(timetable).map(utc) == ["05 07:00", "06 07:00", "07 07:00", "07 22:00"])
    #expect(timetable.rules(knownAt: timetable.start).changes.isEmpty)
    #expect(timetable.rules(knownAt: timetable.end).changes.count == 1)
  }

  @Test(arguments: [("+01:00", "+10:00", "07 11:00"), ("+10:00", "+01:00", "07 02:00")])
  func `a journey east or west is told when clocks are set for it, and known from then on`(
    from: String, to: String, made: String
  ) throws {
    let scenario = try Scenario(
      """
      days 4
      time zone \(from)
      time zone \(to) on day 3 at 12:00
      opens Mail at 08:00
      """)

    let timetable = Timetable(scenario, seed: 1)

    let told = try #require(acts(timetable).first?.at)
    #expect(utc(told) == made)
    #expect(timetable.rules(knownAt: told - 1).changes.isEmpty)
    #expect(timetable.rules(knownAt: told) == timetable.rules)
    #expect(timetable.rules.changes.map { $0.at * 1000 } == [told])
  }

  @Test(arguments: ["02:00", "02:30", "03:00"])
  func `a journey in the hour over which clocks are put forward is made at its end`(time: String) throws {
    let scenario = try Scenario(
      """
      starts 2026-03-26
      days 9
      time zone +01:00
      clocks forward on day 4
      time zone +09:00 on day 4 at \(time)
      time zone +01:00 on day 6 at 12:00
      opens Mail at 08:00
      """)

    let timetable = Timetable(scenario, seed: 1)

    #expect(acts(timetable).map { utc($0.at) } == ["29 01:00", "31 03:00"])
    #expect(timetable.rules.changes.map(\.offset) == [32_400, 3600])
    #expect(timetable.rules(knownAt: timetable.start).changes.map(\.offset) == [7200])
    #expect(timetable.rules(knownAt: timetable.end) == timetable.rules)
  }

  @Test func `of daylight saving a device knows from the beginning, wherever it will be, and is told nothing`() throws {
    let scenario = try Scenario(
      """
      starts 2026-03-28
      days 9
      time zone +01:00
      clocks forward on day 2
      time zone +10:00 on day 5 at 12:00
      clocks back on day 7
      opens Mail at 08:00
      """)

    let timetable = Timetable(scenario, seed: 1)

    #expect(timetable.rules(knownAt: timetable.start).changes.map(\.offset) == [7200, 3600])
    #expect(timetable.rules.changes.map(\.offset) == [7200, 36_000, 32_400])
    #expect(acts(timetable).map(\.incident) == [.act(.zone(36_000))])
  }

  @Test func `to add a line changes nothing in the others`() throws {
    let lines = ["opens Mail at 08:00 give or take 1 h", "network flaky 10:00-18:00", "opens News 5 times"]

    let before = Timetable(try Scenario(lines: lines), seed: 9)
    let after = Timetable(try Scenario(lines: lines + ["opens Maps 9 times"]), seed: 9)

    let others = after.entries.filter { entry in
      if case .opens(2, _) = entry.incident { false } else { true }
    }
    #expect(before.entries == others)
    #expect(Timetable(try Scenario(lines: lines), seed: 10).entries != before.entries)
  }

  @Test func `a battery drains, is charged at night, and is told in steps`() throws {
    let scenario = try Scenario(lines: ["opens Mail at 08:00", "days 2", "charging 22:00-06:00", "battery lasts 10 h"])

    let levels = Timetable(scenario, seed: 1).entries.compactMap { entry -> Int? in
      if case .battery(let percent) = entry.incident { percent } else { nil }
    }

    #expect(levels.allSatisfy { $0.isMultiple(of: 5) && (0...100).contains($0) })
    #expect(levels.min() == 0)
    #expect(levels.last! >= 95)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 != $1 })
  }

  private func opened(_ timetable: Timetable) -> [Int64] {
    timetable.entries.compactMap { entry in
      if case .opens = entry.incident { entry.at } else { nil }
    }
  }

  private func acts(_ timetable: Timetable) -> [Timetable.Entry] {
    timetable.entries.filter { entry in
      if case .act = entry.incident { true } else { false }
    }
  }

  private func utc(_ time: Int64) -> String {
    let reading = ZoneRules.utc.reading(at: Timestamp(milliseconds: time))
    let minutes = (time / 60_000) % 1440
    return "\(two(Int64(reading.date.day))) \(two(minutes / 60)):\(two(minutes % 60))"
  }

  private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
