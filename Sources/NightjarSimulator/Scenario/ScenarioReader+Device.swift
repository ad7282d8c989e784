import NightjarModel

// What the device is like.
extension ScenarioReader {
  mutating func readStretch(_ sentence: inout Sentence) throws(ScenarioError) {
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
}
