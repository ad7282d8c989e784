import NIOCore
import NightjarModel

/// Why a proxy does not lead to the origin.
enum ProxyError: Error {
  /// It refuses, with this answer.
  case refused(AnswerHead)
  /// SOCKS: its number for the reason.
  case socksRefused(UInt8)
  /// SOCKS: it wants to know who we are, or does not believe it.
  case socksWantsPassword
  /// It does not speak its protocol.
  case nonsense(String)
  /// It took the connection and says nothing.
  case timedOut
}

/// How a proxy is talked into passing bytes on. Fed with what it says, one instance for each connection.
protocol ProxyTalk {
  /// What is said first.
  mutating func begin() throws -> [UInt8]
  /// Takes what it can from `input`: what is said next, nothing for now, or that the way is open.
  mutating func hear(_ input: inout ByteBuffer) throws -> ProxyReply
}

enum ProxyReply { case waiting, say([UInt8]), open }

/// Has a proxy open the way to the origin, and leaves the pipeline.
final class Tunnel: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var talk: any ProxyTalk
  private let opened: EventLoopPromise<Void>
  private let timeout: TimeAmount
  private var timer: Scheduled<Void>?
  private var input = ByteBuffer()
  private var isOver = false

  private init(_ talk: any ProxyTalk, timeout: TimeAmount, opened: EventLoopPromise<Void>) {
    (self.talk, self.timeout, self.opened) = (talk, timeout, opened)
  }

  /// Has the proxy at the other end of a channel talked to. Fulfilled once the way is open.
  static func opened(
    by talk: any ProxyTalk, on channel: any Channel, timeout: TimeAmount
  ) throws -> EventLoopFuture<Void> {
    let opened = channel.eventLoop.makePromise(of: Void.self)
    do {
      try channel.pipeline.syncOperations.addHandler(Tunnel(talk, timeout: timeout, opened: opened))
      return opened.futureResult
    } catch {
      opened.fail(error)
      throw error
    }
  }

  func channelActive(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
      self.fail(ProxyError.timedOut, bound.value)
    }
    do { say(try talk.begin(), context) } catch { fail(error, context) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    input.writeBuffer(&bytes)
    do { try listen(context) } catch { fail(error, context) }
  }

  private func listen(_ context: ChannelHandlerContext) throws {
    while !isOver {
      switch try talk.hear(&input) {
      case .waiting: return
      case .say(let bytes): say(bytes, context)
      case .open: open(context)
      }
    }
  }

  private func open(_ context: ChannelHandlerContext) {
    guard input.readableBytes == 0 else {
      return fail(ProxyError.nonsense("it speaks before the server was spoken to"), context)
    }
    (isOver, timer) = (
      true,
      {
        timer?.cancel(); return nil
      }()
    )
    context.pipeline.syncOperations.removeHandler(self).cascade(to: opened)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(ExchangeError.closedEarly, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    if !isOver { opened.fail(ExchangeError.closedEarly) }
  }

  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    opened.fail(error)
    context.close(promise: nil)
  }

  private func say(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }
}

/// `CONNECT` (RFC 9110, section 9.3.6).
struct ConnectTalk: ProxyTalk {
  let authority: String
  /// What is shown as `Proxy-Authorization`; nil for nothing.
  let authorization: String?
  let headersMax: Int
  private var head: [UInt8] = []

  init(_ authority: String, showing authorization: String?, headersMax: Int) {
    (self.authority, self.authorization, self.headersMax) = (authority, authorization, headersMax)
  }

  func begin() throws -> [UInt8] {
    guard HTTPField.carries(authority), HTTPField.carries(authorization ?? "") else {
      throw ProxyError.nonsense("what it wants to be shown holds control characters")
    }
    let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
    return Array(
      "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: Nightjar/1\r\n\(credentials)\r\n".utf8)
  }

  mutating func hear(_ input: inout ByteBuffer) throws -> ProxyReply {
    while let byte: UInt8 = input.readInteger() {
      head.append(byte)
      guard head.count <= headersMax else { throw ProxyError.nonsense("its answer has no end") }
      if byte == UInt8(ascii: "\n"), isWhole {
        let answer = try read()
        head = []
        if answer.status >= 200 { return try heed(answer) }
      }
    }
    return .waiting
  }

