// What apps are like.
extension ScenarioReader {
  mutating func readApp(_ sentence: inout Sentence) throws(ScenarioError) {
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

  func name(in sentence: inout Sentence, before keywords: Set<String>) throws(ScenarioError) -> String {
    guard let onlyApp else { return try sentence.name(before: keywords) }
    if sentence.next.map({ keywords.contains($0.lowercased()) }) ?? true { return onlyApp }
    let name = try sentence.name(before: keywords)
    guard name == onlyApp else { throw sentence.complaint("there is no app '\(name)' here; leave its name out") }
    return name
  }

  mutating func mention(_ name: String, _ sentence: Sentence) throws(ScenarioError) -> Int {
    let index = scenario.mention(name)
    guard scenario.apps.count <= Scenario.appsMax else {
      throw sentence.complaint("one app too many: a scenario has \(Scenario.appsMax) at most")
    }
    return index
  }
}
