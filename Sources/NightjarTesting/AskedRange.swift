/// The one range of bytes that a `Range` field asks for (RFC 9110, section 14.1.2).
enum AskedRange {
  /// From a byte on, up to another one or to the end.
  case from(Int, through: Int?)
  /// So many bytes, up to the end.
  case last(Int)

  /// Nil for no field, for several ranges and for none of bytes: those are answered with all of the file.
  init?(_ field: String?) {
    guard let field, field.lowercased().hasPrefix("bytes=") else { return nil }
    let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?):
      guard first <= last else { return nil }
      self = .from(first, through: last)
    case (let first?, nil): self = .from(first, through: nil)
    case (nil, let count?): self = .last(count)
    case (nil, nil): return nil
    }
  }

  /// The first and the last position in a file of `length` bytes; nil if it has none of them.
  func positions(in length: Int) -> ClosedRange<Int>? {
    switch self {
    case .from(let first, let last): first < length ? first...min(last ?? .max, length - 1) : nil
    case .last(let count): count > 0 && length > 0 ? max(length - count, 0)...(length - 1) : nil
    }
  }

  /// More digits than a number holds lie beyond every file.
  private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}
