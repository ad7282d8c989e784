import HTTPPreparation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// An HTTP server for tests, which misbehaves as scripted.
///
/// It listens on loopback at a free port. Paths without a script have the routes of ``Routes``.
public final class HTTPTestServer: Sendable {
  /// How connections are secured.
  public enum Security: Hashable, Sendable {
    /// Not at all.
    case plain
    /// TLS with a certificate of ``Fixtures/authority`` for `localhost` and the loopback addresses.
    case tls
    /// TLS with a certificate of the same authority for another host.
    case tlsForAnotherHost
    /// TLS as in `tls`, with HTTP/2 if the client offers it.
    case http2
    /// TLS with a self-signed certificate.
    case tlsOfStranger
    /// TLS with a self-signed certificate that has expired.
    case tlsExpired
    /// TLS as in `tls`, which requires the client certificate ``Fixtures/visitor``.
    case tlsForVisitors
    /// TLS as in `tls`, and no newer than 1.0, 1.1 or 1.2.
    case tls10, tls11, tls12

    fileprivate var newest: TLSVersion? {
      switch self {
      case .tls10: .tlsv1
      case .tls11: .tlsv11
      case .tls12: .tlsv12
      case .plain, .tls, .tlsForAnotherHost, .http2, .tlsOfStranger, .tlsExpired, .tlsForVisitors: nil
      }
    }
  }

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let stage: Stage
  private let security: Security

  private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ stage: Stage, _ security: Security) {
    (self.channel, self.group, self.stage, self.security) = (channel, group, stage, security)
  }

  /// Begins to listen. With a `chaos` seed the answers of resources and uploads are spoilt now and then, see ``Chaos``.
  /// The kernel keeps up to `receiveBuffer` bytes of a request that are not yet read, nil for its own choice.
  public static func start(
    _ security: Security = .plain, host: String = "127.0.0.1", port: Int = 0, chaos: UInt64? = nil,
    receiveBuffer: Int32? = nil
  ) async throws -> HTTPTestServer {
    prepareForHTTP()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let stage = Stage(chaos: chaos.map(Chaos.init))
    let context = try tlsContext(security)
    var bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel, context, stage) }
      }
    if let size = receiveBuffer {  // Connections inherit it.
      bootstrap = bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: .init(size))
    }
    let channel = try await bootstrap.bind(host: host, port: port).get()
    return HTTPTestServer(channel, group, stage, security)
  }

  /// Where it listens.
  public var port: Int { channel.localAddress?.port ?? 0 }

  /// The URL of a path, by address.
  public func url(_ path: String) -> String { "\(security == .plain ? "http" : "https")://127.0.0.1:\(port)\(path)" }

  /// Sets the scripts for requests for a path, query included: one for each request in turn; the last one stays.
  public func play(_ path: String, _ scripts: Script...) { stage.play(path, scripts) }

  /// The same with an array of scripts.
  public func play(_ path: String, _ scripts: [Script]) { stage.play(path, scripts) }

  /// Lets held answers of a path go on, and later ones pass.
  public func release(_ path: String) { stage.gate.open(path) }

  /// The completely received requests for a path, in order.
  public func requests(_ path: String) -> [SeenRequest] { stage.requests(path) }

  /// How many connections were accepted.
  public var connections: Int { stage.connections }

  /// Returns once the server is closed.
  public func wait() async throws { try await channel.closeFuture.get() }

  /// Accepts no more connections; existing ones go on, and another server may listen at its port.
  public func stopListening() async throws { try await channel.close() }

  /// Stops listening and closes every connection.
  public func stop() async throws {
    if channel.isActive { try await channel.close() }
    stage.gate.close()
    try await group.shutdownGracefully()
  }

  static func tlsContext(_ security: Security) throws -> NIOSSLContext? {
    let identity: Fixtures.Identity
    switch security {
    case .plain: return nil
    case .tls, .http2, .tlsForVisitors, .tls10, .tls11, .tls12: identity = Fixtures.local
    case .tlsOfStranger: identity = Fixtures.stranger
    case .tlsExpired: identity = Fixtures.expired
    case .tlsForAnotherHost: identity = Fixtures.elsewhere
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8)).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem)))
    if security == .tlsForVisitors {
      configuration.certificateVerification = .noHostnameVerification
      let visitor = try NIOSSLCertificate.fromPEMBytes(Array(Fixtures.visitor.certificate.utf8))
      configuration.trustRoots = .certificates(visitor)
    }
    configuration.maximumTLSVersion = security.newest
    configuration.applicationProtocols = security == .http2 ? ["h2", "http/1.1"] : ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  private static func prepare(_ channel: any Channel, _ context: NIOSSLContext?, _ stage: Stage) throws {
    let number = stage.connect()
    guard let context else { return try addHTTP1(to: channel, number, stage) }
    try channel.pipeline.syncOperations.addHandlers([
      NIOSSLServerHandler(context: context),
      ApplicationProtocolNegotiationHandler { result, channel in
        guard case .negotiated("h2") = result else {
          return channel.eventLoop.makeCompletedFuture { try addHTTP1(to: channel, number, stage) }
        }
        // In debug builds an assertion of NIOHTTP2 1.46 fails when a channel becomes writable again while unflushed
        // control frames wait; so the channel never becomes unwritable. A player sends piece by piece.
        return channel.setOption(.writeBufferWaterMark, value: .init(low: 8 << 20, high: 64 << 20)).flatMapThrowing {
          try channel.pipeline.syncOperations.addHandlers([
            NIOHTTP2Handler(mode: .server, contentLengthValidation: .disabled),  // Tests send wrong lengths on purpose.
            HTTP2StreamMultiplexer(
              mode: .server, channel: channel,
              inboundStreamInitializer: { stream in
                stream.eventLoop.makeCompletedFuture { try addHTTP2(to: stream, number, stage) }
              }),
          ])
        }
      },
    ])
  }

  private static func addHTTP1(to channel: any Channel, _ number: Int, _ stage: Stage) throws {
    try channel.pipeline.syncOperations.addHandlers([
      ByteToMessageHandler(HTTPRequestDecoder()), ScriptPlayer(.http1, connection: number, stage: stage),
    ])
  }

  private static func addHTTP2(to stream: any Channel, _ number: Int, _ stage: Stage) throws {
    try stream.pipeline.syncOperations.addHandlers([
      HTTP2FramePayloadToHTTP1ServerCodec(), ScriptPlayer(.http2, connection: number, stage: stage),
    ])
  }
}
