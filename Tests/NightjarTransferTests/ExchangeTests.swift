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

  @Test func `a connection that breaks in the moment in which an answer ends is not handed on`() throws {
    let bench = try ExchangeBench()

    bench.answer()
    bench.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))

    #expect(bench.owner.hasEnded)
    #expect(!bench.freed.contains(true))
  }

  @Test func `a connection that closes in the moment in which an answer ends is not handed on`() throws {
    let bench = try ExchangeBench()

    bench.answer()
    bench.channel.pipeline.fireChannelInactive()

    #expect(bench.owner.hasEnded)
    #expect(!bench.freed.contains(true))
  }

  @Test func `an answer that takes the body ends no earlier than the request`() throws {
    let bench = try ExchangeBench(sendsBody: true)

    bench.answer()
    bench.channel.pipeline.fireChannelReadComplete()
    let isHeld = !bench.owner.hasEnded
    bench.exchange.endRequest()

    #expect(isHeld && bench.owner.hasEnded)
    #expect(bench.freed == [true])
  }

  @Test(arguments: [(HTTPResponseStatus.ok, "close"), (.payloadTooLarge, "keep-alive")])
  func `an answer that does not take the body, or after which the server closes, ends at once`(
    status: HTTPResponseStatus, connection: String
  ) throws {
    let bench = try ExchangeBench(sendsBody: true)

    bench.answer(status, ["Connection": connection])
    bench.channel.pipeline.fireChannelReadComplete()

    #expect(bench.owner.hasEnded)
    #expect(!bench.freed.contains(true))
  }

  /// The connection closes or breaks, more comes that nobody has asked for, or nothing moves for too long.
  @Test(arguments: 0..<4)
  func `an answer that came whole stands if the rest of the request cannot be sent`(what: Int) throws {
    let bench = try ExchangeBench(sendsBody: true)

    bench.answer()
    bench.channel.pipeline.fireChannelReadComplete()
    switch what {
    case 0: bench.channel.pipeline.fireChannelInactive()
    case 1: bench.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
    case 2: bench.channel.pipeline.fireErrorCaught(HTTPParserError.invalidConstant)
    default: #expect(bench.exchange.cutShort())
    }

    #expect(bench.owner.hasEnded && bench.owner.fault == nil)
    #expect(!bench.freed.contains(true))
  }

  @Test func `nothing is told of an answer that was given up before its request had ended`() throws {
    let bench = try ExchangeBench(sendsBody: true)
    bench.answer()
    bench.channel.pipeline.fireChannelReadComplete()

    bench.exchange.abandon()
    bench.exchange.endRequest()

    #expect(!bench.owner.hasEnded && bench.owner.fault == nil)
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

/// An exchange that has sent a request, or its head and no body yet.
private final class ExchangeBench {
  let channel = EmbeddedChannel()
  let owner = Owner()
  let exchange = Exchange(informationalMax: 1, drainMax: 1)
  /// What was said of the connection, each time that it was free.
  private(set) var freed: [Bool] = []

  init(sendsBody: Bool = false) throws {
    try channel.pipeline.syncOperations.addHandler(exchange)
    exchange.onFree = { [unowned self] in freed.append($0) }
    let method = sendsBody ? HTTPMethod.PUT : .GET
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "origin.example"])
    exchange.begin(owner, head: head, body: nil, piecesFollow: sendsBody)
  }

  /// A whole answer comes, all in one turn of reading.
  func answer(_ status: HTTPResponseStatus = .ok, _ fields: HTTPHeaders = [:]) {
    var head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    head.headers.add(name: "Content-Length", value: "0")
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
