extension Character {
  /// The columns that a terminal gives this character: 2 for wide ones, 0 for a lone combining mark, else 1.
  var columns: Int { unicodeScalars.reduce(0) { Swift.max($0, $1.columns) } }
}

extension Unicode.Scalar {
  /// The blocks of Unicode Standard Annex #11 whose characters are wide, as far as terminals agree about them.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  fileprivate var columns: Int {
    if isASCII { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return properties.isEmojiPresentation || Self.wideBlocks.contains { $0.contains(value) } ? 2 : 1
    }
  }
}
