import NIOCore

/// The conversation that has a proxy pass bytes on. It is fed with what the proxy says; one instance for each
/// connection.
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
    isOver = true
    timer?.cancel()
    timer = nil
    context.pipeline.syncOperations.removeHandler(self).cascade(to: opened)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(ProxyError.closedEarly, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    if !isOver { opened.fail(ProxyError.closedEarly) }
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
