import FoundationEssentials
import Testing

@testable import Varlink

@Suite struct JSONScannerTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "12", "-1.5", "1e9", "1E+9", "2.5e-3", #""""#, #""a\"\\\/\b\f\n\r\té""#,
    "[]", "[1,[2,[3]]]", "{}", #"{"a":{"b":[null,{"c":""}]}}"#, " \t\r\n[ 1 , 2 ] ", #"{"é":"日本"}"#,
  ])
  func `sound JSON passes`(text: String) throws {
    #expect(Self.fault(text) == nil)
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "falsy", "01", "-", "1.", ".5", "1e", "+1", #"""#, #""\x""#, #""\u12g4""#, "\"\n\"", "[",
    "[1",
    "[1,]", "[1 2]", "{", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{}{}", "[]]", "NaN", "'a'",
  ])
  func `unsound JSON is refused`(text: String) {
    #expect(Self.fault(text) != nil)
  }

  @Test func `a fault says where it is and what should stand there`() {
    #expect(Self.fault(#"{"a":1 "b":2}"#) == .init(offset: 7, expected: "a comma or the end of the object"))
    #expect(Self.fault("[1, x]") == .init(offset: 4, expected: "a value"))
  }

  @Test func `nesting has a bound`() {
    let fitting = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    let deep = String(repeating: #"{"a":"#, count: 100_000)

    #expect(Self.fault(fitting) == nil)
    #expect(Self.fault("[" + fitting + "]")?.expected == "no more than 128 levels")
    #expect(Self.fault(deep)?.expected == "no more than 128 levels")
  }

  @Test(arguments: 0..<UInt64(200))
  func `what passes here passes Foundation too`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    var bytes = Array(#"{"a":[1,-2.5e3,"x\n\u00e9"],"b":{"c":null,"d":true}}"#.utf8)

    for _ in 0..<Int.random(in: 1...3, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20..<0x7F, using: &random)
    }

    guard Self.fault(String(decoding: bytes, as: UTF8.self)) == nil else { return }
    #expect(throws: Never.self) { try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }
  }

  @Test(arguments: [
    "method", #"\u006dethod"#, #"meth\u006Fd"#, #"metho\u0064"#, #"\u006d\u0065\u0074\u0068\u006f\u0064"#,
  ])
  func `a key is known however it is written`(key: String) throws {
    #expect(try Self.matches(key, "method"))
  }

  @Test(arguments: [
    "", "m", "metho", "methods", "Method", #"metho\u0064s"#, #"metho\u0065"#, #"metho\u0164"#, #"metho\u6400"#,
    #"\/"#, #"\\"#, #"metho\\"#, #"method\u0000"#, #"\ud800ethod"#, #"\ud83d\ude00"#, "méthod", "日本",
  ])
  func `a key that only resembles it is another`(key: String) throws {
    #expect(try !Self.matches(key, "method"))
  }

  @Test func `each kind of escape stands for its character`() throws {
    let text = String(decoding: [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09, 0x7F] as [UInt8], as: UTF8.self)

    #expect(try Self.matches(#"\"\\\/\b\f\n\r\t\u007f"#, text))
    #expect(try Self.matches(#"\u0022\u005C\u002f\u0008\u000c\u000A\u000D\u0009\u007F"#, text))
    #expect(try !Self.matches(#"\"\\\/\b\f\n\r\t\u0080"#, text))
  }

  /// Whether a string with these contents, as they are written, matches.
  private static func matches(_ contents: String, _ text: String) throws -> Bool {
    try Array("\"\(contents)\"".utf8).withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      let range = try scanner.string()
      try scanner.end()
      return scanner.matches(range, Array(text.utf8))
    }
  }

  private static func fault(_ text: String) -> JSONScanner.Fault? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      do throws(JSONScanner.Fault) {
        try scanner.value()
        try scanner.end()
        return nil
      } catch {
        return error
      }
    }
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
