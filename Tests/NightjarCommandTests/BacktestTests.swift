import Foundation
import NightjarCommand
import TestThreads
import Testing

/// `nightjar backtest`.
@Suite(.computing) struct BacktestTests {
  private static let header = "user_id\ttimestamp\tapp_name\tplatform\n"

  /// Somebody who opens two apps each day at the same hours.
  private static func lines(days: Int = 16) -> String {
    (1...days).map { day in
      let date = "2027-03-\(day < 10 ? "0" : "")\(day)"
      return "ann\t\(date) 08:30:00\tmail\tphone\nann\t\(date) 08:32:00\tsys01\tphone\n"
        + "ann\t\(date) 19:10:00\tnews\tphone\nann\t\(date) 19:20:00\tsys01\tphone\n"
    }.joined()
  }

  @Test func `rows have the names that are promised, one for each policy and budget`() async throws {
    let bench = try Bench()
    try bench.write(Self.header + Self.lines(), to: "traces.tsv")

    #expect(await bench.run("backtest", "traces.tsv", "--policy", "never,poll-waking", "--json") == 0)

    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(bench.screen.output.utf8)) as? [[String: Any]])
    #expect(rows.count == 8)
    #expect(rows.map { $0["policy"] as? String } == ["never"] + Array(repeating: "poll-waking", count: 7))
    let names = [
      "fetches_per_app_day", "fresh15", "fresh30", "fresh60", "idle_fresh30", "age_median_minutes", "age_p90_minutes",
      "wasted", "wakes_per_day", "joules_lte", "joules_lte_batched", "joules_3g", "joules_3g_batched", "joules_wifi",
      "joules_wifi_batched",
    ]
    for row in rows { for name in names { #expect(row[name] is Double, "\(name)") } }
    #expect(rows[1]["wins_over_poll"] is Int && rows[1]["fresh30_over_poll_low"] is Double)
    #expect(rows.allSatisfy { $0["apps"] as? Int == 2 && ($0["launches"] as? Int ?? 0) > 0 })
    #expect(rows.allSatisfy { $0["users_left_out"] as? Int == 0 })
    #expect(rows.compactMap { $0["budget_fetches_per_app_day"] as? Double } == [2, 4, 8, 16])
    #expect(rows.compactMap { $0["budget_joules_per_user_day"] as? Double } == [200, 400, 800])
  }

  @Test func `every row has every key, with null where there is nothing to tell`() async throws {
    let bench = try Bench()
    let neverIdle = (1...16).flatMap { day in
      (0..<72).map { "ann\t2027-03-\(day < 10 ? "0" : "")\(day) \(Self.clock(minute: $0 * 20 + 5))\tsys01\tphone\n" }
    }
    try bench.write(Self.header + Self.lines() + neverIdle.joined(), to: "traces.tsv")

    #expect(await bench.run("backtest", "traces.tsv", "--policy", "never,poll-waking", "--json") == 0)

    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(bench.screen.output.utf8)) as? [[String: Any]])
    #expect(Set(rows.map { $0.keys.sorted() }).count == 1)
    #expect(rows.allSatisfy { $0["idle_fresh30"] is NSNull })
    for name in ["budget_fetches_per_app_day", "budget_joules_per_user_day", "wins_over_poll", "fresh30_over_poll"] {
      #expect(rows[0][name] is NSNull, "\(name)")
    }
  }

  private static func clock(minute: Int) -> String {
    let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00"
  }

  @Test func `tables name the budgets, and the picture is drawn into its file`() async throws {
    let bench = try Bench()
    try bench.write(Self.header + Self.lines(), to: "traces.tsv")

    #expect(await bench.run("backtest", "traces.tsv", "--policy", "never,poll", "--picture", "front.svg") == 0)

    #expect(bench.screen.output.hasPrefix("1 person, 2 apps of theirs, "))
    #expect(bench.screen.output.contains("At 4 fetches for each app and day:"))
    #expect(bench.screen.output.contains("At 200 J a day (LTE, batched):"))
    let picture = try String(contentsOfFile: bench.folder + "/front.svg", encoding: .utf8)
    #expect(picture.hasPrefix("<svg") && picture.contains("poll"))
  }

  @Test func `a picture whose folder is missing is refused before anything is replayed`() async throws {
    let bench = try Bench()
    try bench.write(Self.header + Self.lines(), to: "traces.tsv")

    #expect(await bench.run("backtest", "traces.tsv", "--policy", "never", "--picture", "no/such/front.svg") == 2)

    #expect(bench.screen.output.isEmpty)
    #expect(bench.screen.errors.contains("There is no folder \(bench.folder)/no/such/ for the picture"))
  }

  @Test func `lines and people that are left out are told of beside the result`() async throws {
    let bench = try Bench()
    let others = "rubbish\nbob\t2027-03-01 08:00:00\tmail\tphone\nann\t2027-03-01 08:00:00\tsys01\tphone\n"
    try bench.write(Self.header + Self.lines() + others, to: "traces.tsv")

    #expect(await bench.run("backtest", "traces.tsv", "--policy", "never", "--json") == 0)

    #expect(bench.screen.errors.contains("line 66 was left out: it has 1 columns rather than 4"))
    #expect(bench.screen.errors.contains("1 line was out of order"))
    #expect(bench.screen.errors.contains("bob has 1 recorded days, and 14 are needed"))
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(bench.screen.output.utf8)) as? [[String: Any]])
    #expect(rows.first?["users_left_out"] as? Int == 1)
  }

  @Test(arguments: [
    (["missing.tsv"], Int32(2), "missing.tsv cannot be opened"), (["empty.tsv"], 1, "empty.tsv is empty"),
    (["short.tsv"], 1, "There is nobody"), (["wrong.tsv"], 1, "line 1 has to name the columns"),
    (["short.tsv", "--policy", ","], 2, "--policy needs the names of policies"),
    (["short.tsv", "--policy", "best"], 2, "There is no policy “best”"),
    (["short.tsv", "--users", ","], 2, "--users needs the names"),
    (["short.tsv", "--content", "--policy", "poll"], 2, "--content compares ways to decide of its own"),
    (["short.tsv", "--content"], 1, "There is nobody"),
  ])
  func `what cannot be used is refused in words`(arguments: [String], status: Int32, words: String) async throws {
    let bench = try Bench()
    try bench.write("", to: "empty.tsv")
    try bench.write(Self.header + Self.lines(days: 3), to: "short.tsv")
    try bench.write("time,app\n1,2\n", to: "wrong.tsv")

    let found = await Program.run(["backtest"] + arguments, in: bench.surroundings())

    #expect(found == status)
    #expect(bench.screen.errors.contains(words))
    #expect(bench.screen.output.isEmpty)
  }
}
