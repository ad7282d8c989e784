// What the person does.
extension ScenarioReader {
  mutating func readVisits(_ sentence: inout Sentence) throws(ScenarioError) {
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

  mutating func readAct(_ sentence: inout Sentence) throws(ScenarioError) {
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

  func act(_ kind: Scenario.Act.Kind, _ sentence: inout Sentence) throws(ScenarioError) -> Scenario.Act {
    let hasDays = sentence.hasDays
    var days = try sentence.days()
    let minute = sentence.takes("at") ? try sentence.time() : 0
    if !hasDays { days = try sentence.days() }
    return Scenario.Act(kind, days: days, minute: minute)
  }
}
