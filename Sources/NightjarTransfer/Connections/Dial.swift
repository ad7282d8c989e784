import NIOCore
import NIOPosix
import NIOSSL

/// A connection while it is being made: where it goes, on which loop, and what is found out about it on the way.
struct Dial: Sendable {
  let route: Route
  let loop: any EventLoop
  let record: DialRecord
  private let settings: EngineSettings
  private let lookups: NameLookups

  init(_ route: Route, on loop: any EventLoop, _ settings: EngineSettings, _ lookups: NameLookups) {
    (self.route, self.loop, self.settings, self.lookups) = (route, loop, settings, lookups)
    record = DialRecord(route, at: loop.now)
  }

  /// A connection on which TLS is agreed, and what is to be spoken on it.
  struct Secured: Sendable {
    var channel: any Channel
    var agreed: String?
  }

  /// Shakes hands in TLS. The handler decides whether the server is trusted.
  func secure(
    _ handler: @escaping @Sendable (_ serverName: String?) throws -> NIOSSLClientHandler
  ) -> EventLoopFuture<Secured> {
    let (origin, timeout) = (route.origin, TimeAmount(settings.connectTimeout))
    let connected = connect { channel -> EventLoopPromise<String?> in
      record.facts.secure = .init(start: channel.eventLoop.now)
      let name = origin.isAddress ? nil : origin.host
      return try TLSGreeting.awaited(behind: handler(name), on: channel, record)
    }
    return connected.flatMap { reached in
      let (channel, agreed) = (reached.channel, reached.ready)
      let timer = loop.scheduleTask(in: timeout) { agreed.fail(TLSGreeting.TimedOut()) }
      agreed.futureResult.whenComplete { _ in timer.cancel() }
      agreed.futureResult.whenFailure { _ in channel.close(promise: nil) }
      return agreed.futureResult.map { Secured(channel: channel, agreed: $0) }
    }
  }

  /// Connects to the first hop; the channel is prepared once it leads to the origin.
  func connect<Ready: Sendable>(
    _ prepare: @escaping @Sendable (any Channel) throws -> Ready
  ) -> EventLoopFuture<Reached<Ready>> {
    guard route.isTunnelled, let proxy = route.proxy else { return reach(prepare) }
    let led = lead(through: proxy, showing: proxy.authorization, prepare)
    guard proxy.isProven else { return led }
    return led.flatMapError { error in
      guard case ProxyError.refused(let answer) = error,
        let proof = proxy.proof(after: answer, target: route.origin.authority)
      else { return loop.makeFailedFuture(error) }
      return lead(through: proxy, showing: proof, prepare)
    }
  }

  /// Has a proxy open the way to the origin.
  private func lead<Ready: Sendable>(
    through proxy: ProxyServer, showing authorization: String?,
    _ prepare: @escaping @Sendable (any Channel) throws -> Ready
  ) -> EventLoopFuture<Reached<Ready>> {
    let (timeout, headersMax) = (TimeAmount(settings.connectTimeout), settings.headersMax)
    let reached = reach { channel -> EventLoopFuture<Void> in
      let talk: any ProxyTalk =
        switch proxy.kind {
        case .http: ConnectTalk(route.origin.authority, showing: authorization, headersMax: headersMax)
        case .socks5: SocksTalk(route.origin, through: proxy)
        }
      return try Tunnel.opened(by: talk, on: channel, timeout: timeout)
    }
    return reached.flatMap { way in
      let led = way.ready.flatMapThrowing { Reached(channel: way.channel, ready: try prepare(way.channel)) }
      led.whenFailure { _ in way.channel.close(promise: nil) }
      return led
    }
  }

  /// Connects to the first hop: to the first of its addresses that takes the connection.
  private func reach<Ready: Sendable>(
    _ prepare: @escaping @Sendable (any Channel) throws -> Ready
  ) -> EventLoopFuture<Reached<Ready>> {
    let (host, port) = route.firstHop
    let trials = Trials<Ready>()
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(settings.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: receiveSize))
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try trials.begin(channel, prepare) } }
    if let address = try? SocketAddress(ipAddress: host, port: port) {
      return bootstrap.connect(to: address).map { trials.reached($0) }
    }
    let resolver = NameResolver(on: loop, record: record, lookups: lookups)
    return bootstrap.resolver(resolver).connect(host: host, port: port).map { trials.reached($0) }
  }

  private var receiveSize: Int { route.origin.isSecure ? settings.secureReceiveSize : settings.receiveSize }

  /// The facts of the connection, once it is made.
  func finish(_ channel: any Channel) -> LineFacts {
    record.facts.connect.end = channel.eventLoop.now
    record.facts.take(channel)
    return record.facts
  }
}
