/// A fingerprint of all that was decided (FNV-1a over words): equal in every process for the same seed.
public struct Digest: Hashable, Sendable {
  /// The fingerprint so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The fingerprint of nothing.
  public init() {}

  /// Adds a number.
  public mutating func fold(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }

  mutating func fold(_ number: Int64) { fold(UInt64(bitPattern: number)) }
  mutating func fold(_ number: Int) { fold(Int64(number)) }

  mutating func fold(_ text: String) {
    fold(bytesOf: text)
    fold(UInt64(text.utf8.count))
  }

  /// Adds two words as one text, with a space in between.
  mutating func fold(words first: String, _ second: String) {
    fold(bytesOf: first)
    fold(UInt64(UInt8(ascii: " ")))
    fold(bytesOf: second)
    fold(UInt64(first.utf8.count + 1 + second.utf8.count))
  }

  private mutating func fold(bytesOf text: String) {
    var text = text  // So that its bytes are contiguous and are walked only once.
    text.withUTF8 { for byte in $0 { fold(UInt64(byte)) } }
  }
}
