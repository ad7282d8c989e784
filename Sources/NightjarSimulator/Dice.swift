/// A small generator of chance: from the same seed it draws the same numbers in every process (SplitMix64).
public struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Dice that always fall the same way for a seed.
  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, and without, a bound.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  /// A number of a range, both ends included.
  mutating func draw(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(below(Int(range.upperBound - range.lowerBound) + 1))
  }

  /// Draws whether an event of this likelihood, in thousandths, happens.
  mutating func falls(_ perMille: Int) -> Bool { perMille > 0 && below(1000) < perMille }

  /// One of several.
  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
