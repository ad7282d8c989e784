import Logging
import NIOCore

/// The connections of one event loop, by route. Used on that loop only.
final class ConnectionPool {
  private let loop: any EventLoop
  private let dialer: Dialer
  private let settings: EngineSettings
  private let logger: Logger
  private var routes: [Route: OriginPool] = [:]
  private var tickets: UInt64 = 0
  /// Origins that want HTTP/1.1.
  private var insistent: Set<Origin> = []

  /// A place in the queue for a connection.
  struct Ticket: Hashable {
    fileprivate let route: Route
    let number: UInt64
  }

  init(loop: any EventLoop, dialer: Dialer, settings: EngineSettings, logger: Logger) {
    (self.loop, self.dialer, self.settings, self.logger) = (loop, dialer, settings, logger)
  }

  /// Asks for an exchange on a route. `then` is called once, perhaps before this returns, unless it is cancelled.
  func lease(_ route: Route, then: @escaping (Result<Exchange, any Error>) -> Void) -> Ticket {
    tickets += 1
    let ticket = Ticket(route: route, number: tickets)
    pool(of: route).lease(tickets, then)
    return ticket
  }

  /// Gives up a place in the queue. Harmless once it has been served.
  func cancel(_ ticket: Ticket) { routes[ticket.route]?.cancel(ticket.number) }

  /// Closes the unused connections of a route: one of them turned out to be dead, or must not be found to be.
  func dropIdle(_ route: Route) { routes[route]?.dropIdle() }

  /// Remembers that an origin wants HTTP/1.1. If there are too many to remember, all are forgotten, and each will say
  /// so again.
  func keepToHTTP1(_ origin: Origin) {
    if insistent.count >= Self.insistentMax { insistent = [] }
    insistent.insert(origin)
  }

  /// Whether an origin has said that it wants HTTP/1.1.
  func isKeptToHTTP1(_ origin: Origin) -> Bool { insistent.contains(origin) }

  private static let insistentMax = 256

  /// Closes every connection.
  func close() { for pool in routes.values { pool.close() } }

  private func pool(of route: Route) -> OriginPool {
    if let pool = routes[route] { return pool }
    let pool = OriginPool(route, loop: loop, dial: dialer.dial, settings: settings, logger: logger)
    pool.onEmpty = { [weak self] in self?.routes[route] = nil }
    routes[route] = pool
    return pool
  }
}
