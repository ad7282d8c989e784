import Foundation

extension URLSession {
  /// The bytes of a response as they arrive (Apple's `URLSession.AsyncBytes`). Iterate once.
  ///
  /// Bytes that were not iterated over wait in memory, since FoundationNetworking cannot slow down a server. The task
  /// is cancelled when the sequence and its iterators are released.
  public struct AsyncBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8

    /// The task that loads them. Cancelling it ends the sequence with `URLError.cancelled`.
    public var task: URLSessionDataTask { load.task }
    let load: ByteLoad

    /// The bytes, one at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let load: ByteLoad
      private var chunk = Data()
      private var place = 0

      init(_ load: ByteLoad) { self.load = load }

      /// The next byte; nil at the end of the body.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
        while place == chunk.endIndex {
          guard let more = try await fetch() else { return nil }
          (chunk, place) = (more, more.startIndex)
        }
        defer { place += 1 }
        return chunk[place]
      }

      private func fetch() async throws -> Data? {
        let load = load
        return try await withTaskCancellationHandler {
          try await load.feed.next()
        } onCancel: {
          load.task.cancel()
        }
      }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(load) }
  }
}
