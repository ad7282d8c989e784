import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that sends raw bytes once it has received anything, with or without TLS. For violations that
/// ``HTTPTestServer`` cannot commit, above all in HTTP/2.
public final class RawServer: Sendable {
  /// What it does once it has received something.
  public enum Conduct: Hashable, Sendable {
    /// Sends this and waits for ever.
    case says([UInt8])
    /// Sends the first, then the second repeatedly.
    case repeats([UInt8], then: [UInt8])
    /// Sends this a byte at a time, at this interval.
    case drips([UInt8], milliseconds: Int64)
    /// Sends this and resets the connection, at once or when it has received a certain byte.
    case resets(after: [UInt8], upon: UInt8? = nil)
    /// Sends the first and, once it has received more, the second; then the third repeatedly.
    case answersTwice([UInt8], [UInt8], then: [UInt8])
  }

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let count: Tally
  private let guests: Tally

  private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ count: Tally, _ guests: Tally) {
    (self.channel, self.group, self.count, self.guests) = (channel, group, count, guests)
  }

  /// Begins to listen on loopback at a free port; over TLS under the certificate for `localhost`, and for HTTP/2 only.
  public static func start(_ conduct: Conduct, isSecure: Bool) async throws -> RawServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (count, guests) = (Tally(), Tally())
    let context = try isSecure ? HTTPTestServer.tlsContext(.http2) : nil
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        guests.add(1)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.addHandler(RawPlayer(conduct, count))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return RawServer(channel, group, count, guests)
  }

  /// Where it listens.
  public var port: Int { channel.localAddress?.port ?? 0 }

  /// Bytes that the sockets have taken.
  public var sent: Int { count.value }

  /// How many connections were accepted.
  public var connections: Int { guests.value }

  /// Stops listening and closes every connection.
  public func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}

/// A count that two threads share.
final class Tally: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add(_ more: Int) { count.withLock { $0 += more } }
}

private final class RawPlayer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let conduct: RawServer.Conduct
  private let count: Tally
  /// How often it has received something.
  private var heard = 0
  private var isGone = false

  init(_ conduct: RawServer.Conduct, _ count: Tally) { (self.conduct, self.count) = (conduct, count) }

  func channelInactive(context: ChannelHandlerContext) {
    isGone = true
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    defer { resetIfDue(unwrapInboundIn(data), context) }
    heard += 1
    switch (conduct, heard) {
    case (.says(let bytes), 1), (.resets(let bytes, _), 1), (.answersTwice(let bytes, _, _), 1): say(bytes, context)
    case (.repeats(let bytes, let then), 1), (.answersTwice(_, let bytes, let then), 2):
      say(bytes, context)
      goOn(then, context)
    case (.drips(let bytes, let milliseconds), 1): drip(bytes[...], milliseconds, context)
    case (_, _): break
    }
  }

  private func resetIfDue(_ heard: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .resets(_, let byte) = conduct, byte.map(heard.readableBytesView.contains) ?? true else { return }
    Voice.reset(context)
  }

  private func say(_ bytes: [UInt8], _ context: ChannelHandlerContext, then next: (() -> Void)? = nil) {
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      count.add(bytes.count)
      next?()
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: written)
  }

  private func goOn(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    guard !isGone else { return }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    say(bytes, context) { self.goOn(bytes, bound.value) }
  }

  private func drip(_ rest: ArraySlice<UInt8>, _ milliseconds: Int64, _ context: ChannelHandlerContext) {
    guard let byte = rest.first, !isGone else { return }
    say([byte], context)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
      self.drip(rest.dropFirst(), milliseconds, bound.value)
    }
  }
}
