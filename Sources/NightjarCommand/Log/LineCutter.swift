/// Cuts a stream of bytes into lines. A line longer than 64 KiB is cut where it stands.
struct LineCutter: Sendable {
  private static let lineBytesMax = 65_536
  private var rest: [UInt8] = []

  /// The lines that are complete now, without their line breaks. Bytes that are no UTF-8 become U+FFFD.
  mutating func lines(after block: [UInt8]) -> [String] {
    rest += block
    var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let open = lines.removeLast()
    rest = Array(open)
    var texts = lines.map { String(decoding: $0, as: UTF8.self) }
    if rest.count > Self.lineBytesMax { texts.append(contentsOf: last()) }
    return texts
  }

  /// What stands after the last line break, if anything does.
  mutating func last() -> [String] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
  }
}
