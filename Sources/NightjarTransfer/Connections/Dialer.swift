import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A connection as it comes from the dialer.
enum Line: Sendable {
  /// One request at a time.
  case http1(any Channel)
  /// Many at a time, each on a stream of its own.
  case http2(any Channel, NIOHTTP2Handler.StreamMultiplexer)
}

/// Opens connections: name, address, TCP, TLS and the protocol agreed on.
///
/// This is the one place where trust in a server is decided.
final class Dialer: Sendable {
  private let settings: EngineSettings
  private let files: NIOThreadPool
  private let tls = Mutex<EventLoopFuture<NIOSSLContext>?>(nil)

  init(settings: EngineSettings, files: NIOThreadPool) { (self.settings, self.files) = (settings, files) }

  /// Connects to an origin. The handlers of a plain or HTTP/1.1 channel are in place, except for the exchange.
  func dial(_ origin: Origin, on loop: any EventLoop) -> EventLoopFuture<Line> {
    guard origin.isSecure else {
      return connect(origin, on: loop) { [settings] in try Self.addHTTP1(to: $0, settings) }.map { .http1($0) }
    }
    return context(on: loop).flatMap { context in self.dial(origin, context, on: loop) }
  }

  private func dial(_ origin: Origin, _ context: NIOSSLContext, on loop: any EventLoop) -> EventLoopFuture<Line> {
    let agreed = loop.makePromise(of: String?.self)
    let timer = loop.scheduleTask(in: TimeAmount(settings.connectTimeout)) { agreed.fail(TLSGreeting.TimedOut()) }
    agreed.futureResult.whenComplete { _ in timer.cancel() }
    let connected = connect(origin, on: loop) { channel in
      let name = origin.isAddress ? nil : origin.host
      try channel.pipeline.syncOperations.addHandlers([
        NIOSSLClientHandler(context: context, serverHostname: name), TLSGreeting(agreed),
      ])
    }
    connected.whenFailure { agreed.fail($0) }
    return connected.flatMap { [settings] channel in
      let line = agreed.futureResult.flatMap { Self.speak($0, on: channel, settings) }
      line.whenFailure { _ in channel.close(promise: nil) }
      return line
    }
  }

  private func connect(
    _ origin: Origin, on loop: any EventLoop, _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) -> EventLoopFuture<any Channel> {
    ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(settings.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: receiveSize(origin)))
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
      .connect(host: origin.host, port: origin.port)
  }

  private func receiveSize(_ origin: Origin) -> Int {
    origin.isSecure ? settings.secureReceiveSize : settings.receiveSize
  }

  private static func speak(
    _ agreed: String?, on channel: any Channel, _ settings: EngineSettings
  ) -> EventLoopFuture<Line> {
    guard agreed == "h2" else {
      return channel.eventLoop.makeCompletedFuture {
        try addHTTP1(to: channel, settings)
        return .http1(channel)
      }
    }
    return channel.setOption(.writeBufferWaterMark, value: roomy).flatMap {
      channel.configureHTTP2Pipeline(
        mode: .client, connectionConfiguration: connection(settings), streamConfiguration: stream
      ) { pushed in pushed.close() }
    }.map { .http2(channel, $0) }
  }

  /// Uploads are held back by their own pieces, not by the channel. NIOHTTP2 1.46 stops at an assertion, in debug builds,
  /// when a channel becomes writable again while it has control frames waiting that nobody has flushed.
  private static let roomy = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 20, high: 32 << 20)

  private static func addHTTP1(to channel: any Channel, _ settings: EngineSettings) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    (limits.maxHeaderListSize, limits.maxHeaderFieldSize) = (settings.headersMax, settings.headersMax)
    let decoder = HTTPResponseDecoder(informationalResponseStrategy: .forward, limitConfiguration: limits)
    try channel.pipeline.syncOperations.addHandlers([HTTPRequestEncoder(), ByteToMessageHandler(decoder)])
  }

  /// Windows large enough that a stream fills a fast line with some delay, small enough for a small device.
  private static func connection(_ settings: EngineSettings) -> NIOHTTP2Handler.ConnectionConfiguration {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.targetWindowSize = 8 << 20
    configuration.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(parameter: .maxHeaderListSize, value: settings.headersMax),
      HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
      HTTP2Setting(parameter: .maxFrameSize, value: 256 << 10),
    ]
    return configuration
  }

  private static let streamWindow = 4 << 20

  private static var stream: NIOHTTP2Handler.StreamConfiguration {
    var configuration = NIOHTTP2Handler.StreamConfiguration()
    configuration.targetWindowSize = streamWindow
    return configuration
  }

  /// The roots are read once, off the loop: it takes tens of milliseconds.
  private func context(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
    tls.withLock { kept in
      let made = kept ?? files.runIfActive(eventLoop: loop) { [settings] in try Self.makeContext(settings) }
      kept = made
      made.whenFailure { [self] _ in tls.withLock { $0 = nil } }
      return made.hop(to: loop)
    }
  }

  private static func makeContext(_ settings: EngineSettings) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = ["h2", "http/1.1"]
    if let path = settings.trustedCertificates {
      configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(path))]
    }
    return try NIOSSLContext(configuration: configuration)
  }
}

/// Waits for the end of the TLS handshake, or for what prevents it.
final class TLSGreeting: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  /// The server took the connection and did not greet.
  struct TimedOut: Error {}

  private let agreed: EventLoopPromise<String?>

  init(_ agreed: EventLoopPromise<String?>) { self.agreed = agreed }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case TLSUserEvent.handshakeCompleted(let name)? = event as? TLSUserEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    agreed.succeed(name)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    agreed.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    agreed.fail(ExchangeError.closedEarly)
    context.fireChannelInactive()
  }
}

extension Origin {
  /// Whether the host is an address, which SNI must not carry; the certificate is then checked against the peer's.
  var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}
