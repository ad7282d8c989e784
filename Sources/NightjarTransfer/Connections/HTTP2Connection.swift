import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// An HTTP/2 connection: an exchange for each stream. Used on its event loop only.
final class HTTP2Connection {
  let channel: any Channel
  /// Called when it has room again, or can no longer be used.
  var onChange: () -> Void = {}
  private(set) var isUsable = true
  /// What the server did wrong with the connection as a whole.
  fileprivate var fault: (any Error)?
  /// The last stream that a server which goes away may have taken up (RFC 9113, section 6.8).
  private var lastTaken = HTTP2StreamID.maxID

  private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
  private let settings: EngineSettings
  private let facts: LineFacts
  private let tally: FrameTally
  private var streams = 0
  private var isUsed = false
  /// What the server allows at a time; until it has said so, what RFC 9113 recommends as the least.
  private var streamsMax = 100
  private var timer: Scheduled<Void>?

  init(
    _ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer, _ facts: LineFacts,
    _ settings: EngineSettings
  ) throws {
    (self.channel, self.multiplexer, self.facts, self.settings) = (channel, multiplexer, facts, settings)
    tally = FrameTally(heldMax: settings.heldMax)
    let pipeline = channel.pipeline.syncOperations
    // Nothing has been read yet: TLS has agreed on HTTP/2 in this same turn of the loop.
    try pipeline.addHandler(tally, position: .before(pipeline.handler(type: NIOHTTP2Handler.self)))
    try pipeline.addHandler(HTTP2Control(self))
    channel.closeFuture.assumeIsolated().whenComplete { [self] _ in retire() }
    rest()
  }

  var hasRoom: Bool { isUsable && streams < streamsMax }

  func openStream(_ then: @escaping (Result<Exchange, any Error>) -> Void) {
    streams += 1
    timer?.cancel()
    let exchange = Exchange(informationalMax: settings.informationalMax, drainMax: settings.drainMax)
    (exchange.isReused, exchange.facts) = (isUsed, facts)
    exchange.fault = { [weak self] in self?.fault }
    exchange.withheldUntil = { [tally] in tally.withheldUntil }
    exchange.distrust = { [weak self] in self?.retire() }
    exchange.isPassedOver = { [weak self] stream in self.map { stream > $0.lastTaken } ?? false }
    isUsed = true
    let made = channel.eventLoop.makePromise(of: (any Channel).self)
    let bound = NIOLoopBound((StreamGuard(tally), exchange), eventLoop: channel.eventLoop)
    multiplexer.createStreamChannel(promise: made) { stream in
      stream.eventLoop.makeCompletedFuture {
        let (guardian, exchange) = bound.value
        let codec = HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https)
        try stream.pipeline.syncOperations.addHandlers([guardian, codec, NIOHTTPRequestHeadersValidator(), exchange])
      }
    }
    made.futureResult.assumeIsolated().whenComplete { [self] in streamMade($0.map { ($0, exchange) }, then) }
  }

  private func streamMade(
    _ result: Result<(any Channel, Exchange), any Error>, _ then: (Result<Exchange, any Error>) -> Void
  ) {
    if case .success((let stream, _)) = result {
      stream.closeFuture.assumeIsolated().whenComplete { [self] _ in streamClosed() }
    } else {
      streamClosed()
    }
    then(result.map { $0.1 })
  }

  fileprivate func allow(_ count: Int) {
    streamsMax = count
    onChange()
  }

  /// Heeds that the server goes away. NIOHTTP2 closes the streams that it does not take up, with an error like any
  /// other.
  fileprivate func goAway(after last: HTTP2StreamID) {
    lastTaken = last
    retire()
  }

  /// Allows no new streams, because the server is going away or gone, a stream has stalled, or there was none for long.
  /// Streams under way run on.
  fileprivate func retire() {
    guard isUsable else { return }
    isUsable = false
    if streams == 0 { channel.close(promise: nil) }
    onChange()
  }

  /// Gives the connection up unless the server was heard on it just now: it may be dead without anyone knowing.
  func retireUnlessAlive() {
    let silence = channel.eventLoop.now - tally.heardAt
    if streams == 0 || silence >= TimeAmount(settings.silenceMax) { retire() }
  }

  private func streamClosed() {
    streams -= 1
    if streams == 0 { isUsable ? rest() : channel.close(promise: nil) }
    onChange()
  }

  private func rest() {
    timer?.cancel()
    let loop = channel.eventLoop.assumeIsolated()
    timer = loop.scheduleTask(in: TimeAmount(settings.idleTimeout)) { [weak self] () -> Void in self?.retire() }
  }
}

/// Hears what a server says about the connection as a whole.
private final class HTTP2Control: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private weak var connection: HTTP2Connection?

  init(_ connection: HTTP2Connection) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data).payload {
    case .goAway(let last, _, _): connection?.goAway(after: last)
    case .settings(.settings(let settings)):
      for setting in settings where setting.parameter == .maxConcurrentStreams { connection?.allow(setting.value) }
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !error.isAboutOneStream else { return }
    connection?.fault = error
    connection?.retire()  // Over TLS it is not closed at once.
    context.close(promise: nil)
  }
}

extension Error {
  /// Whether only one stream is at an end (RFC 9113, sections 5.4.2 and 8.1.1). It hears of that on its own channel: by
  /// the time that NIOHTTP2 reports such an error here, without the stream's number, it has reset the stream.
  fileprivate var isAboutOneStream: Bool {
    switch self {
    case is NIOHTTP2Errors.StreamError, is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.ContentLengthViolated,
      is NIOHTTP2Errors.TrailersWithoutEndStream:
      true
    default: false
    }
  }
}
