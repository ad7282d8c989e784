import Foundation

extension URLSession {
  /// The bytes of an answer, as they come (Apple's `URLSession.AsyncBytes`). Iterate once.
  ///
  /// What has come and was not iterated over waits in memory: FoundationNetworking cannot hold a server back. When the
  /// sequence and its iterators are let go, the task is cancelled.
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
      public mutating func next() async throws -> UInt8? {
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

    /// The lines of a body in UTF-8, without their ends, empty ones left out, as on iOS.
    public var lines: Lines { Lines(bytes: self) }

    /// The lines of a body.
    public struct Lines: AsyncSequence, Sendable {
      public typealias Element = String
      let bytes: AsyncBytes

      /// The lines, one at a time.
      public struct Iterator: AsyncIteratorProtocol {
        var bytes: AsyncBytes.Iterator

        /// The next line that is not empty; nil at the end of the body.
        public mutating func next() async throws -> String? {
          var line: [UInt8] = []
          while let byte = try await bytes.next() {
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
              line.append(byte)
              continue
            }
            if !line.isEmpty { return String(decoding: line, as: UTF8.self) }
          }
          return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
      }

      public func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }
    }
  }
}
