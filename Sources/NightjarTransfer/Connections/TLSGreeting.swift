import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of the TLS handshake, or for what prevents it.
final class TLSGreeting: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  /// The server took the connection and did not greet.
  struct TimedOut: Error {}

  private let agreed: EventLoopPromise<String?>
  private let record: DialRecord

  private init(_ agreed: EventLoopPromise<String?>, _ record: DialRecord) {
    (self.agreed, self.record) = (agreed, record)
  }

  /// Puts TLS on a channel. Fulfilled with the protocol that is agreed on; a timeout may fail it.
  static func awaited(
    behind tls: NIOSSLClientHandler, on channel: any Channel, _ record: DialRecord
  ) throws -> EventLoopPromise<String?> {
    let agreed = channel.eventLoop.makePromise(of: String?.self)
    do {
      try channel.pipeline.syncOperations.addHandlers([tls, TLSGreeting(agreed, record)])
      return agreed
    } catch {
      agreed.fail(error)
      throw error
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case TLSUserEvent.handshakeCompleted(let name)? = event as? TLSUserEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    record.facts.secure?.end = context.eventLoop.now
    record.facts.tlsVersion = (try? context.pipeline.syncOperations.nioSSL_tlsVersion())?.number
    agreed.succeed(name)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    agreed.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    agreed.fail(ExchangeError.closedEarly)
    context.fireChannelInactive()
  }

  /// Also called where the channel never connected. After an agreement it changes nothing.
  func handlerRemoved(context: ChannelHandlerContext) { agreed.fail(ExchangeError.closedEarly) }
}
