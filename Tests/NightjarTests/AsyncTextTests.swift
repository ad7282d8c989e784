import Nightjar
import Testing

@Suite struct AsyncTextTests {
  private struct Broken: Error {}

  /// Bytes that come one at a time, and an error after them.
  private func bytes(_ bytes: some Sequence<UInt8>, failing error: (any Error)? = nil) -> AsyncThrowingStream<
    UInt8, any Error
  > {
    let all = Array(bytes)
    return AsyncThrowingStream { stream in
      for byte in all { stream.yield(byte) }
      stream.finish(throwing: error)
    }
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func `a line ends where Unicode has it end, and empty ones are left out`(end: String) async throws {
    let text = end + "eins" + end + end + "z…i é" + end + "drei"

    var lines: [String] = []
    for try await line in bytes(text.utf8).lines { lines.append(line) }

    #expect(lines == ["eins", "z…i é", "drei"])
  }

  @Test func `a line that breaks off is not told`() async {
    var lines: [String] = []
    await #expect(throws: Broken.self) {
      for try await line in bytes("eins\nzw".utf8, failing: Broken()).lines { lines.append(line) }
    }
    #expect(lines == ["eins"])
  }

  @Test(arguments: [
    Array("a é … 👩‍🚀\r\n🇳🇴".utf8), [0x61, 0xE2, 0x82], [0xE2, 0x61], [0xC3, 0xC3, 0xA9], [0xFF, 0x80, 0x62],
    [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x91], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], [],
  ])
  func `scalars and characters are those of the text that is decoded at once`(encoded: [UInt8]) async throws {
    let text = String(decoding: encoded, as: UTF8.self)

    var (scalars, characters) = ([Unicode.Scalar](), [Character]())
    for try await scalar in bytes(encoded).unicodeScalars { scalars.append(scalar) }
    for try await character in bytes(encoded).characters { characters.append(character) }

    #expect(scalars == Array(text.unicodeScalars))
    #expect(characters == Array(text))
  }
}
