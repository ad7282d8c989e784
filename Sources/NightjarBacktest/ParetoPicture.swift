import NightjarModel
public import NightjarPictures

extension BacktestReport {
  /// How fresh each policy keeps apps for what it spends: by fetches, and by joules of a mobile network of the fourth
  /// generation. What lies further up and to the left is better.
  public var picture: Picture {
    Picture(
      "Fresh content for what it costs", description: description,
      panels: [
        front("By fetches", "fetches for each app and day", \.budgetFetchesPerAppDay, \.fetchesPerAppDay),
        front("By energy", "joules a day (LTE, batched)", \.budgetJoulesPerUserDay, \.joulesLTEBatched, all: true),
      ])
  }

  private var description: String {
    let best = rows.filter { $0.policy == PolicyName.nightjar.rawValue && $0.budgetFetchesPerAppDay != nil }
    let words = best.map { row in
      "\(row.fresh30.rounded(decimals: 3)) at \(row.fetchesPerAppDay.rounded(decimals: 1)) fetches"
    }
    return
      "The share of launches that met content of at most 30 minutes, over what each policy spent, for \(users) people. "
      + (words.isEmpty ? "" : "Nightjar's own: \(words.joined(separator: ", ")).")
  }

  private func front(
    _ title: String, _ label: String, _ budget: KeyPath<BacktestRow, Double?>, _ spent: KeyPath<BacktestRow, Double>,
    all: Bool = false
  ) -> Plot {
    let drawn = rows.filter { (all || $0[keyPath: budget] != nil) && $0[keyPath: spent] > 0 }
    let series = PolicyName.allCases.compactMap { policy -> Series? in
      let points = drawn.filter { $0.policy == policy.rawValue }.map { Point($0[keyPath: spent], $0.fresh30) }
      guard !points.isEmpty else { return nil }
      return Series(policy.rawValue, .dottedLine, policy.ink, points.sorted { ($0.x, $0.y) < ($1.x, $1.y) })
    }
    let values = drawn.map { $0[keyPath: spent] }
    return Plot(
      title, x: .fitting(label, values, .logarithmic), y: Axis("launches with content ≤ 30 min", 0...1), series: series)
  }
}

extension PolicyName {
  fileprivate var ink: Ink {
    switch self {
    case .nightjar: .blue
    case .nightjarOnline: .grey
    case .poll: .orange
    case .pollWaking: .red
    case .histogram: .green
    case .mostFrequent: .purple
    case .mostRecent: .sky
    case .oracle: .text
    case .never: .grey
    }
  }
}
