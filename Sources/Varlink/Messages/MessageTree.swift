/// Where the values of a JSON text stand: one entry for each, in the order of the text, those inside of others after
/// them. The bytes must outlive the tree.
final class MessageTree {
  /// What kind of value it is.
  enum Kind: UInt8 {
    case object, array, string, number, yes, no, null
  }

  /// A value, or the key of a member, which is a string before its value.
  struct Node {
    let kind: Kind
    /// Whether it is a string with escapes.
    var isEscaped = false
    /// Its bytes; of a string the contents without the quotes.
    var start: Int32
    var end: Int32 = 0
    /// The place after everything inside of it.
    var next: Int32 = 0
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var nodes: [Node] = []

  /// Nil unless it is sound JSON with plain keys and of less than two gigabytes.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    guard bytes.count < Int32.max else { return nil }
    nodes.reserveCapacity(96)
    do throws(JSONScanner.Fault) {
      var scanner = JSONScanner(bytes)
      try add(&scanner)
      try scanner.end()
    } catch { return nil }
  }

  private func add(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    let (kind, place) = (try scanner.kind(), nodes.count)
    switch kind {
    case .object:
      append(.object, scanner.offset)
      try scanner.object { (key, scanner) throws(JSONScanner.Fault) in
        guard !append(string: key) else { throw JSONScanner.Fault(offset: key.lowerBound, expected: "a plain key") }
        try add(&scanner)
      }
    case .array:
      append(.array, scanner.offset)
      try scanner.array { (_, scanner) throws(JSONScanner.Fault) in try add(&scanner) }
    case .string: append(string: try scanner.string())
    case .number:
      append(.number, scanner.offset)
      try scanner.number()
    case .boolean:
      append(.no, scanner.offset)
      if try scanner.boolean() { nodes[place] = Node(kind: .yes, start: nodes[place].start) }
    case .null:
      append(.null, scanner.offset)
      try scanner.null()
    }
    if kind != .string { nodes[place].end = Int32(scanner.offset) }
    nodes[place].next = Int32(nodes.count)
  }

  private func append(_ kind: Kind, _ start: Int) { nodes.append(Node(kind: kind, start: Int32(start))) }

  /// True if the string has escapes.
  @discardableResult
  private func append(string range: Range<Int>) -> Bool {
    let isEscaped = UnsafeBufferPointer(rebasing: bytes[range]).contains(UInt8(ascii: "\\"))
    nodes.append(
      Node(
        kind: .string, isEscaped: isEscaped, start: Int32(range.lowerBound), end: Int32(range.upperBound),
        next: Int32(nodes.count + 1)))
    return isEscaped
  }

  /// The value of a member of an object.
  func member(_ name: String, of object: Int) -> Int? {
    var name = name
    return name.withUTF8 { name in
      let end = Int(nodes[object].next)
      var key = object + 1
      while key < end {
        if text(key).elementsEqual(name) { return key + 1 }
        key = Int(nodes[key + 1].next)
      }
      return nil
    }
  }

  /// The bytes of a value.
  func text(_ place: Int) -> UnsafeBufferPointer<UInt8> {
    let node = nodes[place]
    return UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
  }

  func string(_ place: Int) -> String? {
    let node = nodes[place]
    guard node.kind == .string else { return nil }
    guard node.isEscaped else { return String(decoding: text(place), as: UTF8.self) }
    return JSONScanner(bytes).text(Int(node.start)..<Int(node.end))
  }

  func flag(_ place: Int) -> Bool? {
    switch nodes[place].kind {
    case .yes: true
    case .no: false
    case .object, .array, .string, .number, .null: nil
    }
  }

  /// A number that is written as a whole one and fits.
  func integer<Number: FixedWidthInteger>(_ place: Int) -> Number? {
    guard nodes[place].kind == .number else { return nil }
    let text = text(place)
    guard text.count <= 18, text[0] != UInt8(ascii: "-") else {
      return Number(String(decoding: text, as: UTF8.self))
    }
    var number: Int64 = 0
    for byte in text {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return Number(exactly: number)
  }

  func fraction(_ place: Int) -> Double? {
    nodes[place].kind == .number ? Double(String(decoding: text(place), as: UTF8.self)) : nil
  }
}
