/// Cuts a stream of bytes into lines, and a line that is too long into pieces.
struct LineCutter: Sendable {
  /// A line, or a part of one that is too long.
  struct Piece: Hashable, Sendable {
    /// Without the line break; invalid UTF-8 is replaced by U+FFFD.
    var text: String
    /// Whether the next piece belongs to the same line.
    var goesOn = false
  }

  private let bytesMax: Int
  private var rest: [UInt8] = []
  private var isWithinLine = false

  /// - Parameter bytesMax: A longer line without an end yet is handed over in pieces.
  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// The lines that are complete now.
  mutating func pieces(after block: [UInt8]) -> [Piece] {
    var parts = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let open = parts.removeLast()
    var pieces: [Piece] = []
    for part in parts {
      rest += part
      pieces.append(take(rest.count, goesOn: false))
    }
    rest += open
    if rest.count > bytesMax { pieces.append(take(rest.count - unfinished, goesOn: true)) }
    return pieces
  }

  /// The text after the last line break, if any, as the end of its line.
  mutating func last() -> [Piece] { rest.isEmpty && !isWithinLine ? [] : [take(rest.count, goesOn: false)] }

  private mutating func take(_ count: Int, goesOn: Bool) -> Piece {
    defer {
      rest.removeFirst(count)
      isWithinLine = goesOn
    }
    return Piece(text: String(decoding: rest.prefix(count), as: UTF8.self), goesOn: goesOn)
  }

  /// How many bytes at the end belong to an incomplete character (RFC 3629, section 3).
  private var unfinished: Int {
    let tail = rest.suffix(3).reversed()
    guard let lead = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let count = tail.distance(from: tail.startIndex, to: lead) + 1
    return (~tail[lead]).leadingZeroBitCount > count ? count : 0
  }
}
