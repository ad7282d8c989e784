/// The one range of bytes that a `Range` field asks for (RFC 9110, section 14.1.2).
enum AskedRange {
  /// From a byte on, up to another one or to the end.
  case from(Int, through: Int?)
  /// That many bytes at the end.
  case last(Int)

  /// Nil without a field, for several ranges, and for a range of other units: those are answered with the whole file.
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

  /// The range as positions in a file of `length` bytes; nil if none of it lies in the file.
  func positions(in length: Int) -> ClosedRange<Int>? {
    switch self {
    case .from(let first, let last): first < length ? first...min(last ?? .max, length - 1) : nil
    case .last(let count): count > 0 && length > 0 ? max(length - count, 0)...(length - 1) : nil
    }
  }

  /// Reads a number; one that does not fit an `Int` lies beyond the end of every file.
  private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}
