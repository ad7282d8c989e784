import Logging
import NIOCore

/// The connections of one event loop, by origin. Used on that loop only.
final class ConnectionPool {
  private let loop: any EventLoop
  private let dialer: Dialer
  private let settings: EngineSettings
  private let logger: Logger
  private var origins: [Origin: OriginPool] = [:]
  private var tickets: UInt64 = 0

  /// A place in the queue for a connection.
  struct Ticket: Hashable {
    fileprivate let origin: Origin
    let number: UInt64
  }

  init(loop: any EventLoop, dialer: Dialer, settings: EngineSettings, logger: Logger) {
    (self.loop, self.dialer, self.settings, self.logger) = (loop, dialer, settings, logger)
  }

  /// Asks for an exchange with an origin. `then` is called once, perhaps before this returns, unless it is cancelled.
  func lease(_ origin: Origin, then: @escaping (Result<Exchange, any Error>) -> Void) -> Ticket {
    tickets += 1
    let ticket = Ticket(origin: origin, number: tickets)
    pool(of: origin).lease(tickets, then)
    return ticket
  }

  /// Gives up a place in the queue. Harmless once it has been served.
  func cancel(_ ticket: Ticket) { origins[ticket.origin]?.cancel(ticket.number) }

  /// Closes the unused connections to an origin: one of them turned out to be dead.
  func dropIdle(_ origin: Origin) { origins[origin]?.dropIdle() }

  /// Closes every connection.
  func close() { for pool in origins.values { pool.close() } }

  private func pool(of origin: Origin) -> OriginPool {
    if let pool = origins[origin] { return pool }
    let pool = OriginPool(origin, loop: loop, dialer: dialer, settings: settings, logger: logger)
    pool.onEmpty = { [weak self] in self?.origins[origin] = nil }
    origins[origin] = pool
    return pool
  }
}
