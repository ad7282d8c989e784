import NIOCore
import NIOEmbedded
import NIOHTTP1
import NightjarModel
import Testing

@testable import NightjarTransfer

/// One request and its answer, on a channel without a network.
@Suite struct ExchangeTests {
  @Test func `a connection is free again once an answer has ended`() throws {
    let bench = try ExchangeBench()

    bench.answer()
    bench.channel.pipeline.fireChannelReadComplete()

    #expect(bench.owner.hasEnded)
    #expect(bench.freed == [true])
  }

  @Test func `one that breaks in the moment in which an answer ends is not handed on`() throws {
    let bench = try ExchangeBench()

    bench.answer()
    bench.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))

    #expect(bench.owner.hasEnded)
    #expect(!bench.freed.contains(true))
  }

  @Test func `one that closes in the moment in which an answer ends is not handed on`() throws {
    let bench = try ExchangeBench()

    bench.answer()
    bench.channel.pipeline.fireChannelInactive()

    #expect(bench.owner.hasEnded)
    #expect(!bench.freed.contains(true))
  }
}

/// What goes out over a connection that speaks HTTP/1.1.
@Suite struct `A head that cannot be sent as it is` {
  @Test(arguments: ["a\r\nX: y", "a\nX: y", "a\0b", "a\u{7F}"])
  func `ends its request in words, and nothing of it leaves`(value: String) throws {
    let (channel, owner) = (EmbeddedChannel(), Owner())
    let exchange = Exchange(informationalMax: 1, drainMax: 1)
    try Dialer.addHTTP1(to: channel, EngineSettings())
    try channel.pipeline.syncOperations.addHandler(exchange)
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: ["Host": "origin.example"])
    head.headers.add(name: "Authorization", value: value)

    exchange.begin(owner, head: head, body: ByteBuffer(string: "body"), piecesFollow: false)

    #expect(try channel.readOutbound(as: IOData.self) == nil)
    let fault = try #require(owner.fault)
    #expect(TransferFailure.reading(fault, host: "origin.example").code == .badURL)
  }
}

/// An exchange that has sent a request.
private final class ExchangeBench {
  let channel = EmbeddedChannel()
  let owner = Owner()
  private let exchange = Exchange(informationalMax: 1, drainMax: 1)
  /// What was said of the connection, each time that it was free.
  private(set) var freed: [Bool] = []

  init() throws {
    try channel.pipeline.syncOperations.addHandler(exchange)
    exchange.onFree = { [unowned self] in freed.append($0) }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "origin.example"])
    exchange.begin(owner, head: head, body: nil, piecesFollow: false)
  }

  /// A whole answer comes, all in one turn of reading.
  func answer() {
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
    channel.pipeline.fireChannelRead(HTTPClientResponsePart.head(head))
    channel.pipeline.fireChannelRead(HTTPClientResponsePart.end(nil))
  }
}

/// Hears how it ends.
private final class Owner: ExchangeOwner {
  private(set) var hasEnded = false
  private(set) var fault: (any Error)?

  func exchangeInformed(_ head: HTTPResponseHead) -> Bool { false }
  func exchangeSent(isLast: Bool) {}
  func exchangeAnswered(_ head: HTTPResponseHead) {}
  func exchangeReceived(_ bytes: ByteBuffer) {}
  func exchangePaused() {}
  func exchangeEnded() { hasEnded = true }
  func exchangeBroke(_ error: any Error) { fault = error }
}
