import NIOCore
import NightjarModel

/// The facts of a connection, once it is made.
struct LineFacts: Sendable {
  /// A beginning and an end on the steady clock.
  struct Span: Sendable {
    var start: NIODeadline
    var end: NIODeadline?
  }

  var lookup: Span?
  var connect: Span
  var secure: Span?
  var protocolName = "http/1.1"
  var isProxied: Bool
  var local: ExchangeMetrics.Endpoint?
  var remote: ExchangeMetrics.Endpoint?
  /// As TLS numbers its versions.
  var tlsVersion: UInt16?

  init(isProxied: Bool, begun: NIODeadline) {
    self.isProxied = isProxied
    connect = Span(start: begun)
  }

  /// Takes in what an open channel knows of its ends.
  mutating func take(_ channel: any Channel) {
    local = channel.localAddress.flatMap(ExchangeMetrics.Endpoint.init)
    remote = channel.remoteAddress.flatMap(ExchangeMetrics.Endpoint.init)
  }
}

extension ExchangeMetrics.Endpoint {
  fileprivate init?(_ address: SocketAddress) {
    guard let ip = address.ipAddress, let port = address.port else { return nil }
    self.init(address: ip, port: port)
  }
}

/// The facts of a connection while it is being made. Used on its event loop only.
///
/// `@unchecked Sendable`: it travels with futures of that one loop.
final class DialRecord: @unchecked Sendable {
  var facts: LineFacts

  init(_ route: Route, at now: NIODeadline) { facts = LineFacts(isProxied: route.proxy != nil, begun: now) }
}
