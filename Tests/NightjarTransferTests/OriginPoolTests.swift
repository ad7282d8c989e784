import Logging
import NIOCore
import NIOEmbedded
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An origin that has taken a connection, and takes no other.
@Suite(.timeLimit(.minutes(2))) struct `A connection that cannot be had` {
  @Test func `is dialled for once in a while, and the loop has time for others`() {
    let bench = PoolBench()
    let first = bench.lease()
    bench.refuses = true

    let second = bench.lease()
    var isOtherDone = false
    bench.loop.execute { isOtherDone = true }
    bench.loop.run()

    #expect(first.isServed && !second.isOver)
    #expect(bench.dials == 2)
    #expect(isOtherDone)
  }

  @Test func `is dialled for after a second, then half as often each time, up to every half minute`() {
    let bench = PoolBench()
    _ = bench.lease()
    bench.refuses = true
    _ = bench.lease()

    var times: [Int] = []
    for second in 1...94 {
      let before = bench.dials
      bench.loop.advanceTime(by: .seconds(1))
      times += Array(repeating: second, count: bench.dials - before)
    }

    #expect(times == [1, 3, 7, 15, 31, 61, 91])
  }

  @Test func `is had once it can be, and then the pause is short again`() {
    let bench = PoolBench()
    _ = bench.lease()
    bench.refuses = true
    let second = bench.lease()
    bench.loop.advanceTime(by: .seconds(20))

    bench.refuses = false
    bench.loop.advanceTime(by: .seconds(11))
    bench.refuses = true
    let (third, dials) = (bench.lease(), bench.dials)
    bench.loop.advanceTime(by: .seconds(1))

    #expect(second.isServed && !third.isOver)
    #expect(bench.dials == dials + 1)
  }

  @Test func `is not asked for by each that comes during the pause`() {
    let bench = PoolBench()
    _ = bench.lease()
    bench.refuses = true

    for _ in 0..<100 { _ = bench.lease() }

    #expect(bench.dials == 2)
  }

  @Test func `has its place taken by another while it closes, which the other side may delay`() {
    let bench = PoolBench()
    bench.delaysClosing = true
    let leases = (0..<EngineSettings().connectionsPerHostMax).map { _ in bench.lease() }
    let next = bench.lease()
    let wasServed = next.isOver

    if case .success(let exchange)? = leases[0].result { exchange.decline() }
    bench.loop.run()

    #expect(!wasServed && next.isServed)
  }

  @Test func `is given up at once when the last other one closes`() {
    let bench = PoolBench()
    _ = bench.lease()
    bench.refuses = true
    let second = bench.lease()
    bench.loop.run()

    bench.hangUp()
    bench.loop.run()

    #expect(second.isOver && !second.isServed)
    #expect(bench.dials == 3)
  }

  @Test func `is had from a server that listens again while a first download goes on`() async throws {
    try await withWorkshop(settings: { ($0.redialPauseMin, $0.redialPauseMax) = (.milliseconds(10), .milliseconds(10)) }
    ) { workshop, server in
      let held = Serving(Content(seed: 1, size: 200_000)).with { ($0.mishap, $0.mishapAfter) = (.hold, 100_000) }
      server.play("/held", .serve(held))
      let (port, path) = (server.port, server.url("/file/7/1000"))
      workshop.engine.start(.download(server.url("/held"), id: 1) { $0.requestTimeout = .seconds(600) })
      try await workshop.log.first { $0.fact != .progressed(count: 0, expected: nil) }
      try await server.stopListening()

      let order = TransferOrder.download(path, id: 2) { $0.requestTimeout = .seconds(10) }
      workshop.engine.start(order)
      try await workshop.log.first { $0.id == order.id }  // It says that it waits, so it was refused.
      let again = try await HTTPTestServer.start(port: port)
      let facts = try await workshop.end(of: order)
      try await again.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(workshop.log.facts(of: TransferID(1), attempt: 1).last?.isTerminal == false)
    }
  }
}

/// A pool on a loop whose time is moved by hand, and an origin that takes connections or refuses them at once.
private final class PoolBench {
  /// Who waits for a connection.
  final class Waiter {
    fileprivate(set) var result: Result<Exchange, any Error>?
    var isOver: Bool { result != nil }
    var isServed: Bool { if case .success = result { true } else { false } }
  }

  let loop = EmbeddedEventLoop()
  private(set) var dials = 0
  var refuses = false
  /// Whether its connections stay open though they are closed, as over TLS until the other side says so, too.
  var delaysClosing = false
  private let route = Route(origin: Origin(isSecure: false, host: "origin.example", port: 80))
  private var channels: [EmbeddedChannel] = []
  private var leases: UInt64 = 0
  private lazy var pool = OriginPool(
    route, loop: loop, dial: { [unowned self] route, _ in dial(route) }, settings: EngineSettings(),
    logger: Logger(label: "test"))

  /// Asks for a connection, and lets the loop do what it has to do now.
  func lease() -> Waiter {
    let waiter = Waiter()
    leases += 1
    pool.lease(leases) { waiter.result = $0 }
    loop.run()
    return waiter
  }

  /// The origin closes its connections.
  func hangUp() { for channel in channels { channel.close(promise: nil) } }

  private func dial(_ route: Route) -> EventLoopFuture<Line> {
    dials += 1
    guard !refuses || dials > 1000 else {  // A pool that dials without end gets what it wants in the end.
      return loop.makeFailedFuture(IOError(errnoCode: ENETUNREACH, reason: "connect"))
    }
    let channel = EmbeddedChannel(handlers: delaysClosing ? [DelayedClosing()] : [], loop: loop)
    channels.append(channel)
    return loop.makeSucceededFuture(.http1(channel, LineFacts(isProxied: false, begun: loop.now)))
  }
}

/// Holds back that its channel is closed.
private final class DelayedClosing: ChannelOutboundHandler {
  typealias OutboundIn = Never

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
}
