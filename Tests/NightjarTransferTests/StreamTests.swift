import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import NightjarModel
import Testing

@testable import NightjarTransfer

/// One request and its answer on a stream of HTTP/2, without a network.
@Suite struct StreamTests {
  private static let head = HostileTests.frame(1, 4, 1, [0x88])
  /// A piece that is almost nothing but padding.
  private static let padded = HostileTests.frame(0, 8, 1, [255, 97] + HostileTests.times(255, [0]))
  private static let tiny = HostileTests.frame(0, 0, 1, [97])
  private static let unknown = HostileTests.frame(0x4b, 0, 1, [0])
  private static let growth = HostileTests.frame(8, 0, 1, [0, 0, 0, 1])
  /// A setting: one stream at a time.
  private static let oneAtATime = HostileTests.frame(4, 0, 0, [0, 3, 0, 0, 0, 1])
  /// Whole answers: 200 and 413.
  private static let ended = HostileTests.frame(1, 5, 1, [0x88])
  private static let tooLarge = HostileTests.frame(1, 5, 1, [8, 3] + Array("413".utf8))

  @Test(arguments: [padded, tiny, growth])
  func `a server cannot fill the memory with frames while its answer has to wait`(frame: [UInt8]) throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    bench.exchange.pause()

    let flood = HostileTests.times(1000, frame)
    var heard = 0
    while bench.isRead, heard < 128 << 20 {
      try bench.hear(flood)
      heard += flood.count
    }

