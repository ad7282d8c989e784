import Testing

@testable import Varlink

@Suite struct MessageBufferTests {
  @Test func `messages come out whole wherever the bytes are split`() throws {
    let stream = Array("{\"a\":1}\0{}\0\0{\"long\":\"\(String(repeating: "x", count: 300))\"}\0".utf8)
    let whole = try Self.cut([stream])

    for split in 0...stream.count {
      let pieces = try Self.cut([Array(stream[..<split]), Array(stream[split...])])
      #expect(pieces == whole, "split at \(split)")
    }
    let single = try Self.cut(stream.map { [$0] })

    #expect(whole.count == 4)
    #expect(whole[0] == #"{"a":1}"#)
    #expect(whole[2].isEmpty)
    #expect(single == whole)
  }

  @Test func `the end of a message that has not come yet is waited for`() throws {
    var buffer = MessageBuffer(messageBytesMax: 100)

    Self.append("{\"a\"", to: &buffer)
    let early = try buffer.next { $0.count }

    #expect(early == nil)
    #expect(buffer.count == 4)
  }

  @Test func `a message as long as the limit passes and one byte more does not`() throws {
    var fitting = MessageBuffer(messageBytesMax: 4)
    var ended = MessageBuffer(messageBytesMax: 4)
    var endless = MessageBuffer(messageBytesMax: 4)

    Self.append("abcd\0", to: &fitting)
    Self.append("abcde\0", to: &ended)
    Self.append("abcde", to: &endless)

    #expect(try fitting.next { $0.count } == 4)
    #expect(throws: TransportError(.tooLarge, "a message of more than 4 bytes")) { try ended.next { $0.count } }
    #expect(throws: TransportError(.tooLarge, "a message of more than 4 bytes")) { try endless.next { $0.count } }
  }

  @Test func `what was taken is not kept`() throws {
    var buffer = MessageBuffer(messageBytesMax: 100)

    for _ in 0..<10_000 {
      Self.append("0123456789\0rest", to: &buffer)
      _ = try buffer.next { $0.count }
      Self.append("\0", to: &buffer)
      _ = try buffer.next { $0.count }
    }

    #expect(buffer.count == 0)
  }

  @Test(arguments: ["", "rest"])
  func `the memory of a large message is given back once it is taken`(rest: String) throws {
    var buffer = MessageBuffer(messageBytesMax: 2 << 20)
    Self.append(String(repeating: "x", count: 1 << 20) + "\0" + rest, to: &buffer)
    _ = try buffer.next { $0.count }

    let second = try buffer.next { $0.count }

    #expect(second == nil && buffer.count == rest.utf8.count)
    #expect(buffer.capacity <= 1 << 18)
  }

  private static func append(_ text: String, to buffer: inout MessageBuffer) {
    Array(text.utf8).withUnsafeBytes { buffer.append($0) }
  }

  private static func cut(_ pieces: [[UInt8]]) throws -> [String] {
    var buffer = MessageBuffer(messageBytesMax: 1000)
    var messages: [String] = []
    for piece in pieces {
      piece.withUnsafeBytes { buffer.append($0) }
      while let message = try buffer.next({ String(decoding: $0, as: UTF8.self) }) { messages.append(message) }
    }
    return messages
  }
}
