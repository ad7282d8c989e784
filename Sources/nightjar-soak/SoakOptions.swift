import NightjarSimulator

/// What the soak was asked to do.
struct SoakOptions: Sendable {
  /// How many seeds.
  var seeds: UInt64 = 1000
  /// The first of them.
  var from: UInt64 = 0
  /// How hard the worlds are.
  var faults = Faults.harsh
  /// Whether every seed is announced and every note printed.
  var isLoud = false
  /// Whether the cost of a turn is measured instead.
  var measuresTurns = false
  /// Whether the cost of deciding about fetches is.
  var measuresDecisions = false

  /// Reads `--seeds N --from N --faults none|mild|harsh --loud --turn-cost --decision-cost`.
  init(_ arguments: [String]) throws(SoakUsage) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--loud": isLoud = true
      case "--turn-cost": measuresTurns = true
      case "--decision-cost": measuresDecisions = true
      default: try set(option, rest.popFirst())
      }
    }
  }

  private mutating func set(_ option: String, _ value: String?) throws(SoakUsage) {
    guard let value else { throw SoakUsage(problem: "\(option) needs a value") }
    switch (option, UInt64(value), Faults.named(value)) {
    case ("--seeds", let count?, _): seeds = count
    case ("--from", let first?, _): from = first
    case ("--faults", _, let named?): faults = named
    default:
      throw SoakUsage(
        problem: "'\(option) \(value)' is not an option: --seeds N, --from N, --faults NAME, --loud, --turn-cost, "
          + "--decision-cost")
    }
  }
}

/// What is wrong with the command line.
struct SoakUsage: Error, CustomStringConvertible {
  var problem: String
  var description: String { problem }
}
