import FoundationEssentials

/// Writes values directly as JSON. Foundation's encoder builds a tree first, which takes several times as long; it is
/// left with what this one does not know (dates, data, numbers that are not finite).
struct MessageEncoder: Encoder {
  private let text: MessageText
  private let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ text: MessageText) { (self.text, depth) = (text, text.depth) }

  /// The value as JSON text; nil if Foundation's encoder has to write it, or to report what is wrong with it.
  static func text(of value: some Encodable) -> [UInt8]? {
    let text = MessageText(reserving: 256)
    guard (try? write(value, to: text)) != nil, !text.isBeyond else { return nil }
    return text.bytes
  }

  fileprivate static func write<Value: Encodable>(_ value: Value, to text: MessageText) throws {
    guard !isForeign(Value.self) else { return text.isBeyond = true }
    if Value.self == NoParameters.self { return text.writeEmpty() }
    let depth = text.depth
    let before = text.bytes.count
    try value.encode(to: MessageEncoder(text))
    text.close(to: depth)
    if text.bytes.count == before { text.isBeyond = true }
  }

  /// Types that Foundation's coders treat in ways of their own.
  static func isForeign<Value>(_ type: Value.Type) -> Bool {
    type == Data.self || type == Date.self || type == URL.self || type == Decimal.self
  }

  // A second container of one value goes on with the first.

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields(text: text, place: opened ?? text.openObject()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(text: text, place: opened ?? text.openArray()) }

  private var opened: MessageText.Place? { text.depth > depth ? text.place(at: depth + 1) : nil }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(text: text) }
}

/// The members of an object.
private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let text: MessageText
  let place: MessageText.Place

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.writeNull()
  }

  func encode(_ value: String, forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.write(value)
  }

  func encode(_ value: Bool, forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.write(value)
  }

  func encode(_ value: Int, forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.write(value)
  }

  func encode(_ value: Int64, forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.write(value)
  }

  func encode(_ value: Double, forKey key: Key) {
    text.next(key.stringValue, in: place)
    text.write(value)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    text.next(key.stringValue, in: place)
    try MessageEncoder.write(value, to: text)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    text.next(key.stringValue, in: place)
    return KeyedEncodingContainer(Fields<Inner>(text: text, place: text.openObject()))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    text.next(key.stringValue, in: place)
    return Elements(text: text, place: text.openArray())
  }

  func superEncoder() -> any Encoder { text.beyond }
  func superEncoder(forKey key: Key) -> any Encoder { text.beyond }
}

/// The elements of an array.
private struct Elements: UnkeyedEncodingContainer {
  let text: MessageText
  let place: MessageText.Place

  var codingPath: [any CodingKey] { [] }
  var count: Int { text.count(in: place) }

  func encodeNil() {
    text.next(in: place)
    text.writeNull()
  }

  func encode(_ value: String) {
    text.next(in: place)
    text.write(value)
  }

  func encode(_ value: Int64) {
    text.next(in: place)
    text.write(value)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    text.next(in: place)
    try MessageEncoder.write(value, to: text)
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    text.next(in: place)
    return KeyedEncodingContainer(Fields(text: text, place: text.openObject()))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    text.next(in: place)
    return Elements(text: text, place: text.openArray())
  }

  func superEncoder() -> any Encoder { text.beyond }
}

/// One value that is no container.
private struct Single: SingleValueEncodingContainer {
  let text: MessageText

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { text.writeNull() }
  func encode(_ value: Bool) { text.write(value) }
  func encode(_ value: String) { text.write(value) }
  func encode(_ value: Double) { text.write(value) }
  func encode(_ value: Float) { text.write(value) }
  func encode(_ value: Int) { text.write(value) }
  func encode(_ value: Int8) { text.write(value) }
  func encode(_ value: Int16) { text.write(value) }
  func encode(_ value: Int32) { text.write(value) }
  func encode(_ value: Int64) { text.write(value) }
  func encode(_ value: UInt) { text.write(value) }
  func encode(_ value: UInt8) { text.write(value) }
  func encode(_ value: UInt16) { text.write(value) }
  func encode(_ value: UInt32) { text.write(value) }
  func encode(_ value: UInt64) { text.write(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try MessageEncoder.write(value, to: text) }
}

extension MessageText {
  /// For classes whose superclass encodes a part: not written here.
  fileprivate var beyond: any Encoder {
    isBeyond = true
    return Nowhere()
  }
}

/// Takes everything and keeps nothing.
private struct Nowhere: Encoder {
  private let rest = MessageText(reserving: 0)

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields(text: rest, place: rest.openObject()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(text: rest, place: rest.openArray()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(text: rest) }
}
