extension VarlinkClient {
  /// Calls for any number of replies, to be read with `for try await`.
  ///
  /// A loop that is slower than the service holds it back: beyond ``Limits/streamRepliesMax`` nothing is read. The
  /// connection serves nothing else until the last reply. If the stream is dropped or its task cancelled before, the
  /// connection is closed, which is Varlink's way of cancelling. Keep the client until the end.
  ///
  /// - Throws: When nothing was sent. The stream itself throws ``VarlinkError`` or ``TransportError``.
  public func replies<Reply: Decodable & Sendable>(
    to method: String, _ parameters: some Encodable, of type: Reply.Type = Reply.self
  ) throws(TransportError) -> AsyncThrowingStream<Reply, any Error> {
    let buffer = ReplyBuffer<Reply>(line, repliesMax: line.limits.streamRepliesMax)
    try stream(method, parameters, of: type, each: { buffer.put($0) }, end: { buffer.finish($0) })
    let lease = ReplyLease(buffer)
    return AsyncThrowingStream { try await lease.buffer.next() }
  }
}
