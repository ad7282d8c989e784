/// The characters of a UTF-8 text that arrives byte by byte (Apple's `AsyncCharacterSequence`). A character is returned
/// once the next one has begun, since until then it may still grow.
public struct AsyncCharacterSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  public typealias Element = Character
  let base: Base

  /// The characters, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var scalars: AsyncUnicodeScalarSequence<Base>.AsyncIterator
    private var text = ""

    init(scalars: AsyncUnicodeScalarSequence<Base>.AsyncIterator) { self.scalars = scalars }

    /// The next character; nil at the end of the text.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Character? {
      while let scalar = try await scalars.next(isolation: actor) {
        text.unicodeScalars.append(scalar)
        if text.count > 1 { return text.removeFirst() }
      }
      return text.isEmpty ? nil : text.removeFirst()
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(scalars: base.unicodeScalars.makeAsyncIterator())
  }
}

extension AsyncCharacterSequence: Sendable where Base: Sendable {}
