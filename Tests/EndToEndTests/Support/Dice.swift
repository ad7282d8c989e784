import Foundation

/// SplitMix64: chance that repeats when its seed does.
struct Dice: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) { (self.seed, state) = (seed, seed) }

  /// The dice of this run: a new seed, which is printed, or that of `NIGHTJAR_TEST_SEED`.
  static func ofThisRun() -> Dice {
    let given = ProcessInfo.processInfo.environment["NIGHTJAR_TEST_SEED"].flatMap { UInt64($0) }
    let dice = Dice(seed: given ?? .random(in: 1...999_999))
    print("NIGHTJAR_TEST_SEED=\(dice.seed)")
    return dice
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
