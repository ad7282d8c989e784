import NightjarModel
import NightjarSimulator
import Testing

@Suite struct ScenarioTests {
  @Test func `sentences become what they say`() throws {
    let scenario = try Scenario(
      """
      title A day  # and a remark
      days 3
      starts 2026-02-28
      time zone -05:30

      Apple News changes every 40 min
      Apple News fetches every 2 h
      "fetches" receives 2 MB
      opens Apple News at 9:05 on weekdays, give or take 20 min for 90 s
      opens fetches 5 times 22:00-02:00 on Saturday and Sunday
      network lost on Tuesday 10:00-12:00
      charging 23:00-07:00
      refresh off for Apple News on day 2 at 12:00
      """)

    #expect(scenario.name == "A day")
    #expect(scenario.days == 3)
    #expect(scenario.start == CalendarDay(year: 2026, month: 2, day: 28))
    #expect(scenario.offset == -19_800)
    #expect(scenario.apps.map(\.name) == ["Apple News", "fetches"])
    #expect(scenario.apps[0].changesEvery == 2400)
    #expect(scenario.apps[0].fetchInterval == 7200)
    #expect(scenario.apps[1].fetchReceives == 2_000_000)
    #expect(
      scenario.visits == [
        .init(app: 0, days: .weekdays, times: .at(minute: 545, giveOrTake: 1200), lasts: 90),
        .init(app: 1, days: .weekends, times: .count(5, from: 1320, to: 120), lasts: 180),
      ])
    #expect(
      scenario.stretches == [
        .init(.network(.none), days: .init(ofWeek: 0b10), from: 600, to: 720),
        .init(.charging, days: .every, from: 1380, to: 420),
      ])
    #expect(
      scenario.acts == [.init(.refresh(app: 0, false), days: .init(ofWeek: 127, numbers: 2...2), minute: 720)])
  }

  @Test(arguments: ["opens Mail 5 times", "opens Mail 5 times a day", "opens Mail 5 times a day 08:00-22:00"])
  func `an app is opened so many times, or so many times a day`(line: String) throws {
    let scenario = try Scenario(line)

    #expect(
      scenario.visits == [.init(app: 0, days: .every, times: .count(5, from: 480, to: 1320), lasts: 180)])
  }

  @Test(arguments: ["opens Radio 4 at 09:00", "opens Radio 4 on weekdays at 09:00", "opens Radio 4 5 times a day"])
  func `a number may end a name where it is none of times`(line: String) throws {
    #expect(try Scenario(line).apps.map(\.name) == ["Radio 4"])
  }

  @Test func `a visit may be early or late by less than a minute`() throws {
    let scenario = try Scenario("opens Mail at 09:00 give or take 30 s")

    #expect(scenario.visits.map(\.times) == [.at(minute: 540, giveOrTake: 30)])
  }

  @Test(arguments: [
    "opens Mail at 09:00 on weekdays give or take 20 min for 3 min",
    "opens Mail at 09:00 give or take 20 min on weekdays for 3 min",
    "opens Mail at 09:00 for 3 min, give or take 20 min, on weekdays",
  ])
  func `days stand before or after the manner of a visit`(line: String) throws {
    let scenario = try Scenario(line)

    #expect(
      scenario.visits == [.init(app: 0, days: .weekdays, times: .at(minute: 540, giveOrTake: 1200), lasts: 180)])
  }

  @Test(arguments: [
    ("opens Mail on weekdays at 09:00", Scenario.Days.weekdays, Scenario.Visits.Times.at(minute: 540, giveOrTake: 600)),
    ("opens Mail every day at 09:00", .every, .at(minute: 540, giveOrTake: 600)),
    ("opens Mail daily 5 times", .every, .count(5, from: 480, to: 1320)),
    ("opens Mail on day 3 5 times", .init(ofWeek: 127, numbers: 3...3), .count(5, from: 480, to: 1320)),
    ("opens \"Mail\" on Saturday and Sunday 5 times", .weekends, .count(5, from: 480, to: 1320)),
  ])
  func `days may stand before the time of a visit, and are no part of the name`(
    line: String, days: Scenario.Days, times: Scenario.Visits.Times
  ) throws {
    let scenario = try Scenario(line)

    #expect(scenario.apps.map(\.name) == ["Mail"])
    #expect(scenario.visits == [.init(app: 0, days: days, times: times, lasts: 180)])
  }

  @Test(arguments: ["fetch now Mail", "removes Mail", "removes Mail from the switcher", "refresh off for Mail"])
  func `days may stand before the time of an act, and are no part of the name`(act: String) throws {
    for days in ["every day", "daily", "on Monday"] {
      let scenario = try Scenario("\(act) \(days) at 12:00")

      #expect(scenario.apps.map(\.name) == ["Mail"])
      #expect(scenario.acts.map(\.minute) == [720])
    }
  }

  @Test func `a name and a title may have any sign in quotation marks, also that of a comment`() throws {
    let scenario = try Scenario("title \"Week #2, or so\" # a remark\nopens \"C# Notes\" at 09:00 # \"")

    #expect(scenario.name == "Week #2, or so")
    #expect(scenario.apps.map(\.name) == ["C# Notes"])
  }

  @Test(arguments: ["Time", "Network", "opens", "Low", "title"])
  func `an app may be called by any word, in quotation marks`(name: String) throws {
    let scenario = try Scenario(lines: ["\"\(name)\" changes every 5 min", "opens \"\(name)\" at 09:00"])

    #expect(scenario.apps.map(\.name) == [name])
    #expect(scenario.apps[0].changesEvery == 300)
  }

  @Test(arguments: [
    ("opens Mail at 25:00", "line 1: '25:00' is no time of day; write one from 00:00 to 23:59, such as 09:30"),
    ("opens Mail at 9", "line 1: '9' is no time of day; write one from 00:00 to 23:59, such as 09:30"),
    ("opens Mail at 24:00", "line 1: '24:00' is no time of day; write one from 00:00 to 23:59, such as 09:30"),
    ("opens at 09:00", "line 1: the name of an app is missing before 'at'"),
    ("opens Mail", "line 1: number of times is missing at the end"),
    ("opens Mail 501 times", "line 1: '501' is no number of times; write a number from 1 to 500"),
    (
      "days 7\nnetwork lost on day 9\nopens Mail at 09:00",
      "line 2: day 9 is beyond the scenario's 7 days; write 'days 9' for more"
    ),
    (
      "network lost on Tuesday 10:00-12:00 on Friday",
      "line 1: 'on' is not understood after 'network lost on Tuesday 10:00-12:00'"
    ),
    ("opens Mail 9 often", "line 1: write 'at 09:00', or '5 times 08:00-22:00'"),
    (
      "\nopens Mail on Caturday at 09:00",
      "line 2: 'Caturday' is no day; write weekdays, weekends, a day such as Tuesday, or day 3"
    ),
    (
      "\nopens Mail at 09:00 on Caturday",
      "line 2: 'Caturday' is no day; write weekdays, weekends, a day such as Tuesday, or day 3"
    ),
    (
      "opens Mail at 09:00 on day 0", "line 1: '0' is no day of a scenario; they count from 1: write day 3, or days 3-5"
    ),
    ("opens Mail at 09:00 sharp", "line 1: 'sharp' is not understood after 'opens Mail at 09:00'"),
    ("Mail changes", "line 1: 'every' is missing; write 'every 40 min'"),
    (
      "Mail changes every 40 parsecs",
      "line 1: '40 parsecs' is no length of time; write a number and s, min, h or days, such as 40 min"
    ),
    (
      "Mail changes every 1.5h",
      "line 1: '1.5h' is no length of time; write a number and s, min, h or days, such as 40 min"
    ),
    ("Mail changes every 90000h", "line 1: '90000h' is too short or too long here"),
    ("Mail never eats", "line 1: write 'never changes' or 'never fetches'"),
    ("Mail fails often", "line 1: 'often' is no percentage; write one from 0% to 100%"),
    (
      "network lost 10:00-25:00",
      "line 1: '10:00-25:00' is no span of time; write one such as 10:00-12:00, or 23:00-07:00 over midnight"
    ),
    ("network lost 10:00-10:00", "line 1: '10:00-10:00' is empty; write 00:00-24:00 for the whole day"),
    ("network gone", "line 1: a network is not 'gone'; write lost, flaky, cellular or metered"),
    ("days 0", "line 1: '0' is no number of days; write a number from 1 to 3660"),
    ("starts 2026-02-30", "line 1: '2026-02-30' is no date from 1970 to 2100; write one such as 2026-01-05"),
    ("time zone Mars", "line 1: 'Mars' is no offset from UTC; write one such as +02:00, or -05:30"),
    ("opens \"Mail at 09:00", "line 1: a quotation mark has no partner; write names as \"Apple News\""),
    ("\nopens \"Ma\u{1}il\" at 09:00", "line 2: a name has the control character U+0001; leave it out"),
    ("\"Mail\u{9f}\" never changes", "line 1: a name has the control character U+009F; leave it out"),
    ("Mail sings", "line 1: 'Mail sings' is not understood; see 'nightjar simulate --help' for what can be written"),
    ("", "nothing ever happens; write a line such as: opens Mail at 09:00 on weekdays"),
  ])
  func `a line that makes no sense is named, with what to write instead`(text: String, complaint: String) {
    #expect { try Scenario(text) } throws: { error in "\(error)" == complaint }
  }

  @Test(arguments: [
    (
      ["time zone +09:00 on day 4 at 14:00", "time zone +01:00 on day 4 at 18:00"],
      "line 3: 18:00 on day 4 is never shown: the clocks show 23:00 by then"
    ),
    (
      ["time zone +01:00 on day 4 at 16:00", "time zone +11:00 on day 4 at 15:00"],
      "line 2: 16:00 on day 4 is never shown: the clocks show 02:00 on day 5 by then"
    ),
    (
      ["time zone +09:00 on day 4 at 01:00", "clocks forward on day 4"],
      "line 3: 02:00 on day 4 is never shown: the clocks show 10:00 by then"
    ),
    (["time zone +14:00", "clocks forward on day 4"], "line 3: the clocks would be further than 14 h from UTC"),
  ])
  func `a journey for which the clocks never show the time is refused`(lines: [String], complaint: String) {
    #expect {
      try Scenario(lines: ["opens Mail at 09:00"] + lines)
    } throws: { error in
      "\(error)" == complaint
    }
  }

  @Test func `the mark for the order of bytes that editors put before a text is none of it`() throws {
    #expect(try Scenario("\u{FEFF}opens Mail at 09:00") == Scenario("opens Mail at 09:00"))
  }

  @Test func `a day may be one of those that are to be played, or one of its own`() throws {
    let lines = ["opens Mail at 09:00", "fetch now Mail on day 9"]

    #expect(try Scenario(lines: lines, days: 14).days == 14)
    #expect(try Scenario(lines: ["days 9"] + lines, days: 3).days == 3)
    #expect(throws: ScenarioError.self) { try Scenario(lines: lines, days: 8) }
  }

  @Test(arguments: [
    "\u{0}", "opens", "days", "opens \u{1F4A5} at", String(repeating: "a ", count: 3000), "refresh", "low",
  ])
  func `rubbish is refused and nothing worse`(text: String) {
    #expect(throws: ScenarioError.self) { try Scenario(text) }
  }

  @Test(arguments: [("Mail, then  news; at 9:00.", "Mail, then  news; at 9:00."), ("\"A, B\"", "A, B")])
  func `what a scenario says of itself stays as it was written`(text: String, about: String) throws {
    let scenario = try Scenario("about \(text)  # a remark\nopens Mail at 09:00")

    #expect(scenario.about == about)
  }

  @Test(arguments: Scenario.builtIn.map(\.name))
  func `every built-in scenario can be read, and says what it is`(name: String) throws {
    let scenario = try #require(Scenario.builtIn(name))

    #expect(!scenario.about.isEmpty)
    #expect(!scenario.visits.isEmpty)
    #expect(Scenario.builtIn("no such") == nil)
  }

  @Test func `names of apps that differ have different identifiers`() {
    let names = ["Mail", "mail", "Ma il", "Ma-il", "Ma-20il", "メール", "", "\u{1}1", "\u{11}", "-1", "-11"]

    let ids = names.map { Scenario.MadeUpApp(name: $0).id }

    #expect(Set(ids).count == names.count)
    #expect(ids.allSatisfy { AppID.isValid($0.rawValue) })
  }
}
