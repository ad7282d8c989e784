import Logging
import NIOCore
import NIOHTTP2
import NIOPosix

/// The connections to one origin on one route, and the queue for them. Used on its event loop only.
///
/// At most `connectionsPerHostMax` connections. Until the first TLS connection has told which protocol the origin
/// speaks, only one is dialled: with HTTP/2 it is all that is needed.
///
/// If a dial fails while other connections live, the waiters go on waiting: for those, and for another dial after a
/// pause. The pause is a second, then doubles each time, up to half a minute, until a dial succeeds.
final class OriginPool {
  /// How a connection is opened; it may fail at once.
  typealias Opening = (Route, any EventLoop) -> EventLoopFuture<Line>
  private typealias Waiter = (number: UInt64, then: (Result<Exchange, any Error>) -> Void)

  var onEmpty: () -> Void = {}

  private let route: Route
  private let loop: any EventLoop
  private let dial: Opening
  private let settings: EngineSettings
  private let logger: Logger

  private var waiting: [Waiter] = []
  private var dialling = 0
  /// Ends the pause after a dial that failed; nil while there is none.
  private var redial: Scheduled<Void>?
  /// How long the next such pause is.
  private var pause: Duration
  /// Open HTTP/1.1 connections, used or not.
  private var open: [ObjectIdentifier: HTTP1Connection] = [:]
  /// Those not in use; the last used is the first used again.
  private var idle: [HTTP1Connection] = []
  private var shared: HTTP2Connection?
  private var speaksHTTP1: Bool
  private var isClosed = false

  init(_ route: Route, loop: any EventLoop, dial: @escaping Opening, settings: EngineSettings, logger: Logger) {
    (self.route, self.loop, self.dial, self.settings) = (route, loop, dial, settings)
    (self.logger, pause) = (logger, settings.redialPauseMin)
    speaksHTTP1 = route.isHTTP1Only || !route.origin.isSecure
  }

  func lease(_ number: UInt64, _ then: @escaping (Result<Exchange, any Error>) -> Void) {
    waiting.append((number, then))
    serve()
  }

  func cancel(_ number: UInt64) {
    waiting.removeAll { $0.number == number }
    removeIfEmpty()
  }

  /// Gives up the connections that nobody uses, and one in use that may be dead.
  func dropIdle() {
    shared?.retireUnlessAlive()
    let dropped = idle
    idle = []
    for connection in dropped {
      open[ObjectIdentifier(connection)] = nil  // Over TLS it is closed only once the other side says so, too.
      connection.channel.close(promise: nil)
    }
  }

  func close() {
    isClosed = true
    endPause()
    fail(waiting, ChannelError.alreadyClosed)
    for connection in open.values { connection.channel.close(promise: nil) }
    shared?.channel.close(promise: nil)
  }

  private func serve() {
    while let waiter = waiting.first {
      if let shared, shared.hasRoom {
        waiting.removeFirst()
        shared.openStream(waiter.then)
      } else if let connection = idle.popLast() {
        waiting.removeFirst()
        connection.use()
        waiter.then(.success(connection.exchange))
      } else {
        break
      }
    }
    while mayDial { dialOne() }
  }

  /// Whether any connection is open, used or not.
  private var isAlive: Bool { !open.isEmpty || shared != nil }

  private var mayDial: Bool {
    guard dialling < waiting.count, !isClosed, redial == nil || !isAlive else { return false }
    return speaksHTTP1 ? open.count + dialling < settings.connectionsPerHostMax : dialling == 0 && shared == nil
  }

  private func dialOne() {
    dialling += 1
    logger.debug("connecting", metadata: ["host": "\(route.origin.host)", "port": "\(route.origin.port)"])
    let line = dial(route, loop)
    // Even a dial that failed at once is heard of later: the loop that dials for all waiters would find them still
    // waiting, and dial without end.
    loop.assumeIsolated().execute { [self] in line.assumeIsolated().whenComplete { [self] in dialled($0) } }
  }

  private func dialled(_ result: Result<Line, any Error>) {
    dialling -= 1
    switch result {
    case .success(let line): adopt(line)
    case .failure(let error): dialFailed(error)
    }
  }

  private func adopt(_ line: Line) {
    do {
      switch line {
      case .http1(let channel, let facts): try adoptHTTP1(channel, facts)
      case .http2(let channel, let multiplexer, let facts): try adoptHTTP2(channel, multiplexer, facts)
      }
      endPause()
    } catch {
      dialFailed(error)
    }
    serve()
  }

  private func adoptHTTP1(_ channel: any Channel, _ facts: LineFacts) throws {
    speaksHTTP1 = true
    let connection = try HTTP1Connection(channel, facts, settings)
    guard !isClosed else { return channel.close(promise: nil) }
    open[ObjectIdentifier(connection)] = connection
    connection.onFree = { [weak self, weak connection] isReusable in
      if let connection { self?.freed(connection, isReusable: isReusable) }
    }
    idle.append(connection)
    connection.rest(for: settings.idleTimeout)
  }

  private func adoptHTTP2(
    _ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer, _ facts: LineFacts
  ) throws {
    let connection = try HTTP2Connection(channel, multiplexer, facts, settings)
    guard !isClosed else { return channel.close(promise: nil) }
    shared = connection
    connection.onChange = { [weak self, weak connection] in
      if let connection { self?.changed(connection) }
    }
  }

  private func freed(_ connection: HTTP1Connection, isReusable: Bool) {
    if isReusable, open[ObjectIdentifier(connection)] != nil, !isClosed {
      idle.append(connection)
      connection.rest(for: settings.idleTimeout)
    } else {
      open[ObjectIdentifier(connection)] = nil
      idle.removeAll { $0 === connection }
    }
    serve()
    removeIfEmpty()
  }

  private func changed(_ connection: HTTP2Connection) {
    if !connection.isUsable, shared === connection { shared = nil }
    serve()
    removeIfEmpty()
  }

  /// With no other connection alive, all waiters fail, since another dial would fail the same; otherwise they go on
  /// waiting.
  private func dialFailed(_ error: any Error) {
    if isAlive {
      beginPause()
    } else {
      endPause()
      fail(waiting, error)
    }
    removeIfEmpty()
  }

  private func beginPause() {
    guard redial == nil, !waiting.isEmpty else { return }
    redial = loop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [weak self] () -> Void in
      self?.redial = nil
      self?.serve()
    }
    pause = min(pause * 2, settings.redialPauseMax)
  }

  private func endPause() {
    redial?.cancel()
    (redial, pause) = (nil, settings.redialPauseMin)
  }

  private func fail(_ waiters: [Waiter], _ error: any Error) {
    let numbers = Set(waiters.map(\.number))
    waiting.removeAll { numbers.contains($0.number) }
    for waiter in waiters { waiter.then(.failure(error)) }
  }

  private func removeIfEmpty() {
    if waiting.isEmpty, dialling == 0, !isAlive { onEmpty() }
  }
}
