/// How certain a mean over few people is: what it would be for others like them.
enum Bootstrap {
  /// The interval that holds the means of 95 of 100 samples drawn from these values with repetition. The same each
  /// time.
  static func interval(of values: [Double]) -> ClosedRange<Double> {
    guard !values.isEmpty else { return 0...0 }
    var dice = Dice(seed: 2012)
    let means = (0..<samples).map { _ in
      (0..<values.count).reduce(0.0) { sum, _ in sum + values[dice.below(values.count)] } / Double(values.count)
    }.sorted()
    return means[samples / 40]...means[samples - 1 - samples / 40]
  }

  private static let samples = 4000
}

/// Random numbers that are the same in each run (SplitMix64; Steele, Lea and Flood, OOPSLA 2014).
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// From zero to all ones.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// From 0 up to and without a bound.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  /// Above 0, up to 1.
  mutating func share() -> Double { (Double(next() >> 11) + 1) / Double(1 << 53) }
}
