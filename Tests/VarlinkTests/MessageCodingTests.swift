import Foundation
import Testing

@testable import Varlink

/// Between values and JSON without a tree: what is written and read must be what Foundation's coders write and read.
@Suite struct MessageCodingTests {
  @Test func `what is written says what Foundation's encoder says`() throws {
    let value = Everything.full

    let text = try #require(MessageEncoder.text(of: value))

    #expect(try JSONDecoder().decode(Everything.self, from: Data(text)) == value)
    #expect(try Self.members(of: Data(text)) == Self.members(of: JSONEncoder().encode(value)))
  }

  @Test func `what is read is what Foundation's encoder wrote`() throws {
    for value in [Everything.full, Everything()] {
      let text = Array(try JSONEncoder().encode(value))

      #expect(text.withUnsafeBufferPointer { MessageDecoder.value(Everything.self, in: $0) } == value)
    }
  }

  @Test(arguments: ["", "plain", "\"quoted\" \\ / \u{8}\t\n\u{c}\r\u{1}\u{1f}", "žluťoučký 🐎\u{2028}", "\u{0}"])
  func `every text comes back as it was`(text: String) throws {
    let written = try #require(MessageEncoder.text(of: [text]))

    #expect(try JSONDecoder().decode([String].self, from: Data(written)) == [text])
    #expect(written.withUnsafeBufferPointer { MessageDecoder.value([String].self, in: $0) } == [text])
  }

  @Test(arguments: [0, 1, -1, 999_999_999_999_999_999, -999_999_999_999_999_999, .max, .min])
  func `every whole number comes back as it was`(number: Int64) throws {
    let written = try #require(MessageEncoder.text(of: [number]))

    #expect(String(decoding: written, as: UTF8.self) == "[\(number)]")
    #expect(written.withUnsafeBufferPointer { MessageDecoder.value([Int64].self, in: $0) } == [number])
  }

  @Test(arguments: [0.0, -0.5, 1e300, 2.5e-308, 0.1, 12345.678])
  func `every fraction comes back as it was`(number: Double) throws {
    let written = try #require(MessageEncoder.text(of: [number]))

    #expect(written.withUnsafeBufferPointer { MessageDecoder.value([Double].self, in: $0) } == [number])
  }

  @Test func `members come in any order, unknown ones are passed over, and null is none`() throws {
    let text = Array(#"{"later":{"x":[1,{}]}, "label" : null ,"count":7,"name":"a\u0062c"}"#.utf8)

    let value = text.withUnsafeBufferPointer { MessageDecoder.value(Small.self, in: $0) }

    #expect(value == Small(name: "abc", count: 7))
  }

  @Test(arguments: [
    #"{"name":"a"}"#, #"{"name":1,"count":1}"#, #"{"name":"a","count":"1"}"#, #"{"name":"a","count":1.5}"#,
    #"{"name":null,"count":1}"#, #"[]"#, #"{"name":"a","count":9223372036854775808}"#, #"{"name":"a","count":1"#, "",
  ])
  func `what is not as expected is left to Foundation, which says why`(text: String) {
    let value = Array(text.utf8).withUnsafeBufferPointer { MessageDecoder.value(Small.self, in: $0) }

    #expect(value == nil)
    #expect(throws: DecodingError.self) { try Wire.decode(Small.self, from: text) }
  }

  @Test func `half a character is no text`() throws {
    #expect(throws: DecodingError.self) { try Wire.decode([String].self, from: #"["\udcff"]"#) }
    #expect(throws: DecodingError.self) { try Wire.decode(JSONValue.self, from: #"["\ud83d\n"]"#) }
    #expect(try Wire.decode([String].self, from: #"["\ud83d\ude00"]"#) == ["\u{1F600}"])
  }

  @Test func `what only Foundation knows is left to it`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)

