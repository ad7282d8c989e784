import Varlink

/// The answers of a streaming method, in order. The sequence can be read once, by one task.
public struct DaemonReplies<Reply: Sendable>: AsyncSequence, Sendable {
  private let replies: AsyncThrowingStream<Reply, any Error>
  private let connection: DaemonConnection

  init(_ replies: AsyncThrowingStream<Reply, any Error>, connection: DaemonConnection) {
    (self.replies, self.connection) = (replies, connection)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: replies.makeAsyncIterator(), connection: connection)
  }

  /// Reads one answer after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<Reply, any Error>.Iterator
    fileprivate let connection: DaemonConnection
    fileprivate var hasBegun = false

    /// The next answer, or nil after the last one or when the task was cancelled.
    ///
    /// - Throws: ``ClientError``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Reply? {
      guard !hasBegun else { return try await following(isolation: actor) }
      hasBegun = true
      let connection = connection
      async let _: Void = connection.watchForSilence()
      return try await following(isolation: actor)
    }

    private mutating func following(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Reply? {
      do { return try await base.next(isolation: actor) } catch { throw ClientError(error) }
    }
  }
}