  /// Whether the head has come to the empty line. Lines may end with a bare LF (RFC 9112, section 2.2).
  private var isWhole: Bool { head.suffix(2) == Array("\n\n".utf8) || head.suffix(3) == Array("\n\r\n".utf8) }

  private func heed(_ answer: AnswerHead) throws -> ProxyReply {
    guard (200...299).contains(answer.status) else { throw ProxyError.refused(answer) }
    return .open
  }

  private func read() throws -> AnswerHead {
    let lines = String(decoding: head, as: UTF8.self).split { $0 == "\r\n" || $0 == "\n" }
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status)
    else { throw ProxyError.nonsense("it does not answer in HTTP") }
    let fields = lines.dropFirst().compactMap { line -> HTTPField? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return HTTPField(String(line[..<colon]), String(value))
    }
    return AnswerHead(status: status, headers: fields)
  }
}

/// SOCKS 5 (RFC 1928), with a name and password where there are some (RFC 1929).
struct SocksTalk: ProxyTalk {
  private enum Stage { case method, password, connection }

  let origin: Origin
  let proxy: ProxyServer
  private var stage = Stage.method

  init(_ origin: Origin, through proxy: ProxyServer) { (self.origin, self.proxy) = (origin, proxy) }

  func begin() throws -> [UInt8] {
    guard name.count <= 255 else {
      throw TransferFailure(
        .badURL, "the host's name has \(name.count) bytes, and SOCKS 5 tells the proxy \(proxy.host) no more than 255")
    }
    return proxy.user == nil ? [5, 1, 0] : [5, 2, 0, 2]
  }

  private var name: [UInt8] { Array(origin.host.utf8) }

  mutating func hear(_ input: inout ByteBuffer) throws -> ProxyReply {
    switch stage {
    case .method:
      guard let reply = input.readBytes(length: 2) else { return .waiting }
      return try choose(reply)
    case .password:
      guard let reply = input.readBytes(length: 2) else { return .waiting }
      guard reply[1] == 0 else { throw ProxyError.socksWantsPassword }
      stage = .connection
      return .say(request)
    case .connection: return try connected(&input)
    }
  }

  private mutating func choose(_ reply: [UInt8]) throws -> ProxyReply {
    switch (reply[0], reply[1]) {
    case (5, 0):
      stage = .connection
      return .say(request)
    case (5, 2):
      guard let user = proxy.user, user.count <= 255, proxy.password.count <= 255 else {
        throw ProxyError.socksWantsPassword
      }
      stage = .password
      return .say([1, UInt8(user.count)] + user + [UInt8(proxy.password.count)] + proxy.password)
    case (5, _): throw ProxyError.socksWantsPassword
    case (_, _): throw ProxyError.nonsense("it does not answer in SOCKS 5")
    }
  }

  private var request: [UInt8] {
    let port = [UInt8(origin.port >> 8), UInt8(origin.port & 255)]
    if let address = HostPattern.bytes(origin.host) { return [5, 1, 0, address.count == 4 ? 1 : 4] + address + port }
    return [5, 1, 0, 3, UInt8(name.count)] + name + port
  }

  private func connected(_ input: inout ByteBuffer) throws -> ProxyReply {
    guard let start = input.getBytes(at: input.readerIndex, length: 5) else { return .waiting }
    guard start[0] == 5 else { throw ProxyError.nonsense("it does not answer in SOCKS 5") }
    guard start[1] == 0 else { throw ProxyError.socksRefused(start[1]) }
    let length: Int
    switch start[3] {
    case 1: length = 10
    case 3: length = 7 + Int(start[4])
    case 4: length = 22
    default: throw ProxyError.nonsense("it does not answer in SOCKS 5")
    }
    guard input.readableBytes >= length else { return .waiting }
    input.moveReaderIndex(forwardBy: length)
    return .open
  }
}
