import NIOCore
import NIOPosix
import Synchronization

/// A proxy for tests that speaks both `CONNECT` and SOCKS 5. Whatever host is requested, it connects to the same port
/// of this machine.
///
/// For plain HTTP requests through a proxy, use an ``HTTPTestServer`` as the proxy: its scripts may have whole URLs as
/// paths.
public final class TestProxy: Sendable {
  /// How it behaves.
  public enum Conduct: Hashable, Sendable {
    /// Connects every request.
    case leads
    /// Connects only clients with this name and password.
    case wants(user: String, password: String)
    /// Connects only clients that the guard lets in; none in SOCKS.
    case guards(Guard)
    /// Refuses with this status, or, in SOCKS, with this reply.
    case refuses(Int)
    /// Sends these bytes, whatever is requested, and nothing more.
    case says(String)
    /// Accepts the connection and sends nothing.
    case keepsSilent
    /// Closes the connection once something was requested.
    case hangsUp
  }

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let bag: Mailbag
  private let guests: Guests

  private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ bag: Mailbag, _ guests: Guests) {
    (self.channel, self.group, self.bag, self.guests) = (channel, group, bag, guests)
  }

  /// Begins to listen on loopback at a free port.
  public static func start(_ conduct: Conduct = .leads, host: String = "127.0.0.1") async throws -> TestProxy {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (bag, room, guests) = (Mailbag(), GuardRoom(), Guests())
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ProxyPlayer(conduct, bag, room, guests))
        }
      }
      .bind(host: host, port: 0).get()
    return TestProxy(channel, group, bag, guests)
  }

  /// Where it listens.
  public var port: Int { channel.localAddress?.port ?? 0 }

  /// The requests it got: the head of each `CONNECT`, or `socks HOST:PORT`.
  public var requests: [String] { bag.all }

  /// Whether all connections to it are closed, now or within ten seconds.
  public func isLeft() async throws -> Bool {
    let left = channel.eventLoop.makePromise(of: Bool.self)
    let timer = channel.eventLoop.scheduleTask(in: .seconds(10)) { left.succeed(false) }
    guests.tellWhenGone(left)
    defer { timer.cancel() }
    return try await left.futureResult.get()
  }

  /// Stops listening and closes every connection.
  public func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}

/// The requests that a proxy got.
final class Mailbag: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// The open connections, and those who wait for all of them to close.
private final class Guests: Sendable {
  private struct Memory {
    var count = 0
    var waiting: [EventLoopPromise<Bool>] = []
  }

  private let memory = Mutex(Memory())

  func come() { memory.withLock { $0.count += 1 } }

  func leave() {
    memory.withLock { $0.count -= 1 }
    tell()
  }

  func tellWhenGone(_ promise: EventLoopPromise<Bool>) {
    memory.withLock { $0.waiting.append(promise) }
    tell()
  }

  private func tell() {
    let told = memory.withLock { memory -> [EventLoopPromise<Bool>] in
      guard memory.count == 0 else { return [] }
      defer { memory.waiting = [] }
      return memory.waiting
    }
    for promise in told { promise.succeed(true) }
  }
}

