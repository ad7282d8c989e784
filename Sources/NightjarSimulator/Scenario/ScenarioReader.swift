import NightjarModel

/// Reads a scenario from its sentences.
struct ScenarioReader {
  var scenario = Scenario()
  /// The real app that is meant if a sentence names none; nil if all apps are made up.
  let onlyApp: String?
  /// The first numbered day that each line names.
  private var daysNamed: [(line: Int, day: Int)] = []
  /// The line of each act.
  private var linesOfActs: [Int] = []

  init(onlyApp: String?) {
    self.onlyApp = onlyApp
    if let onlyApp { _ = scenario.mention(onlyApp) }
  }

  mutating func read(_ text: String, _ line: Int) throws(ScenarioError) {
    let words = Sentence.withoutComment(text)
    guard words.utf8.count <= 1000 else { throw ScenarioError(line: line, "a line has 1000 bytes at most") }
    var sentence = try Sentence(words, line: line)
    guard sentence.next != nil else { return }
    switch sentence.keyword ?? "" {
    case "title", "about", "days", "starts", "battery", "time", "clocks": try readFrame(&sentence)
    case "opens": try readVisits(&sentence)
    case "removes", "refresh", "fetch": try readAct(&sentence)
    case "network", "charging", "low", "asleep": try readStretch(&sentence)
    default: try readApp(&sentence)
    }
    try sentence.end()
    if let day = sentence.dayNamed { daysNamed.append((line, day)) }
    if linesOfActs.count < scenario.acts.count { linesOfActs.append(line) }
  }

  /// The finished scenario. It may name days up to this number although it has fewer.
  func finished(atLeast days: Int) throws(ScenarioError) -> Scenario {
    let days = max(days, scenario.days)
    if let (line, day) = daysNamed.first(where: { $0.day > days }) {
      throw ScenarioError(line: line, "day \(day) is beyond the scenario's \(days) days; write 'days \(day)' for more")
    }
    guard !scenario.apps.isEmpty else {
      throw ScenarioError(line: nil, "nothing ever happens; write a line such as: opens Mail at 09:00 on weekdays")
    }
    try checkClocks(in: days)
    return scenario
  }

  /// Clocks are set one after the other, whatever order the lines are in.
  private func checkClocks(in days: Int) throws(ScenarioError) {
    var scenario = scenario
    scenario.days = days
    if let refusal = ClockPlan(scenario).refusal {
      throw ScenarioError(line: linesOfActs[refusal.act], refusal.reason)
    }
  }

  // MARK: What holds for all of it

  private mutating func readFrame(_ sentence: inout Sentence) throws(ScenarioError) {
    switch try sentence.word("").lowercased() {
    case "title": scenario.name = try text(&sentence)
    case "about": scenario.about = try text(&sentence)
    case "days": scenario.days = try sentence.number("number of days", in: 1...Scenario.daysMax)
    case "starts": try readStart(&sentence)
    case "battery": try readBattery(&sentence)
    case "time": try readZone(&sentence)
    default: try readClocks(&sentence)
    }
  }

  private func text(_ sentence: inout Sentence) throws(ScenarioError) -> String {
    let text = sentence.wording
    guard !text.isEmpty else { throw sentence.complaint("the words are missing") }
    while sentence.next != nil { _ = try sentence.word("") }
    return text
  }

  private mutating func readStart(_ sentence: inout Sentence) throws(ScenarioError) {
    let word = try sentence.word("a date")
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard parts.count == 3, (1970...2100).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2]),
      CalendarDay(year: parts[0], month: parts[1], day: parts[2]).day == parts[2]
    else { throw sentence.complaint("'\(word)' is no date from 1970 to 2100; write one such as 2026-01-05") }
    scenario.start = CalendarDay(year: parts[0], month: parts[1], day: parts[2])
  }

  private mutating func readBattery(_ sentence: inout Sentence) throws(ScenarioError) {
    if sentence.takes("lasts") {
      scenario.batteryLasts = Int(try sentence.duration(in: 600_000...31_536_000_000) / 60_000)
    } else if sentence.takes("charges", "in") {
      scenario.batteryCharges = Int(try sentence.duration(in: 600_000...604_800_000) / 60_000)
    } else {
      throw sentence.complaint("write 'battery lasts 16 h' or 'battery charges in 2 h'")
    }
  }

  private mutating func readZone(_ sentence: inout Sentence) throws(ScenarioError) {
    guard sentence.takes("zone") else { throw sentence.complaint("write 'time zone +02:00'") }
    let word = try sentence.word("an offset from UTC")
    guard let offset = Self.offset(word) else {
      throw sentence.complaint("'\(word)' is no offset from UTC; write one such as +02:00, or -05:30")
    }
    guard sentence.next != nil else { return scenario.offset = offset }
    scenario.acts.append(try act(.zone(offset), &sentence))
  }

  private mutating func readClocks(_ sentence: inout Sentence) throws(ScenarioError) {
    let isForward = sentence.takes("forward")
    guard isForward || sentence.takes("back") else {
      throw sentence.complaint("write 'clocks forward on day 3' or 'clocks back on day 3'")
    }
    let days = try sentence.days()
    scenario.acts.append(.init(.clocks(isForward ? 3600 : -3600), days: days, minute: isForward ? 120 : 180))
  }

  private static func offset(_ word: String) -> Int64? {
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let hours = parts[0], let minutes = parts[1], (0...14).contains(hours),
      (0...59).contains(minutes), hours * 60 + minutes <= 14 * 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
