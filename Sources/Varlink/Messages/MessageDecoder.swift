import FoundationEssentials

/// Decodes values from JSON text by an index of its positions, several times as fast as Foundation's decoder.
///
/// It handles the expected. Everything else is left to Foundation's decoder, which has the error messages for it.
struct MessageDecoder: Decoder {
  private let tree: MessageTree
  private let place: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ tree: MessageTree, _ place: Int) { (self.tree, self.place) = (tree, place) }

  /// The value in a text; nil if Foundation's decoder has to read it, or to report what is wrong with it.
  static func value<Value: Decodable>(_ type: Value.Type, in text: UnsafeBufferPointer<UInt8>) -> Value? {
    MessageTree(text).flatMap { try? read(type, $0, 0) }
  }

  fileprivate static func read<Value: Decodable>(
    _ type: Value.Type, _ tree: MessageTree, _ place: Int
  ) throws -> Value {
    guard !MessageEncoder.isForeign(type) else { throw Unfit() }
    return try Value(from: MessageDecoder(tree, place))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard tree.nodes[place].kind == .object else { throw Unfit() }
    return KeyedDecodingContainer(Members(tree, place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Entries(tree, place) }
  func singleValueContainer() -> any SingleValueDecodingContainer { One(tree: tree, place: place) }

  fileprivate static func at(_ place: Int, of tree: MessageTree) -> MessageDecoder { MessageDecoder(tree, place) }
}

/// Something is not as expected.
private struct Unfit: Error {}

extension Optional {
  fileprivate func fitting() throws -> Wrapped {
    guard let self else { throw Unfit() }
    return self
  }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let tree: MessageTree
  private let place: Int
  private let index: MessageTree.Index?

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { tree.keys(of: place).compactMap { tree.string($0).flatMap(Key.init(stringValue:)) } }

  init(_ tree: MessageTree, _ place: Int) { (self.tree, self.place, index) = (tree, place, tree.index(of: place)) }

  private func member(_ key: Key) -> Int? { tree.member(key.stringValue, of: place, index) }
  private func find(_ key: Key) throws -> Int { try member(key).fitting() }

  /// The place of a member; nil if it is absent or null.
  private func findIfAny(_ key: Key) -> Int? { member(key).flatMap { tree.nodes[$0].kind == .null ? nil : $0 } }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { tree.nodes[try find(key)].kind == .null }

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try tree.string(find(key)).fitting() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try tree.flag(find(key)).fitting() }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try tree.integer(find(key)).fitting() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try tree.fraction(find(key)).fitting() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try MessageDecoder.read(type, tree, find(key))
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try findIfAny(key).map { try tree.string($0).fitting() }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try findIfAny(key).map { try tree.flag($0).fitting() }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try findIfAny(key).map { try tree.integer($0).fitting() }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try findIfAny(key).map { try MessageDecoder.read(type, tree, $0) }
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try MessageDecoder.at(find(key), of: tree).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try Entries(tree, find(key))
  }

  func superDecoder() throws -> any Decoder { throw Unfit() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw Unfit() }
}

/// The elements of an array.
private struct Entries: UnkeyedDecodingContainer {
  private let tree: MessageTree
  private let end: Int
  private var place: Int
  private(set) var currentIndex = 0
  let count: Int?

  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { place >= end }

  init(_ tree: MessageTree, _ place: Int) throws {
    guard tree.nodes[place].kind == .array else { throw Unfit() }
    (self.tree, self.place, end) = (tree, place + 1, Int(tree.nodes[place].next))
    count = tree.count(of: place)
  }

  private mutating func take() throws -> Int {
    guard !isAtEnd else { throw Unfit() }
    defer { (place, currentIndex) = (Int(tree.nodes[place].next), currentIndex + 1) }
    return place
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, tree.nodes[place].kind == .null else { return false }
    _ = try take()
    return true
  }

  mutating func decode(_ type: String.Type) throws -> String { try tree.string(take()).fitting() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try tree.integer(take()).fitting() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try MessageDecoder.read(type, tree, take())
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try MessageDecoder.at(take(), of: tree).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try Entries(tree, take()) }
  mutating func superDecoder() throws -> any Decoder { throw Unfit() }
}

/// One value that is no container.
private struct One: SingleValueDecodingContainer {
  let tree: MessageTree
  let place: Int

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { tree.nodes[place].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try tree.flag(place).fitting() }
  func decode(_ type: String.Type) throws -> String { try tree.string(place).fitting() }
  func decode(_ type: Double.Type) throws -> Double { try tree.fraction(place).fitting() }
  func decode(_ type: Float.Type) throws -> Float { throw Unfit() }
  func decode(_ type: Int.Type) throws -> Int { try tree.integer(place).fitting() }
  func decode(_ type: Int8.Type) throws -> Int8 { try tree.integer(place).fitting() }
  func decode(_ type: Int16.Type) throws -> Int16 { try tree.integer(place).fitting() }
  func decode(_ type: Int32.Type) throws -> Int32 { try tree.integer(place).fitting() }
  func decode(_ type: Int64.Type) throws -> Int64 { try tree.integer(place).fitting() }
  func decode(_ type: UInt.Type) throws -> UInt { try tree.integer(place).fitting() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try tree.integer(place).fitting() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try tree.integer(place).fitting() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try tree.integer(place).fitting() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try tree.integer(place).fitting() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try MessageDecoder.read(type, tree, place) }
}
