import NIOCore

/// Closes a connection on which nobody has shown a token in time, whatever is said on it meanwhile: a body that trickles
/// in, or an answer that nobody reads, would hold it for as long as somebody likes who may not even come in.
final class Probation: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  /// What passes it: an event that goes out, once a token was shown.
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
