/// A fingerprint of all that was decided (FNV-1a over words): equal in every process for the same seed.
public struct Digest: Hashable, Sendable {
  /// The fingerprint so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The fingerprint of nothing.
  public init() {}

  /// Takes in a number.
  public mutating func fold(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }

  mutating func fold(_ number: Int64) { fold(UInt64(bitPattern: number)) }
  mutating func fold(_ number: Int) { fold(Int64(number)) }

  mutating func fold(_ text: String) {
    fold(bytesOf: text)
    fold(UInt64(text.utf8.count))
  }

  /// Takes in a text that comes in parts.
  mutating func fold(inParts parts: String...) {
    for part in parts { fold(bytesOf: part) }
    fold(UInt64(parts.reduce(0) { $0 + $1.utf8.count }))
  }

  private mutating func fold(bytesOf text: String) { for byte in text.utf8 { fold(UInt64(byte)) } }
}
