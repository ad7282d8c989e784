/// The scalars of a UTF-8 text that arrives byte by byte (Apple's `AsyncUnicodeScalarSequence`). Invalid UTF-8 becomes
/// U+FFFD, as in `String(decoding:as:)`.
public struct AsyncUnicodeScalarSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  public typealias Element = Unicode.Scalar
  let base: Base

  /// The scalars, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: Base.AsyncIterator
    /// A byte that was read ahead.
    private var ahead: UInt8?
    /// The scalars decoded and not returned yet, last one first.
    private var made: [Unicode.Scalar] = []

    init(bytes: Base.AsyncIterator) { self.bytes = bytes }

    /// The next scalar; nil at the end of the text.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Unicode.Scalar? {
      if let scalar = made.popLast() { return scalar }
      guard let first = try await take(actor) else { return nil }
      var encoded = [first]
      while encoded.count < Self.length(first), let byte = try await take(actor) {
        guard byte & 0xC0 == 0x80 else {
          ahead = byte
          break
        }
        encoded.append(byte)
      }
      made = String(decoding: encoded, as: UTF8.self).unicodeScalars.reversed()
      return made.popLast()
    }

    private mutating func take(_ actor: isolated (any Actor)?) async throws(Base.Failure) -> UInt8? {
      defer { ahead = nil }
      if let ahead { return ahead }
      return try await bytes.next(isolation: actor)
    }

    /// The number of bytes of a scalar that begins with this byte.
    private static func length(_ first: UInt8) -> Int {
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: base.makeAsyncIterator()) }
}

extension AsyncUnicodeScalarSequence: Sendable where Base: Sendable {}
