import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import NightjarTransfer

/// A connection on which one request has been made.
final class StreamBench {
  let owner = StreamOwner()
  let exchange: Exchange
  private let channel: EmbeddedChannel
  private let reads: Reads
  private let connection: HTTP2Connection
  /// What has been said to the server.
  private var said: [UInt8] = []

  /// - Parameters:
  ///   - sending: How long the body of the request is; without one it is a GET.
  ///   - endsRequest: Whether that is all of it.
  init(sending size: Int = 0, endsRequest: Bool = true) throws {
    reads = Reads()
    channel = EmbeddedChannel(handler: reads)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
    let multiplexer = try Self.speakHTTP2(on: channel)
    let facts = LineFacts(isProxied: false, begun: channel.eventLoop.now)
    connection = try HTTP2Connection(channel, multiplexer, facts, EngineSettings())
    var opened: Exchange?
    connection.openStream { opened = try? $0.get() }
    channel.embeddedEventLoop.run()
    exchange = try #require(opened)
    // The server's settings, and that it has ours.
    try hear(HostileTests.frame(4) + HostileTests.frame(4, 1))
    send(size, endsRequest)
  }

  private static func speakHTTP2(on channel: EmbeddedChannel) throws -> NIOHTTP2Handler.StreamMultiplexer {
    var (connection, stream) = (NIOHTTP2Handler.ConnectionConfiguration(), NIOHTTP2Handler.StreamConfiguration())
    connection.targetWindowSize = 8 << 20
    connection.initialSettings = [HTTP2Setting(parameter: .initialWindowSize, value: 4 << 20)]
    stream.targetWindowSize = 4 << 20
    return try channel.pipeline.syncOperations.configureHTTP2Pipeline(
      mode: .client, connectionConfiguration: connection, streamConfiguration: stream
    ) { pushed in pushed.close() }
  }

  private func send(_ size: Int, _ endsRequest: Bool) {
    let fields: HTTPHeaders = size > 0 ? ["Content-Length": "\(size)"] : [:]
    var head = HTTPRequestHead(version: .http1_1, method: size > 0 ? .PUT : .GET, uri: "/", headers: fields)
    head.headers.add(name: "Host", value: "origin.example")
    exchange.begin(owner, head: head, body: nil, piecesFollow: size > 0)
    guard size > 0 else { return }
    exchange.send(ByteBuffer(repeating: 97, count: size), endsRequest: endsRequest) { [owner] count, _ in
      owner.sent += count
    }
    channel.embeddedEventLoop.run()
  }

  /// The server says this, in one turn of reading.
  func hear(_ bytes: [UInt8]) throws {
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
    while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) { said += bytes.readableBytesView }
  }

  /// How many streams have been reset (RFC 9113, section 6.4).
  var resets: Int {
    var (rest, count) = (said.dropFirst(24), 0)  // The preface comes first.
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      if head[3] == 3 { count += 1 }
      rest = rest.dropFirst(9 + length)
    }
    return count
  }

  /// Whether another stream may be opened.
  var hasRoom: Bool { connection.hasRoom }

  /// Whether the connection is read from when there is something to read.
  var isRead: Bool {
    let before = reads.count
    channel.read()
    return reads.count > before
  }

  var now: NIODeadline { channel.embeddedEventLoop.now }

  func wait(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

  func close() throws { _ = try channel.finish(acceptAlreadyClosed: true) }
}

/// Counts how often the socket would be read.
private final class Reads: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private(set) var count = 0

  func read(context: ChannelHandlerContext) {
    count += 1
    context.read()
  }
}

/// Hears what comes, and how it ends.
final class StreamOwner: ExchangeOwner {
  var sent = 0
  /// How much of it had left when the answer ended.
  private(set) var sentAtEnd = 0
  private(set) var received = 0
  private(set) var hasEnded = false
  private(set) var fault: (any Error)?

  func exchangeInformed(_ head: HTTPResponseHead) -> Bool { false }
  func exchangeSent(isLast: Bool) {}
  func exchangeAnswered(_ head: HTTPResponseHead) {}
  func exchangeReceived(_ bytes: ByteBuffer) { received += bytes.readableBytes }
  func exchangePaused() {}
  func exchangeEnded() { (hasEnded, sentAtEnd) = (true, sent) }
  func exchangeBroke(_ error: any Error) { fault = error }
}
