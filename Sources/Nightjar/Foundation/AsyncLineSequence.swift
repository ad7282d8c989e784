/// The lines of a UTF-8 text that arrives byte by byte (Apple's `AsyncLineSequence`), without their line ends. Empty
/// lines are left out, as on iOS. A line ends at CR, LF, VT, FF, NEL, LS or PS (UAX #14), or with the text.
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

    /// The number of bytes of the line end that these bytes end with; nil if the line goes on. In CR LF each ends a
    /// line, and the second line is empty.
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
  /// The lines of the text that these bytes encode in UTF-8.
  public var lines: AsyncLineSequence<Self> { AsyncLineSequence(base: self) }

  /// The scalars of the text that these bytes encode in UTF-8.
  public var unicodeScalars: AsyncUnicodeScalarSequence<Self> { AsyncUnicodeScalarSequence(base: self) }

  /// The characters of the text that these bytes encode in UTF-8.
  public var characters: AsyncCharacterSequence<Self> { AsyncCharacterSequence(base: self) }
}
