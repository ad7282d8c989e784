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

  /// Reads `--seeds N --from N --faults none|mild|harsh --loud`.
  init(_ arguments: [String]) throws(SoakUsage) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--loud" {
        isLoud = true
        continue
      }
      guard let value = rest.popFirst() else { throw SoakUsage(problem: "\(option) needs a value") }
      try set(option, value)
    }
  }

  private mutating func set(_ option: String, _ value: String) throws(SoakUsage) {
    switch (option, UInt64(value), Faults.named(value)) {
    case ("--seeds", let count?, _): seeds = count
    case ("--from", let first?, _): from = first
    case ("--faults", _, let named?): faults = named
    default:
      throw SoakUsage(problem: "'\(option) \(value)' is not an option: --seeds N, --from N, --faults NAME, --loud")
    }
  }
}

/// What is wrong with the command line.
struct SoakUsage: Error, CustomStringConvertible {
  var problem: String
  var description: String { problem }
}