/// Handles one connection of the proxy, until it only forwards bytes.
private final class ProxyPlayer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Stage { case greeting, password, request, connecting, leading(any Channel) }

  private let conduct: TestProxy.Conduct
  private let bag: Mailbag
  private let room: GuardRoom
  private let guests: Guests
  private var stage = Stage.greeting
  private var input = ByteBuffer()

  init(_ conduct: TestProxy.Conduct, _ bag: Mailbag, _ room: GuardRoom, _ guests: Guests) {
    (self.conduct, self.bag, self.room, self.guests) = (conduct, bag, room, guests)
  }

  func channelActive(context: ChannelHandlerContext) {
    guests.come()
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if case .leading(let far) = stage { return far.writeAndFlush(bytes, promise: nil) }
    input.writeBuffer(&bytes)
    switch conduct {
    case .keepsSilent: break
    case .hangsUp: context.close(promise: nil)
    case .says(let text): say(Array(text.utf8), context)
    case .leads, .wants, .guards, .refuses: answer(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    guests.leave()
    if case .leading(let far) = stage { far.close(promise: nil) }
    context.fireChannelInactive()
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let first: UInt8 = input.getInteger(at: input.readerIndex) else { return }
    switch stage {
    case .greeting where first != 5: answerConnect(context)
    case .greeting: greetSocks(context)
    case .password: checkPassword(context)
    case .request: answerSocks(context)
    case .connecting, .leading: break
    }
  }

  private func answerConnect(_ context: ChannelHandlerContext) {
    let text = String(buffer: input)
    guard text.hasSuffix("\r\n\r\n") else { return }
    input.clear()
    bag.add(text)
    let words = text.split(separator: " ")
    switch conduct {
    case .wants(let user, let password)
    where !text.contains("Proxy-Authorization: Basic \(base64("\(user):\(password)"))"):
      let head = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"
      say(Array("\(head)Content-Length: 0\r\n\r\n".utf8), context)
    case .guards(let post):
      switch room.judge(post.beforeProxy, Self.seen(text)) {
      case .letIn: connect(words, context)
      case .refuse(let challenges):
        let head = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: \(challenges)\r\n"
        say(Array("\(head)Content-Length: 7\r\n\r\nnot you".utf8), context)
      }
    case .refuses(let status): say(Array("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n".utf8), context)
    case .leads, .wants, .says, .keepsSilent, .hangsUp: connect(words, context)
    }
  }

  private func connect(_ words: [Substring], _ context: ChannelHandlerContext) {
    let port = words[1].split(separator: ":").last.flatMap { Int($0) } ?? 0
    lead(to: port, saying: Array("HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n".utf8), context)
  }

  private static func seen(_ head: String) -> SeenRequest {
    let lines = head.split(separator: "\r\n")
    let fields = lines.dropFirst().map { $0.split(separator: ": ", maxSplits: 1) }.filter { $0.count == 2 }
    let headers = Dictionary(fields.map { ($0[0].lowercased(), String($0[1])) }) { first, _ in first }
    let words = lines[0].split(separator: " ")
    return SeenRequest(method: String(words[0]), target: String(words[1]), headers: headers, connection: 0)
  }

  private func greetSocks(_ context: ChannelHandlerContext) {
    guard let count: UInt8 = input.getInteger(at: input.readerIndex + 1),
      let methods = input.getBytes(at: input.readerIndex + 2, length: Int(count))
    else { return }
    input.clear()
    guard case .wants = conduct else {
      stage = .request
      return say([5, 0], context)
    }
    stage = .password
    say([5, methods.contains(2) ? 2 : 255], context)
  }

  private func checkPassword(_ context: ChannelHandlerContext) {
    guard case .wants(let user, let password) = conduct else { return }
    let expected = [1, UInt8(user.utf8.count)] + user.utf8 + [UInt8(password.utf8.count)] + password.utf8
    guard input.readableBytes > 4 else { return }
    let isRight = input.readableBytesView.elementsEqual(expected)
    input.clear()
    stage = .request
    say([1, isRight ? 0 : 1], context)
  }

  private func answerSocks(_ context: ChannelHandlerContext) {
    guard let bytes = input.getBytes(at: input.readerIndex, length: input.readableBytes), bytes.count > 6 else {
      return
    }
    input.clear()
    let host =
      bytes[3] == 3
      ? String(decoding: bytes[5..<(bytes.count - 2)], as: UTF8.self)
      : bytes[4..<(bytes.count - 2)].map { "\($0)" }.joined(separator: ".")
    let port = Int(bytes[bytes.count - 2]) << 8 | Int(bytes[bytes.count - 1])
    bag.add("socks \(host):\(port)")
    if case .refuses(let code) = conduct { return say([5, UInt8(code), 0, 1, 0, 0, 0, 0, 0, 0], context) }
    lead(to: port, saying: [5, 0, 0, 1, 127, 0, 0, 1, bytes[bytes.count - 2], bytes[bytes.count - 1]], context)
  }

  private func lead(to port: Int, saying consent: [UInt8], _ context: ChannelHandlerContext) {
    stage = .connecting
    let near = context.channel
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let connected = ClientBootstrap(group: context.eventLoop)
      .channelInitializer { far in
        far.eventLoop.makeCompletedFuture { try far.pipeline.syncOperations.addHandler(Glue(near)) }
      }
      .connect(host: "127.0.0.1", port: port)
    connected.assumeIsolated().whenComplete { [self] result in
      guard case .success(let far) = result else { return bound.value.close(promise: nil) }
      stage = .leading(far)
      say(consent, bound.value)
    }
  }

  private func say(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }

  private func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      return (0..<4).map { $0 <= group.count ? String(alphabet[bits >> (18 - 6 * $0) & 63]) : "=" }.joined()
    }.joined()
  }
}

/// Forwards bytes of the far end to the near end.
private final class Glue: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let near: any Channel

  init(_ near: any Channel) { self.near = near }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    near.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    near.close(promise: nil)
    context.fireChannelInactive()
  }
}