    #expect(heard < EngineSettings().heldMax)
    bench.exchange.resume()
    #expect(bench.owner.fault == nil && bench.isRead)
    try bench.close()
  }

  @Test func `a server cannot fill the memory with one frame that comes byte by byte`() throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    bench.exchange.pause()

    try bench.hear(Array(HostileTests.frame(0, 0, 1, HostileTests.times(16_384, [97])).prefix(9)))
    var heard = 0
    while bench.isRead, heard < 16_384 {
      try bench.hear([97])
      heard += 1
    }

    #expect(heard <= EngineSettings().heldMax / FrameTally.turnCost + 2)
    bench.exchange.resume()
    try bench.hear(HostileTests.times(16_384 - heard, [97]))
    #expect(bench.owner.received == 16_384 && bench.owner.fault == nil)
    try bench.close()
  }

  @Test func `an exchange knows until when its connection was not read for others' sake`() throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    bench.exchange.pause()
    #expect(bench.exchange.withheldUntil() == nil)

    while bench.isRead { try bench.hear(Self.tiny) }
    bench.wait(.seconds(5))
    let end = bench.now
    #expect(bench.exchange.withheldUntil() == end)
    bench.exchange.resume()
    bench.wait(.seconds(5))

    #expect(bench.exchange.withheldUntil() == end)
    try bench.close()
  }

  @Test func `trailers that come byte by byte are read to their end by a reader who waits for them`() throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)

    let field: [UInt8] = [0, 3, 120, 45, 97, 100] + HostileTests.times(100, [97])
    for byte in HostileTests.frame(1, 5, 1, HostileTests.times(20, field)) where bench.isRead { try bench.hear([byte]) }

    #expect(bench.owner.hasEnded)
    try bench.close()
  }

  @Test(arguments: [false, true])
  func `frames that nobody needs keep nobody from reading who waits`(isPausedFirst: Bool) throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    if isPausedFirst {
      bench.exchange.pause()
      try bench.hear(Self.tiny)  // The read that was asked for before is answered.
    }

    var turns = 0
    while bench.isRead, turns < 2000 {
      try bench.hear(Self.unknown)
      turns += 1
    }
    bench.exchange.resume()

    #expect(isPausedFirst == (turns < 2000))
    #expect(bench.isRead && bench.owner.fault == nil)
    try bench.close()
  }

  @Test func `an answer that fills its window while it has to wait comes whole once it is wanted`() throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    bench.exchange.pause()
    try bench.hear(HostileTests.frame(0, 0, 1, [97]))  // The read that was asked for before is answered.

    let piece = HostileTests.frame(0, 0, 1, HostileTests.times(1000, [97]))
    for _ in 0..<4000 { try bench.hear(piece) }
    #expect(bench.owner.received == 1)
    bench.exchange.resume()

    #expect(bench.owner.fault == nil)
    #expect(bench.owner.received == 4_000_001)
    try bench.close()
  }

  static let breaches: [(String, [UInt8])] = [
    ("a field in capitals", HostileTests.frame(1, 4, 1, [0x88, 0, 1, 88, 1, 97])),
    ("a field of HTTP/1.1", HostileTests.frame(1, 4, 1, [0x88, 0, 10] + "connection".utf8 + [1, 97])),
    ("an end that names a breach", HostileTests.frame(3, 0, 1, [0, 0, 0, 1])),
  ]

  @Test(arguments: breaches)
  func `what breaks the protocol instead of an answer is no lost connection`(what: String, bytes: [UInt8]) throws {
    let bench = try StreamBench()

    try bench.hear(bytes)

    let failure = bench.owner.fault.map { TransferFailure.reading($0, host: "h.example") }
    #expect(failure?.code == .badServerResponse, "\(what): \(failure?.detail ?? "no failure")")
    try? bench.close()
  }

  @Test func `a request's end needs no window that a server may have taken back`() throws {
    // All that the windows of the connection and of the stream let through.
    let bench = try StreamBench(sending: 65_535)

    try bench.hear(HostileTests.frame(4, 0, 0, [0, 4, 0, 0, 0, 0]))
    try bench.hear(HostileTests.frame(8, 0, 0, [0, 1, 0, 0]))
    try bench.hear(HostileTests.frame(1, 5, 1, [0x88]))

    #expect(bench.owner.sent == 65_535)
    #expect(bench.owner.hasEnded)
    try bench.close()
  }

  @Test(arguments: [0, 1000])
  func `a stream that has ended on both sides closes without a reset`(size: Int) throws {
    let bench = try StreamBench(sending: size)
    try bench.hear(Self.oneAtATime)
    #expect(!bench.hasRoom)

    try bench.hear(Self.ended)

    #expect(bench.owner.hasEnded)
    #expect(bench.resets == 0)
    #expect(bench.hasRoom)
    try bench.close()
  }

  /// Of the second request all is handed over, but the connection's window lets only a part of it leave.
  @Test(arguments: [(1000, false), (100_000, true)])
  func `a stream that is answered before the end of its request is reset`(size: Int, endsRequest: Bool) throws {
    let bench = try StreamBench(sending: size, endsRequest: endsRequest)
    try bench.hear(Self.oneAtATime)

    try bench.hear(Self.tooLarge)

    #expect(bench.owner.hasEnded)
    #expect(bench.resets == 1)
    #expect(bench.hasRoom)
    try bench.close()
  }

  /// All is handed over, but the connection's window lets only a part of it leave at first.
  @Test func `a stream whose request is taken before its end goes on to it, and closes without a reset`() throws {
    let bench = try StreamBench(sending: 100_000)
    try bench.hear(Self.ended)
    let isHeld = !bench.owner.hasEnded

    try bench.hear(HostileTests.frame(8, 0, 0, [0, 1, 0, 0]) + HostileTests.frame(8, 0, 1, [0, 1, 0, 0]))

    #expect(isHeld && bench.owner.hasEnded && bench.owner.fault == nil)
    #expect(bench.owner.sent == 100_000)
    #expect(bench.owner.sentAtEnd == 100_000)
    #expect(bench.resets == 0)
    try bench.close()
  }

  /// That it has ended without an error (RFC 9113, section 8.1).
  @Test func `a server that wants no more of a request says so, and its answer stands`() throws {
    let bench = try StreamBench(sending: 100_000)

    try bench.hear(Self.ended + HostileTests.frame(3, 0, 1, [0, 0, 0, 0]))

    #expect(bench.owner.hasEnded && bench.owner.fault == nil)
    #expect(bench.owner.sent < 100_000)
    try bench.close()
  }

  @Test func `a server that goes away before it has taken a request up has not carried it out`() throws {
    let bench = try StreamBench(sending: 1000)

    try bench.hear(Self.goingAway(after: 0))

    #expect(bench.owner.fault != nil)
    #expect(bench.exchange.hasRequestLeft && bench.exchange.isRefused)
    try bench.close()
  }

  @Test func `a server that goes away after it may have taken a request up may have carried it out`() throws {
    let bench = try StreamBench(sending: 1000)

    try bench.hear(Self.goingAway(after: 1))
    let hasGoneOn = bench.owner.fault == nil
    try bench.hear(HostileTests.frame(3, 0, 1, [0, 0, 0, 8]))

    #expect(hasGoneOn && bench.owner.fault != nil)
    #expect(!bench.exchange.isRefused)
    try bench.close()
  }

  private static func goingAway(after last: UInt8) -> [UInt8] {
    HostileTests.frame(7, 0, 0, [0, 0, 0, last, 0, 0, 0, 0])
  }

  @Test func `a stream whose answer is long and of no use is reset`() throws {
    let bench = try StreamBench()
    try bench.hear(Self.head)
    bench.exchange.ignoreBody()

    let piece = HostileTests.frame(0, 0, 1, HostileTests.times(16_000, [97]))
    for _ in 0...(EngineSettings().drainMax / 16_000) { try bench.hear(piece) }

    #expect(bench.owner.hasEnded)
    #expect(bench.resets == 1)
    try bench.close()
  }

  @Test(arguments: [1, 7, 4096])
  func `frames that come in pieces of any size are counted as they are`(size: Int) throws {
    let tally = FrameTally(heldMax: 1 << 20)
    let (channel, stream) = (EmbeddedChannel(handler: tally), StreamGuard(tally))
    tally.count(for: stream, number: 1)
    let other = HostileTests.frame(0, 0, 3, [97])
    let bytes = HostileTests.times(10, Self.padded + other + Self.growth + HostileTests.frame(0, 0, 1))

    for start in stride(from: 0, to: bytes.count, by: size) {
      channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
    }

    #expect(stream.held == 10 * (257 + 4 + 0 + 3 * FrameTally.frameCost))
  }
}
