/// An index of the values of a JSON text: one node for each, in the order of the text, containers before their
/// contents. The bytes must outlive the tree.
final class MessageTree {
  /// What kind of value it is.
  enum Kind: UInt8 {
    case object, array, string, number, yes, no, null
  }

  /// A value, or the key of a member, which is a string before its value.
  struct Node {
    var kind: Kind
    /// Whether it is a string with escapes.
    var isEscaped = false
    /// Its bytes; for a string the contents without the quotes.
    var start: Int32
    var end: Int32 = 0
    /// The index of the first node after it and its contents.
    var next: Int32 = 0

    init(kind: Kind, start: Int32) { (self.kind, self.start) = (kind, start) }

    init(string range: Range<Int>, in scanner: JSONScanner, at place: Int) {
      (kind, start, end) = (.string, Int32(range.lowerBound), Int32(range.upperBound))
      isEscaped = UnsafeBufferPointer(rebasing: scanner.bytes[range]).contains(UInt8(ascii: "\\"))
      next = Int32(place + 1)
    }
  }

  /// The key of a member: its bytes as they are.
  struct Key: Hashable {
    let bytes: UnsafeBufferPointer<UInt8>

    static func == (a: Key, b: Key) -> Bool { a.bytes.elementsEqual(b.bytes) }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }

  /// Where the members of an object stand, by their keys.
  typealias Index = [Key: Int]

  /// An object with at most this many nodes is searched without an index.
  private static let plainMax = 128

  let bytes: UnsafeBufferPointer<UInt8>
  let nodes: [Node]

  /// Nil unless the text is valid JSON with plain keys and shorter than two gigabytes.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count < Int32.max, let nodes = try? Self.nodes(of: bytes) else { return nil }
    (self.bytes, self.nodes) = (bytes, nodes)
  }

  private static func nodes(of bytes: UnsafeBufferPointer<UInt8>) throws(JSONScanner.Fault) -> [Node] {
    var nodes: [Node] = []
    nodes.reserveCapacity(96)
    var scanner = JSONScanner(bytes)
    try add(&scanner, to: &nodes)
    try scanner.end()
    return nodes
  }

  private static func add(_ scanner: inout JSONScanner, to nodes: inout [Node]) throws(JSONScanner.Fault) {
    let (kind, place) = (try scanner.kind(), nodes.count)
    guard kind != .string else { return nodes.append(Node(string: try scanner.string(), in: scanner, at: place)) }
    nodes.append(Node(kind: .null, start: Int32(scanner.offset)))
    nodes[place].kind = try addInside(kind, &scanner, to: &nodes)
    (nodes[place].end, nodes[place].next) = (Int32(scanner.offset), Int32(nodes.count))
  }

  private static func addInside(
    _ kind: JSONScanner.Kind, _ scanner: inout JSONScanner, to nodes: inout [Node]
  ) throws(JSONScanner.Fault) -> Kind {
    switch kind {
    case .object:
      try scanner.object { (key, scanner) throws(JSONScanner.Fault) in
        let key = Node(string: key, in: scanner, at: nodes.count)
        guard !key.isEscaped else { throw JSONScanner.Fault(offset: Int(key.start), expected: "a plain key") }
        nodes.append(key)
        try add(&scanner, to: &nodes)
      }
      return .object
    case .array:
      try scanner.array { (_, scanner) throws(JSONScanner.Fault) in try add(&scanner, to: &nodes) }
      return .array
    case .string: preconditionFailure("a string holds nothing")
    case .number:
      try scanner.number()
      return .number
    case .boolean: return try scanner.boolean() ? .yes : .no
    case .null:
      try scanner.null()
      return .null
    }
  }

  /// How many elements an array has.
  func count(of array: Int) -> Int {
    var (count, element, end) = (0, array + 1, Int(nodes[array].next))
    while element < end { (count, element) = (count + 1, Int(nodes[element].next)) }
    return count
  }

  /// Where the keys of an object stand.
  func keys(of object: Int) -> [Int] {
    var (keys, key, end) = ([Int](), object + 1, Int(nodes[object].next))
    while key < end {
      keys.append(key)
      key = Int(nodes[key + 1].next)
    }
    return keys
  }

  /// The index of an object that is too large for linear searches; nil for others.
  func index(of object: Int) -> Index? {
    guard Int(nodes[object].next) - object > Self.plainMax else { return nil }
    return Index(keys(of: object).map { (Key(bytes: text($0)), $0 + 1) }) { first, _ in first }
  }

  /// The value of a member of an object.
  func member(_ name: String, of object: Int, _ index: Index?) -> Int? {
    var name = name
    return name.withUTF8 { name in
      if let index { return index[Key(bytes: name)] }
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

  /// A number that is written as a whole one and fits; else nil.
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
