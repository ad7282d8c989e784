import Testing

@testable import Varlink

@Suite struct HeaderTests {
  @Test(arguments: [
    #"{"method":"a.B"}"#, #"{"method":"a.B","parameters":null}"#, #"{"parameters":null,"more":null,"method":"a.B"}"#,
    #"{"\u006dethod":"a\u002eB","org.example.trace":{"id":[1]}}"#,
  ])
  func `a call may leave its parameters out`(text: String) throws {
    let header = try Self.call(text)

    #expect(header.method == "a.B")
    #expect(header.parameters == nil)
    #expect(!header.more && !header.oneway && !header.upgrade)
  }

  @Test func `flags and the place of the parameters are found`() throws {
    let text = #"{"more":true,"parameters": {"x":[1]} ,"upgrade":true,"oneway":true,"method":"a.B"}"#

    let header = try Self.call(text)

    #expect(header.more && header.oneway && header.upgrade)
    #expect(header.parameters.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == #"{"x":[1]}"#)
  }

  @Test(arguments: [
    "", "[]", "{}", "1", #"{"method":1}"#, #"{"method":""}"#, #"{"method":"a.B","parameters":[]}"#,
    #"{"method":"a.B","parameters":"x"}"#, #"{"method":"a.B","more":1}"#, #"{"method":"a.B"} x"#,
    #"{"method":"a.B","parameters":{"x":}}"#, #"{"method":"a.B""#,
  ])
  func `what is no call is refused`(text: String) {
    let error = #expect(throws: TransportError.self) { try Self.call(text) }
    #expect(error?.code == .malformed)
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    let bytes = Array(#"{"method":"a.B","parameters":{"x":""#.utf8) + [0xC3, 0x28] + Array(#""}}"#.utf8)

    let error = #expect(throws: TransportError.self) {
      try bytes.withUnsafeBufferPointer { try CallHeader(reading: $0) }
    }

    #expect(error?.code == .malformed)
  }

  @Test func `a reply tells parameters, errors and whether more follow`() throws {
    let plain = try Self.reply(#"{"parameters":{"a":1}}"#)
    let more = try Self.reply(#"{"continues":true,"parameters":{}}"#)
    let success = try Self.reply(#"{"error":null,"parameters":{"a":1}}"#)
    let failure = try Self.reply(#"{"error":"a.B","parameters":null,"continues":false}"#)

    #expect(plain.parameters == 14..<21 && plain.error == nil && !plain.continues)
    #expect(more.continues)
    #expect(success.parameters == 27..<34 && success.error == nil)
    #expect(failure.error == "a.B" && failure.parameters == nil)
  }

  private static func call(_ text: String) throws(TransportError) -> CallHeader {
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(TransportError) in try CallHeader(reading: bytes) }
  }

  private static func reply(_ text: String) throws(TransportError) -> ReplyHeader {
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(TransportError) in try ReplyHeader(reading: bytes) }
  }
}
