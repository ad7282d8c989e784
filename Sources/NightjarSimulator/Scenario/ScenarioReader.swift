public import NightjarModel

extension Scenario {
  /// Reads a scenario, one sentence a line; `#` outside of quotation marks begins a comment.
  ///
  /// - Throws: ``ScenarioError`` for the first invalid line, with what to write instead.
  public init(_ text: String) throws(ScenarioError) {
    try self.init(lines: Self.lines(of: text))
  }

  /// Reads a scenario from its lines.
  ///
  /// - Parameter days: How many days to play, if not the scenario's own number.
  /// - Throws: ``ScenarioError`` for the first invalid line, with what to write instead.
  public init(lines: [String], days: Int? = nil) throws(ScenarioError) {
    try self.init(lines: lines, onlyApp: nil, days: days)
  }

  /// Reads a scenario of one real app, whose name may be left out.
  ///
  /// - Throws: ``ScenarioError``, also for sentences that describe made-up apps.
  package init(_ text: String, of app: String) throws(ScenarioError) {
    try self.init(lines: Self.lines(of: text), onlyApp: app)
  }

  private static func lines(of text: String) -> [String] {
    text.withoutByteOrderMark.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
  }

  private init(lines: [String], onlyApp: String?, days: Int? = nil) throws(ScenarioError) {
    self.init()
    guard lines.count <= Self.linesMax else {
      throw ScenarioError(line: nil, "a scenario of \(lines.count) lines is too long: \(Self.linesMax) at most")
    }
    var reader = ScenarioReader(onlyApp: onlyApp)
    for (number, line) in lines.enumerated() { try reader.read(line, number + 1) }
    self = try reader.finished(atLeast: days ?? 0)
    self.days = days ?? self.days
  }

  /// The days of the scenario with their numbers.
  public var calendar: [(number: Int, day: CalendarDay)] {
    (1...max(days, 1)).map { ($0, CalendarDay(number: start.number + Int64($0) - 1)) }
  }
}

/// Reads a scenario from its sentences.
struct ScenarioReader {
  private var scenario = Scenario()
  /// The real app that is meant if a sentence names none; nil if all apps are made up.
  private let onlyApp: String?
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

  // MARK: What the person does

  private mutating func readVisits(_ sentence: inout Sentence) throws(ScenarioError) {
    _ = sentence.takes("opens")
    let app = try mention(name(in: &sentence, before: Self.untilTimes), sentence)
    let hasDays = sentence.hasDays
    let days = try sentence.days()
    var visits = Scenario.Visits(app: app, days: days, times: try visitTimes(&sentence), lasts: 180)
    try readManner(of: &visits, hasDays: hasDays, &sentence)
    scenario.visits.append(visits)
  }

  private func visitTimes(_ sentence: inout Sentence) throws(ScenarioError) -> Scenario.Visits.Times {
    if sentence.takes("at") { return .at(minute: try sentence.time(), giveOrTake: 600) }
    let count = try sentence.number("number of times", in: 1...500)
    guard sentence.takes("times", "a", "day") || sentence.takes("times") else {
      throw sentence.complaint("write 'at 09:00', or '5 times 08:00-22:00'")
    }
    let span = sentence.hasTimes ? try sentence.times() : (from: 8 * 60, to: 22 * 60)
    return .count(count, from: span.from, to: span.to)
  }

  /// The keywords that begin what days are meant. A name that contains one is put in quotation marks.
  private static let untilDays: Set = ["on", "daily", "every"]
  /// The keywords that may follow the name of an app that is acted on.
  private static let untilDeed = untilDays.union(["at"])
  /// The keywords that may follow the name of an opened app.
  private static let untilTimes = untilDeed.union(["times"] + (1...500).map(String.init))

  private func readManner(
    of visits: inout Scenario.Visits, hasDays: Bool, _ sentence: inout Sentence
  ) throws(ScenarioError) {
    var hasDays = hasDays
    while sentence.next != nil {
      if !hasDays, sentence.hasDays {
        (visits.days, hasDays) = (try sentence.days(), true)
      } else if sentence.takes("for") {
        visits.lasts = try sentence.duration(in: 1000...43_200_000) / 1000
      } else if case .at(let minute, _) = visits.times, sentence.takes("give", "or", "take") {
        visits.times = .at(minute: minute, giveOrTake: Int(try sentence.duration(in: 0...43_200_000) / 1000))
      } else {
        return
      }
    }
  }

  private mutating func readAct(_ sentence: inout Sentence) throws(ScenarioError) {
    if sentence.takes("fetch") {
      guard sentence.takes("now") else { throw sentence.complaint("write 'fetch now Mail on day 2 at 12:00'") }
      let app = try mention(name(in: &sentence, before: Self.untilDeed), sentence)
      return scenario.acts.append(try act(.fetch(app: app), &sentence))
    }
    if sentence.takes("removes") {
      let app = try mention(name(in: &sentence, before: Self.untilDeed.union(["from"])), sentence)
      _ = sentence.takes("from", "the", "switcher")
      return scenario.acts.append(try act(.removes(app: app), &sentence))
    }
    _ = sentence.takes("refresh")
    let isOn = sentence.takes("on")
    guard isOn || sentence.takes("off") else {
      throw sentence.complaint("write 'refresh off for Mail on day 3 at 12:00', or 'refresh on …'")
    }
    let app = sentence.takes("for") ? try mention(name(in: &sentence, before: Self.untilDeed), sentence) : nil
    scenario.acts.append(try act(.refresh(app: app, isOn), &sentence))
  }

