import NIOCore

/// Closes a connection that has shown no token in time, even if it is busy: otherwise a client that is not let in could
/// hold it indefinitely with a body that trickles in or an answer that it does not read.
final class Probation: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  /// The outbound event that a valid token was shown.
  struct Passed: Sendable {}

  private let time: TimeAmount
  private var end: Scheduled<Void>?

  init(_ time: TimeAmount) { self.time = time }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    end = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is Passed else { return context.triggerUserOutboundEvent(event, promise: promise) }
    end?.cancel()
    promise?.succeed()
  }
}
