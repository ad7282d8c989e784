/// Decodes characters from UTF-8 (RFC 3629). Invalid bytes become U+FFFD.
struct CharacterDecoder: Sendable {
  private var bytes: [UInt8] = []
  private var length = 0

  /// Takes a byte that is no control character.
  mutating func take(_ byte: UInt8) -> [Unicode.Scalar] {
    if bytes.isEmpty { return begin(byte) }
    guard byte & 0xC0 == 0x80 else { return breakOff() + begin(byte) }
    bytes.append(byte)
    return bytes.count == length ? finish() : []
  }

  /// Ends an incomplete character, because something else follows.
  mutating func breakOff() -> [Unicode.Scalar] {
    defer { bytes = [] }
    return bytes.isEmpty ? [] : [Self.replacement]
  }

  private mutating func begin(_ byte: UInt8) -> [Unicode.Scalar] {
    switch byte {
    case ..<0x80: return [Unicode.Scalar(byte)]
    case 0xC2...0xDF: (bytes, length) = ([byte], 2)
    case 0xE0...0xEF: (bytes, length) = ([byte], 3)
    case 0xF0...0xF4: (bytes, length) = ([byte], 4)
    default: return [Self.replacement]
    }
    return []
  }

  private mutating func finish() -> [Unicode.Scalar] {
    defer { bytes = [] }
    return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"
}

extension Unicode.Scalar {
  /// How many cells it takes: 0 if it combines with the one before it, 2 if it is wide (Unicode Standard Annex 11).
  var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return value == 0xAD ? 1 : 0
    default: break
    }
    return isWideEmoji || Self.wideBlocks.contains { $0.contains(value) } ? 2 : 1
  }

  /// Two regional indicators form one wide flag, so each counts as half of it.
  private var isWideEmoji: Bool { properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(value) }

  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
