/// Bytes generated from a seed, so that both ends know them without a file.
public struct Content: Hashable, Sendable {
  /// The seed.
  public var seed: UInt64
  /// How many there are.
  public var size: Int64

  /// Content of a seed and size.
  public init(seed: UInt64, size: Int64) { (self.seed, self.size) = (seed, size) }

  /// The bytes of a range that lies within the content.
  public func bytes(_ range: Range<Int64>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= size, "\(range) lies outside of \(size) bytes")
    guard !range.isEmpty else { return [] }
    let first = range.lowerBound / 8
    let words = (first...(range.upperBound - 1) / 8).map(word)
    let skipped = Int(range.lowerBound - first * 8)
    return words.withUnsafeBytes { Array($0[skipped..<(skipped + range.count)]) }
  }

  /// All of it; for small contents.
  public var bytes: [UInt8] { bytes(0..<size) }

  /// The SHA-256 of all of it, in lowercase hexadecimal, as sha256sum(1) prints it.
  public var sha256: String {
    var digest = SHA256()
    var offset: Int64 = 0
    while offset < size {
      let end = min(offset + 65_536, size)
      digest.update(bytes(offset..<end))
      offset = end
    }
    return digest.hex()
  }

  /// One step of SplitMix64, as little-endian bytes in memory.
  private func word(_ index: Int64) -> UInt64 {
    var mixed = seed &+ UInt64(bitPattern: index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)).littleEndian
  }
}

/// SplitMix64 as a reproducible source of randomness.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
