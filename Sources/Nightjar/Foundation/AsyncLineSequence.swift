/// The lines of a text in UTF-8 that comes byte by byte (Apple's `AsyncLineSequence`), without their ends; empty ones are left
/// out, as on iOS. A line ends as Unicode has it (UAX #14): at CR, LF, VT, FF, NEL, LS or PS, or with the text.
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  public typealias Element = String
  let base: Base

  /// The lines, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: Base.AsyncIterator

    /// The next line that is not empty; nil at the end of the text.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> String? {
      var line: [UInt8] = []
      while let byte = try await bytes.next(isolation: actor) {
        line.append(byte)
        guard let end = Self.end(of: line) else { continue }
        line.removeLast(end)
        if !line.isEmpty { break }
      }
      return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Of how many bytes the end is that these end with; nil if a line goes on after them. Of CR and LF each ends a line, one
    /// of which is empty.
    private static func end(of line: [UInt8]) -> Int? {
      switch line.last {
      case 0x0A, 0x0B, 0x0C, 0x0D: 1
      case 0x85 where line.suffix(2) == [0xC2, 0x85]: 2
      case 0xA8 where line.suffix(3) == [0xE2, 0x80, 0xA8]: 3
      case 0xA9 where line.suffix(3) == [0xE2, 0x80, 0xA9]: 3
      default: nil
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: base.makeAsyncIterator()) }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Element == UInt8 {
  /// The lines of the text that these bytes are in UTF-8.
  public var lines: AsyncLineSequence<Self> { AsyncLineSequence(base: self) }

  /// The scalars of the text that these bytes are in UTF-8.
  public var unicodeScalars: AsyncUnicodeScalarSequence<Self> { AsyncUnicodeScalarSequence(base: self) }

  /// The characters of the text that these bytes are in UTF-8.
  public var characters: AsyncCharacterSequence<Self> { AsyncCharacterSequence(base: self) }
}
