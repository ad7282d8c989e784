/// Which bytes of a file a `Range` header asks for (RFC 9110, 14.2).
enum ByteRange: Equatable {
  /// All of it: no header, one that is no byte range, or several ranges, which a server may answer with the whole.
  case whole
  /// These bytes, at least one.
  case part(Range<Int>)
  /// Bytes that the file does not have.
  case unsatisfiable

  init(_ header: String?, size: Int) {
    guard let spec = header.flatMap(Self.singleSpec) else {
      self = .whole
      return
    }
    switch (spec.first, spec.last) {
    case (let first?, let last?) where last < first: self = .whole
    case (let first?, let last): self = Self.clamped(first, last ?? .max, size)
    case (nil, let count?): self = count == 0 ? .unsatisfiable : Self.clamped(max(size - count, 0), .max, size)
    case (nil, nil): self = .whole
    }
  }

  private static func clamped(_ first: Int, _ last: Int, _ size: Int) -> ByteRange {
    first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
  }

  /// The two numbers around the hyphen of `bytes=first-last`, either of which may be missing.
  private static func singleSpec(_ header: String) -> (first: Int?, last: Int?)? {
    let words = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let ends = trimmed(words[1]).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
    return (first, last)
  }

  /// The digits' value; an inner nil for no digits at all, an outer nil for something else.
  private static func number(_ digits: Substring) -> Int?? {
    if digits.isEmpty { return .some(nil) }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return .some(Int(digits) ?? .max)  // More digits than a number holds lie beyond every file.
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let spaces: Set<Character> = [" ", "\t"]
    guard let first = text.firstIndex(where: { !spaces.contains($0) }),
      let last = text.lastIndex(where: { !spaces.contains($0) })
    else { return "" }
    return text[first...last]
  }
}
