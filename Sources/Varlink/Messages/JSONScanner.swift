import FoundationEssentials

/// Scans the text of a JSON value without building values: the cheap first pass over every message.
///
/// It accepts exactly the grammar of RFC 8259, nested no deeper than ``depthMax``. A caller requests what it expects,
/// in order, and gets ranges of bytes. The bytes must outlive the scanner.
struct JSONScanner {
  /// What stopped a scan: the offset in bytes and what was expected there.
  struct Fault: Error, Equatable {
    let offset: Int
    let expected: String
  }

  /// What kind of value begins at the scanner's position.
  enum Kind { case object, array, string, number, boolean, null }

  static let depthMax = 128

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0
  /// Whether no escape so far was a lone surrogate, which no text can contain.
  private(set) var isText = true
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The byte at the scanner's position; 0, which no JSON contains, at the end.
  private var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  /// The kind of the next value; the position stays before it.
  mutating func kind() throws(Fault) -> Kind {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw fault("a value")
    }
  }

  /// Skips one value of any kind and returns its range.
  @discardableResult
  mutating func value() throws(Fault) -> Range<Int> {
    let kind = try kind()
    let start = offset
    switch kind {
    case .object: try object { (_, scanner) throws(Fault) in try scanner.value() }
    case .array: try array { (_, scanner) throws(Fault) in try scanner.value() }
    case .string: try string()
    case .number: try number()
    case .boolean: try boolean()
    case .null: try null()
    }
    return start..<offset
  }

  /// Scans an object: the closure gets each key, and must take the value.
  mutating func object(_ field: (Range<Int>, inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
    try enter(UInt8(ascii: "{"), "an object")
    if !skip(UInt8(ascii: "}")) {
      repeat {
        let key = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"), "a colon")
        try field(key, &self)
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"), "a comma or the end of the object")
    }
    depth -= 1
  }

  /// Scans an array: the closure gets each index, and must take the element.
  mutating func array(_ element: (Int, inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
    try enter(UInt8(ascii: "["), "an array")
    if !skip(UInt8(ascii: "]")) {
      var index = 0
      repeat {
        try element(index, &self)
        index += 1
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"), "a comma or the end of the array")
    }
    depth -= 1
  }

  /// Skips a string and returns the range of its contents, without quotes, with escapes as they are.
  @discardableResult
  mutating func string() throws(Fault) -> Range<Int> {
    skipSpace()
    try expect(UInt8(ascii: "\""), "a string")
    let start = offset
    while true {
      skipPlain()
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return start..<offset - 1
      case UInt8(ascii: "\\"): try escape()
      default: throw fault("the end of the string")
      }
    }
  }

  /// Skips a number and returns whether it is written as a whole one.
  @discardableResult
  mutating func number() throws(Fault) -> Bool {
    skipSpace()
    if byte == UInt8(ascii: "-") { offset += 1 }
    if byte == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    var whole = true
    if byte == UInt8(ascii: ".") {
      whole = false
      offset += 1
      try digits()
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      whole = false
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    return whole
  }

  /// Skips a number and returns whether it is a whole one of 64 bits.
  mutating func integer() throws(Fault) -> Bool {
    skipSpace()
    let start = offset
    guard try number() else { return false }
    let digits = bytes[start..<offset]
    return digits.count <= 18 || Int64(String(decoding: digits, as: UTF8.self)) != nil
  }

  /// Takes `true` or `false`.
  @discardableResult
  mutating func boolean() throws(Fault) -> Bool {
    skipSpace()
    if byte == UInt8(ascii: "t") {
      try word("true")
      return true
    }
    try word("false")
    return false
  }

  /// Takes `null`.
  mutating func null() throws(Fault) {
    skipSpace()
    try word("null")
  }

  /// Checks that nothing follows.
  mutating func end() throws(Fault) {
    skipSpace()
    if offset < bytes.count { throw fault("the end of the message") }
  }

  /// Whether the contents of a string, as ``string()`` returned them, equal a text once escapes are resolved.
  ///
  /// It allocates nothing and stops at the first difference: a message may have millions of keys.
  ///
  /// - Parameter text: In ASCII, as every name of an interface is.
  func matches(_ range: Range<Int>, _ text: [UInt8]) -> Bool {
    var place = range.lowerBound
    for wanted in text {
      guard place < range.upperBound else { return false }
      if bytes[place] == UInt8(ascii: "\\") {
        guard escaped(at: place) == wanted else { return false }
        place += bytes[place + 1] == UInt8(ascii: "u") ? 6 : 2
      } else {
        guard bytes[place] == wanted else { return false }
        place += 1
      }
    }
    return place == range.upperBound
  }

  /// The character of an escape; nil if it is not ASCII.
  private func escaped(at place: Int) -> UInt8? {
    switch bytes[place + 1] {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      let unit = (place + 2..<place + 6).reduce(UInt16(0)) { $0 << 4 | (Self.digit(bytes[$1]) ?? 0) }
      return unit < 0x80 ? UInt8(unit) : nil
    case let character: return character
    }
  }

  /// The contents of a string, escapes resolved; nil if one is a lone surrogate.
  func text(_ range: Range<Int>) -> String? {
    let contents = UnsafeBufferPointer(rebasing: bytes[range])
    guard contents.contains(UInt8(ascii: "\\")) else { return String(decoding: contents, as: UTF8.self) }
    return Wire.unescape(UnsafeBufferPointer(rebasing: bytes[range.lowerBound - 1..<range.upperBound + 1]))
  }

  /// The contents of a string for a person; with escapes as they are if they are no valid text.
  func words(_ range: Range<Int>) -> String { text(range) ?? String(decoding: bytes[range], as: UTF8.self) }

  private func fault(_ expected: String) -> Fault {
    Fault(offset: offset, expected: expected)
  }

  private mutating func skipSpace() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Skips this byte, if it is next.
  private mutating func skip(_ wanted: UInt8) -> Bool {
    skipSpace()
    guard byte == wanted else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ wanted: UInt8, _ expected: String) throws(Fault) {
    guard byte == wanted else { throw fault(expected) }
    offset += 1
  }

  private mutating func enter(_ bracket: UInt8, _ expected: String) throws(Fault) {
    skipSpace()
    try expect(bracket, expected)
    depth += 1
    guard depth <= Self.depthMax else { throw fault("no more than \(Self.depthMax) levels") }
  }

  /// Skips the bytes of a string up to an escape or its end.
  private mutating func skipPlain() {
    var end = offset
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") {
      end += 1
    }
    offset = end
  }

  private mutating func escape() throws(Fault) {
    offset += 1
    switch byte {
    case UInt8(ascii: "u"):
      offset += 1
      try character()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
    default: throw fault("an escape")
    }
  }

  /// Skips the hexadecimal digits of an escape, and after the first of a surrogate pair the escape of the second.
  private mutating func character() throws(Fault) {
    let unit = try codeUnit()
    guard unit & 0xF800 == 0xD800 else { return }
    guard UTF16.isLeadSurrogate(unit), byte == UInt8(ascii: "\\"), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return isText = false }
    offset += 2
    if !UTF16.isTrailSurrogate(try codeUnit()) { isText = false }
  }

  private mutating func codeUnit() throws(Fault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Self.digit(byte) else { throw fault("four hexadecimal digits") }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }

  /// The value of a hexadecimal digit; nil if it is none.
  private static func digit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private mutating func digits() throws(Fault) {
    let start = offset
    while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
    if offset == start { throw fault("a digit") }
  }

  private mutating func word(_ word: StaticString) throws(Fault) {
    for index in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[index] else { throw fault("\(word)") }
      offset += 1
    }
  }
}
