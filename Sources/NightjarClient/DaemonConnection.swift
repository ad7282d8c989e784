import Glibc
public import NightjarWire
public import Varlink

/// One connection to the daemon, over which its methods are called as Swift types.
///
/// Calls of one connection are answered in their order. A stream occupies its connection for as long as it lives, so
/// open a second connection for other calls. A connection that is lost stays lost: make a new one. Any thread may use
/// it.
public final class DaemonConnection: Sendable {
  /// The socket that this connection was made to.
  public let socket: String
  private let client: VarlinkClient
  private let silenceWatch: SilenceWatch?

  /// Connects to the daemon of a home.
  ///
  /// - Parameters:
  ///   - socket: The absolute path of its socket, as `Home` gives it.
  ///   - remedy: What a person is told to do if no process listens there.
  ///   - silenceWatch: Tells of a daemon that answers nobody while a call, or the beginning of a stream, waits for it.
  /// - Throws: ``ClientError`` with `noDaemon` if no process listens there, and with `notPermitted` if the socket or
  ///   the process behind it belongs to another user, whose answers could not be trusted.
  public init(
    to socket: String, remedy: @autoclosure () -> String = "Start it with `nightjard`, then try again.",
    silenceWatch: SilenceWatch? = nil
  ) throws(ClientError) {
    (self.socket, self.silenceWatch) = (socket, silenceWatch)
    do throws(TransportError) {
      client = try VarlinkClient(to: VarlinkAddress(path: socket))
    } catch {
      throw ClientError.unreachable(socket, error, remedy())
    }
    try checkPeer()
  }

  deinit { client.close() }

  /// The process that began to listen on the socket: the daemon, or who started it and keeps the socket for it, as
  /// systemd does. Nil if the kernel does not say.
  public var listener: Int32? { (try? client.credentials).flatMap { $0.pid > 0 ? $0.pid : nil } }

  /// Calls a method and waits for its answer. Cancelling the task closes the connection.
  ///
  /// - Throws: ``ClientError``. After `lost` it is unknown whether the daemon carried out the call.
  public func call<Method: WireMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws(ClientError) -> Method.Reply {
    async let _: Void = watchForSilence()
    do {
      return try await withTaskCancellationHandler {
        try await client.call(Method.name, parameters, returning: Method.Reply.self)
      } onCancel: {
        client.close()
      }
    } catch {
      throw ClientError(error)
    }
  }

  /// Calls a streaming method. The sequence ends by throwing ``ClientError``, or without an error after the last
  /// answer; leaving it, or cancelling the task that reads it, closes the connection.
  public func replies<Method: WireMethod>(
    to method: Method.Type, _ parameters: Method.Parameters
  ) throws(ClientError) -> DaemonReplies<Method.Reply> {
    do throws(TransportError) {
      return DaemonReplies(
        try client.replies(to: Method.name, parameters, of: Method.Reply.self), connection: self)
    } catch {
      throw ClientError(error)
    }
  }

  /// Closes the connection; calls that still wait for an answer end as `lost`.
  public func close() { client.close() }

  /// Watches until the daemon was told of as silent, or the task is cancelled.
  func watchForSilence() async {
    guard let silenceWatch else { return }
    try? await silenceWatch.run(on: socket, of: listener ?? 0)
  }

  private func checkPeer() throws(ClientError) {
    let credentials: PeerCredentials
    do throws(TransportError) { credentials = try client.credentials } catch { throw ClientError(error) }
    guard credentials.uid != getuid() else { return }
    client.close()
    throw ClientError(
      .notPermitted, "The process that listens at \(socket) belongs to user \(credentials.uid), not to you.")
  }
}

extension DaemonConnection {
  /// Calls a method without parameters.
  public func call<Method: WireMethod>(_ method: Method.Type) async throws(ClientError) -> Method.Reply
  where Method.Parameters == Nothing {
    try await call(method, Nothing())
  }

  /// Calls a streaming method without parameters.
  public func replies<Method: WireMethod>(
    to method: Method.Type
  ) throws(ClientError) -> DaemonReplies<Method.Reply> where Method.Parameters == Nothing {
    try replies(to: method, Nothing())
  }
}
