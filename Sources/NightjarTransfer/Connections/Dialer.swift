import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NightjarModel
import Synchronization

/// A connection as it comes from the dialer.
enum Line: Sendable {
  /// One request at a time.
  case http1(any Channel, LineFacts)
  /// Many at a time, each on a stream of its own.
  case http2(any Channel, NIOHTTP2Handler.StreamMultiplexer, LineFacts)
}

/// Opens connections: name, address, TCP, TLS and the protocol agreed on.
///
/// This is the one place where trust in a server is decided.
final class Dialer: Sendable {
  private let settings: EngineSettings
  private let files: NIOThreadPool
  private let lookups: NameLookups
  /// The TLS contexts for servers that the system judges.
  private let tls = Mutex<[Basis: EventLoopFuture<NIOSSLContext>]>([:])

  /// The settings in which such contexts differ.
  private struct Basis: Hashable {
    var minimum: NightjarModel.TLSVersion
    var identity: TLSProfile.Identity?
    var protocols: [String]
    /// Whether TLS can see which host the certificate has to be for.
    var seesHost: Bool

    init(_ route: Route) {
      (minimum, identity) = (route.tlsMinimum, route.tlsProfile.identity)
      (protocols, seesHost) = (route.protocols, !route.hidesAddress)
    }
  }

  /// - Parameter lookUp: How the addresses of a name are found.
  init(
    settings: EngineSettings, files: NIOThreadPool,
    lookUp: @escaping NameResolver.LookUp = { try NameResolver.addresses(of: $0) }
  ) {
    (self.settings, self.files) = (settings, files)
    lookups = NameLookups(threadsMax: settings.lookUpsMax, lookUp: lookUp)
  }

  /// Connects to an origin. The handlers of a plain or HTTP/1.1 channel are in place, except for the exchange.
  func dial(_ route: Route, on loop: any EventLoop) -> EventLoopFuture<Line> {
    let dial = begin(route, on: loop)
    guard route.origin.isSecure else {
      return dial.connect { [settings] in try Self.addHTTP1(to: $0, settings) }.map { reached in
        .http1(reached.channel, dial.finish(reached.channel))
      }
    }
    let secured = route.tlsProfile.trusted.isEmpty ? dialJudging(dial) : dialTrusting(dial)
    return secured.flatMap { [settings] secured in
      let line = Self.speak(secured.agreed, on: secured.channel, settings, dial)
      line.whenFailure { _ in secured.channel.close(promise: nil) }
      return line
    }
  }

  /// A dial that has not begun to connect.
  func begin(_ route: Route, on loop: any EventLoop) -> Dial { Dial(route, on: loop, settings, lookups) }

  private static func speak(
    _ agreed: String?, on channel: any Channel, _ settings: EngineSettings, _ dial: Dial
  ) -> EventLoopFuture<Line> {
    guard agreed == "h2" else {
      return channel.eventLoop.makeCompletedFuture {
        try addHTTP1(to: channel, settings)
        return .http1(channel, dial.finish(channel))
      }
    }
    dial.record.facts.protocolName = "h2"
    return channel.setOption(.writeBufferWaterMark, value: HTTP2Windows.uploadWaterMark).flatMap {
      channel.configureHTTP2Pipeline(
        mode: .client, connectionConfiguration: HTTP2Windows.connection(settings),
        streamConfiguration: HTTP2Windows.stream
      ) { pushed in pushed.close() }
    }.map { .http2(channel, $0, dial.finish(channel)) }
  }

  static func addHTTP1(to channel: any Channel, _ settings: EngineSettings) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    (limits.maxHeaderListSize, limits.maxHeaderFieldSize) = (settings.headersMax, settings.headersMax)
    let decoder = HTTPResponseDecoder(informationalResponseStrategy: .forward, limitConfiguration: limits)
    // The decoder consumes everything until the connection is closed, except what follows a 101.
    let reader = ByteToMessageHandler(decoder, maximumBufferSize: settings.headersMax)
    // The last handler refuses a head that would be read as another one, or as two requests. It does not touch bodies.
    try channel.pipeline.syncOperations.addHandlers([HTTPRequestEncoder(), reader, NIOHTTPRequestHeadersValidator()])
  }

  /// The roots are read once, off the loop: it takes tens of milliseconds.
  func context(for route: Route, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
    let basis = Basis(route)
    let made = tls.withLock { kept in
      if kept.count >= Self.contextsMax { kept = kept.filter { $0.key.identity == nil } }
      let made =
        kept[basis] ?? files.runIfActive(eventLoop: loop) { [settings] in try Self.makeContext(settings, basis) }
      kept[basis] = made
      return made
    }
    // Not under the lock: if the future has failed already, this runs at once.
    made.whenFailure { [self] _ in tls.withLock { $0[basis] = nil } }
    return made.hop(to: loop)
  }

  private static let contextsMax = 32

  private static func makeContext(_ settings: EngineSettings, _ basis: Basis) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = basis.minimum.inTLS
    configuration.applicationProtocols = basis.protocols
    if !basis.seesHost { configuration.certificateVerification = .noHostnameVerification }
    try configuration.show(basis.identity)
    if let path = settings.trustedCertificates {
      configuration.additionalTrustRoots = [.certificates(try authorities(at: path))]
    }
    return try NIOSSLContext(configuration: configuration)
  }

  /// The daemon was able to read them when it started: that it no longer is counts against no transfer.
  private static func authorities(at path: String) throws(TransferFailure) -> [NIOSSLCertificate] {
    do { return try AuthorityFile(at: path).certificates() } catch {
      throw TransferFailure(
        .cannotConnect, "no secure connection is made while the setting trusted.certificates names \(error.words)")
    }
  }
}

extension Origin {
  /// Whether the host is an address, which SNI must not carry; the certificate is then checked against that of the
  /// connection, unless this is a proxy's.
  var isAddress: Bool { HostPattern.bytes(host) != nil }

  /// Host and port, as a proxy is asked for a tunnel (RFC 9112, section 3.2.3).
  var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