    #expect(MessageEncoder.text(of: [date]) == nil)
    #expect(MessageEncoder.text(of: [Double.infinity]) == nil)
    #expect(try Wire.encode([date]) == Array("[1.5]".utf8))
    #expect(try Wire.decode([Date].self, from: "[1.5]") == [date])
    #expect(throws: EncodingError.self) { try Wire.encode([Double.infinity]) }
  }

  @Test func `a second container of one value goes on with the first`() throws {
    #expect(try Wire.encode(["list": Derived()]) == Array(#"{"list":[1,2,1]}"#.utf8))
  }

  @Test func `a container that was closed takes no more`() {
    #expect(MessageEncoder.text(of: Unordered()) == nil)
  }

  @Test(.timeLimit(.minutes(1))) func `however many members an object has, each is found at once`() throws {
    let values = Dictionary(uniqueKeysWithValues: (0..<80_000).map { ("key \($0)", $0) })
    let text = try #require(MessageEncoder.text(of: values))

    let map = text.withUnsafeBufferPointer { MessageDecoder.value([String: Int].self, in: $0) }
    let object = text.withUnsafeBufferPointer { MessageDecoder.value(JSONValue.self, in: $0) }

    #expect(map == values)
    #expect(object == .object(values.mapValues { .int($0) }))
  }

  @Test func `of two members of one name the first counts, in a large object as in a small one`() throws {
    for filler in [0, 100] {
      let others = (0..<filler).map { #""\#($0)":0,"# }.joined()
      let text = Array("{\(others)\"count\":1,\"name\":\"a\",\"count\":2}".utf8)

      let value = text.withUnsafeBufferPointer { MessageDecoder.value(Small.self, in: $0) }

      #expect(value == Small(name: "a", count: 1))
    }
  }

  @Test(arguments: ["[]", "[1]", "[1,[2,{\"a\":3}],4]"])
  func `a list says how many elements it has`(text: String) throws {
    let counted = Array(text.utf8).withUnsafeBufferPointer { MessageDecoder.value(Counted.self, in: $0) }

    #expect(counted?.count == (try JSONDecoder().decode(Counted.self, from: Data(text.utf8)).count))
  }

  @Test func `nothing at all is written as an empty object`() throws {
    #expect(try Wire.encode(NoParameters()) == Array("{}".utf8))
    #expect(try Wire.encode(["a": NoParameters()]) == Array(#"{"a":{}}"#.utf8))
  }

  private static func members(of text: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: text) as? NSDictionary)
  }
}

private struct Small: Codable, Equatable {
  var name: String
  var count: Int64
  var label: String?
}

/// A value with everything that a message may hold.
private struct Everything: Codable, Equatable {
  enum Word: String, Codable { case first, second }
  enum Choice: Codable, Equatable {
    case nothing
    case text(String)
    case both(count: Int, list: [Small])
  }

  var text = ""
  var flag = false
  var number: Int64 = 0
  var small: UInt8 = 0
  var fraction = 0.0
  var word = Word.first
  var maybe: String?
  var maybeNumber: Int64?
  var maybeFlag: Bool?
  var inner: Small?
  var list: [Small] = []
  var matrix: [[Int64]] = []
  var map: [String: [Small]] = [:]
  var choices: [Choice] = []
  var gaps: [String?] = []

  static let full = Everything(
    text: "a\"b", flag: true, number: -5, small: 200, fraction: 0.25, word: .second, maybe: "x", maybeNumber: 9,
    maybeFlag: false, inner: Small(name: "n", count: 1, label: "l"),
    list: [Small(name: "p", count: 2), Small(name: "q", count: 3)], matrix: [[], [1, 2], [3]],
    map: ["k": [Small(name: "r", count: 4)], "e": []],
    choices: [.nothing, .text("t"), .both(count: 3, list: [Small(name: "s", count: 5)])], gaps: ["a", nil])
}

/// Writes to one member after it has begun the next.
private struct Unordered: Encodable {
  enum Keys: CodingKey { case a, b }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: Keys.self)
    var first = outer.nestedContainer(keyedBy: Keys.self, forKey: .a)
    var second = outer.nestedContainer(keyedBy: Keys.self, forKey: .b)
    try second.encode(1, forKey: .a)
    try first.encode(2, forKey: .a)
  }
}

/// How many elements a list says that it has.
private struct Counted: Decodable {
  var count: Int?

  init(from decoder: any Decoder) throws { count = try decoder.unkeyedContainer().count }
}

/// Writes an element, and those that a class derived from it adds.
private class Base: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(1)
  }
}

private final class Derived: Base {
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.unkeyedContainer()
    try container.encode(2)
    try container.encode(container.count - 1)
  }
}
