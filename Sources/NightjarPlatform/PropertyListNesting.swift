import NightjarModel

/// How deep a property list goes, found before Foundation reads it: its reader calls itself for every level, and a
/// malicious list would use up the stack.
enum PropertyListNesting {
  private static let depthMax = 32
  private static let countMax = 256
  private static let containers = ["array", "dict", "plist"]
  private static let opening = containers.map { Array("<\($0)".utf8) }
  private static let closing = containers.map { Array("</\($0)".utf8) }
  private static let asides = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].map {
    (begin: Array($0.0.utf8), end: Array($0.1.utf8))
  }
  private static let tagEnd = UInt8(ascii: ">")

  /// Refuses what cannot be read without harm.
  static func check(_ bytes: [UInt8], at path: String) throws(PlatformError) {
    let isBinary = bytes.starts(with: "bplist".utf8)
    guard !(isBinary ? BinaryPropertyList.isSound(bytes) : isBounded(bytes)) else { return }
    let what = isBinary ? "is a damaged binary property list, or one" : "is a property list"
    throw PlatformError(
      .badBundle(key: nil), "\(path) \(what) with too many arrays and dictionaries in one another; it needs a few")
  }

  /// Whether a textual list does not go too deep. In one that is not XML in UTF-8 every bracket counts, closed or not.
  private static func isBounded(_ bytes: [UInt8]) -> Bool {
    let text = bytes.filter { $0 != 0 }  // UTF-16 has zeros in between.
    guard text.count == bytes.count, text.first(where: { (33..<128).contains($0) }) == UInt8(ascii: "<") else {
      return text.count(where: { "<({".utf8.contains($0) }) <= countMax
    }
    return depth(of: text) <= depthMax
  }

  /// How many elements are open at once, counted until they are too many.
  private static func depth(of xml: [UInt8]) -> Int {
    var rest = xml[...]
    var (depth, deepest) = (0, 0)
    while deepest <= depthMax, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let aside = asides.first(where: { rest.starts(with: $0.begin) }) {
        rest = rest.dropFirst(aside.begin.count)
        while !rest.isEmpty && !rest.starts(with: aside.end) { rest = rest.dropFirst() }
        rest = rest.dropFirst(aside.end.count)
        continue
      }
      let tag = rest.prefix { $0 != tagEnd }
      depth = max(depth + step(of: tag), 0)
      deepest = max(deepest, depth)
      rest = rest.dropFirst(tag.count)
    }
    return deepest
  }

  /// One level down, one up, or none.
  private static func step(of tag: ArraySlice<UInt8>) -> Int {
    if closing.contains(where: { tag.starts(with: $0) }) { return -1 }
    return tag.last != UInt8(ascii: "/") && opening.contains { tag.starts(with: $0) } ? 1 : 0
  }
}
