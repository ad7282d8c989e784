import Synchronization

/// A connection to a Varlink service.
///
/// All of it may be used from any thread. Calls may be made without waiting for earlier answers; the answers come in
/// the order of the calls. Callbacks run on a thread of the client's, one at a time; a slow one holds back the answers
/// behind it. The connection is closed when the client is released.
public final class VarlinkClient: Sendable {
  /// Bounds.
  public struct Limits: Sendable, Hashable {
    /// The longest message. A longer reply ends the connection; a longer call is not sent, since the service would end
    /// the connection over it.
    public var messageBytesMax = 16 << 20
    /// How many calls may wait for their answers; beyond it a call throws `overflow`.
    public var callsInFlightMax = 65_536
    /// How many replies ``VarlinkClient/replies(to:_:of:)`` keeps for a reader that is behind. Then no more is read
    /// from the service.
    public var streamRepliesMax = 256

    /// The bounds given above.
    public init() {}
  }

  let line: ClientLine

  /// Connects.
  ///
  /// - Throws: `unreachable` when no process listens there.
  public convenience init(to address: VarlinkAddress, limits: Limits = Limits()) throws(TransportError) {
    try self.init(adopting: try address.connect(), limits: limits)
  }

  /// Takes ownership of a connected socket, even when it throws.
  public init(adopting descriptor: CInt, limits: Limits = Limits()) throws(TransportError) {
    line = try ClientLine(Descriptor(descriptor), limits)
    try line.start()
  }

  deinit { close() }

  /// The credentials of the service, as the kernel recorded them when it began to listen; for Unix sockets only.
  public var credentials: PeerCredentials {
    get throws(TransportError) { try PeerCredentials(of: line.descriptor.number) }
  }

  /// Calls, and passes the answer to a closure. Many calls may be under way.
  ///
  /// Returns when the call is written to the socket: it is then handled even if this process ends at once. This waits
  /// while the service does not read. In a callback it does not wait, and the rest is written later.
  ///
  /// - Parameter then: Called exactly once, unless this throws: with the reply, a ``VarlinkError`` that the service
  ///   answered, or a ``TransportError``.
  /// - Throws: When nothing was sent; `tooLarge` if the call is longer than a message may be.
  public func send<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, returning: Reply.Type = Reply.self,
    then: @escaping @Sendable (Result<Reply, any Error>) -> Void
  ) throws(TransportError) {
    try send(method, parameters, within: nil, then: then)
  }

  func send<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, within patience: Duration?,
    then: @escaping @Sendable (Result<Reply, any Error>) -> Void
  ) throws(TransportError) {
    let message = try encode(method, parameters, flag: nil)
    try line.send(
      message, .init(wantsMore: false) { answer in then(Result { try answer.decode(Reply.self) }) }, within: patience)
  }

  /// Calls without an answer. Returns when the call is written to the socket; see ``send(_:_:returning:then:)``.
  public func oneway(_ method: String, _ parameters: some Encodable) throws(TransportError) {
    try line.send(try encode(method, parameters, flag: "oneway"), nil)
  }

  /// Calls for any number of replies.
  ///
  /// The connection serves nothing else until the last of them. To stop earlier, close the client.
  ///
  /// - Parameters:
  ///   - each: Called with each reply, the last one included.
  ///   - end: Called exactly once, unless this throws: without an error after the last reply, else with a
  ///     ``VarlinkError`` or a ``TransportError``.
  public func stream<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, of type: Reply.Type = Reply.self,
    each: @escaping @Sendable (Reply) -> Void, end: @escaping @Sendable ((any Error)?) -> Void
  ) throws(TransportError) {
    let message = try encode(method, parameters, flag: "more")
    let (line, early) = (line, EarlyEnd())
    try line.send(
      message,
      .init(wantsMore: true) { answer in
        guard !early.isTold.load(ordering: .relaxed) else { return }
        do {
          each(try answer.decode(Reply.self))
          if answer.isLast { end(nil) }
        } catch {
          // A reply of the wrong type ends the stream for the caller, although the service goes on.
          early.isTold.store(true, ordering: .relaxed)
          if !answer.isLast { line.end(TransportError(.undecodable, "\(error)")) }
          end(error)
        }
      })
  }

  /// Calls `then` once, when the connection has ended and every waiting call was told; at once if it has ended already.
  public func onDisconnect(_ then: @escaping @Sendable (TransportError) -> Void) {
    line.onEnd(then)
  }

  /// Closes the connection. Waiting calls end with the error `closed`.
  public func close() {
    line.end(TransportError(.closed, "the client was closed"))
  }

  private func encode(_ method: String, _ parameters: some Encodable, flag: String?) throws(TransportError) -> [UInt8] {
    let message: [UInt8]
    do {
      message = try Wire.call(method, parameters, flag: flag)
    } catch {
      throw TransportError(.unencodable, "the parameters of \(method): \(Wire.reason(error))")
    }
    let most = line.limits.messageBytesMax
    guard message.count <= most else { throw TransportError(.tooLarge, "a call of more than \(most) bytes") }
    return message
  }
}

/// Whether the caller of a stream was told of its end before the last reply. Only the client's reader touches it.
private final class EarlyEnd: Sendable {
  let isTold = Atomic<Bool>(false)
}

extension PendingCalls.Answer {
  /// Whether this is the last answer to its call.
  var isLast: Bool {
    switch self {
    case .message(let header, _): !header.continues || header.error != nil
    case .lost: true
    }
  }

  /// Decodes the reply, or throws the error that came instead.
  func decode<Reply: Decodable>(_ type: Reply.Type) throws -> Reply {
    switch self {
    case .lost(let error): throw error
    case .message(let header, let message):
      let json = header.parameters.map { UnsafeBufferPointer(rebasing: message[$0]) }
      if let name = header.error {
        throw VarlinkError(name: name, json: json.map { String(decoding: $0, as: UTF8.self) } ?? "{}")
      }
      do {
        return try Wire.decode(type, from: json)
      } catch {
        throw TransportError(.undecodable, "a reply is no \(type): \(Wire.reason(error))")
      }
    }
  }
}

extension VarlinkAddress {
  /// A blocking socket, connected.
  func connect() throws(TransportError) -> CInt {
    switch place {
    case .path(let path): try UnixSocket.connect(to: path)
    case .abstract(let name): try UnixSocket.connect(toAbstract: name)
    case .tcp(let host, let port): try TCPSocket.connect(host, port)
    }
  }
}