  private func act(_ kind: Scenario.Act.Kind, _ sentence: inout Sentence) throws(ScenarioError) -> Scenario.Act {
    let hasDays = sentence.hasDays
    var days = try sentence.days()
    let minute = sentence.takes("at") ? try sentence.time() : 0
    if !hasDays { days = try sentence.days() }
    return Scenario.Act(kind, days: days, minute: minute)
  }

  // MARK: What the device is like

  private mutating func readStretch(_ sentence: inout Sentence) throws(ScenarioError) {
    let kind = try stretchKind(&sentence)
    let hasDays = sentence.hasDays
    var days = try sentence.days()
    let times = sentence.hasTimes ? try sentence.times() : (from: 0, to: 1440)
    if !hasDays { days = try sentence.days() }
    scenario.stretches.append(.init(kind, days: days, from: times.from, to: times.to))
  }

  private func stretchKind(_ sentence: inout Sentence) throws(ScenarioError) -> Scenario.Stretch.Kind {
    switch try sentence.word("").lowercased() {
    case "charging": return .charging
    case "asleep": return .asleep
    case "low":
      if sentence.takes("power") { return .lowPower }
      if sentence.takes("data") { return .lowData }
      throw sentence.complaint("write 'low power 18:00-22:00' or 'low data'")
    default: return try networkKind(&sentence)
    }
  }

  private func networkKind(_ sentence: inout Sentence) throws(ScenarioError) -> Scenario.Stretch.Kind {
    let word = try sentence.word("how the network is")
    switch word.lowercased() {
    case "lost", "none": return .network(.none)
    case "flaky": return .flaky
    case "cellular": return .network(.cellular)
    case "metered": return .network(.metered)
    default:
      throw sentence.complaint("a network is not '\(word)'; write lost, flaky, cellular or metered")
    }
  }

  // MARK: What apps are like

  private mutating func readApp(_ sentence: inout Sentence) throws(ScenarioError) {
    let verbs: Set = ["changes", "never", "fetches", "takes", "receives", "fails"]
    let start = sentence
    guard onlyApp == nil else {
      throw start.complaint("'\(start.rest)' is not understood, or speaks of a made-up app; here the app is a real one")
    }
    let index = try mention(name(in: &sentence, before: verbs), sentence)
    guard let verb = sentence.next?.lowercased() else {
      throw start.complaint("'\(start.rest)' is not understood; see 'nightjar simulate --help' for what can be written")
    }
    _ = try sentence.word("")
    switch verb {
    case "changes": scenario.apps[index].changesEvery = try every(&sentence)
    case "fetches": scenario.apps[index].fetchInterval = try every(&sentence)
    case "takes": scenario.apps[index].fetchTakes = try sentence.duration(in: 1...600_000)
    case "receives": scenario.apps[index].fetchReceives = try size(&sentence)
    case "fails": scenario.apps[index].failsPercent = try sentence.percent()
    default: try readNever(index, &sentence)
    }
  }

  private mutating func readNever(_ index: Int, _ sentence: inout Sentence) throws(ScenarioError) {
    if sentence.takes("changes") {
      scenario.apps[index].changesEvery = nil
    } else if sentence.takes("fetches") {
      scenario.apps[index].fetchInterval = nil
    } else {
      throw sentence.complaint("write 'never changes' or 'never fetches'")
    }
  }

  private func every(_ sentence: inout Sentence) throws(ScenarioError) -> Int64 {
    guard sentence.takes("every") else { throw sentence.complaint("'every' is missing; write 'every 40 min'") }
    return try sentence.duration() / 1000
  }

  private func size(_ sentence: inout Sentence) throws(ScenarioError) -> Int64 {
    let count = try sentence.number("size", in: 0...1_000_000)
    let unit = try sentence.word("a unit")
    guard let factor = ["B": 1, "kB": 1000, "MB": 1_000_000][unit] as Int64? else {
      throw sentence.complaint("'\(unit)' is no unit of a size here; write B, kB or MB")
    }
    return Int64(count) * factor
  }

  private func name(in sentence: inout Sentence, before keywords: Set<String>) throws(ScenarioError) -> String {
    guard let onlyApp else { return try sentence.name(before: keywords) }
    if sentence.next.map({ keywords.contains($0.lowercased()) }) ?? true { return onlyApp }
    let name = try sentence.name(before: keywords)
    guard name == onlyApp else { throw sentence.complaint("there is no app '\(name)' here; leave its name out") }
    return name
  }

  private mutating func mention(_ name: String, _ sentence: Sentence) throws(ScenarioError) -> Int {
    let index = scenario.mention(name)
    guard scenario.apps.count <= Scenario.appsMax else {
      throw sentence.complaint("one app too many: a scenario has \(Scenario.appsMax) at most")
    }
    return index
  }
}
