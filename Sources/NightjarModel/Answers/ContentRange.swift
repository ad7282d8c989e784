/// The value of a `Content-Range` field in bytes.
package struct ContentRange: Hashable, Sendable {
  /// First and last position, both included; nil in a 416.
  package var positions: ClosedRange<Int64>?
  /// The whole length; nil for `*`.
  package var total: Int64?

  /// Reads the field; nil for what is none.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1] == "*" || Self.number(halves[1]) != nil else { return nil }
    total = Self.number(halves[1])
    if halves[0] == "*" { return }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
      return nil
    }
    positions = first...last
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
  }
}
