/// Random numbers that a seed repeats (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
  mutating func any<Element>(of elements: [Element]) -> Element { elements.randomElement(using: &self)! }
}
