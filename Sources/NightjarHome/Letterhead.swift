import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives every answer the header fields that protect the page, unless it sets its own.
///
/// It stands in the connection, so it misses none of the answers that Hummingbird gives by itself: to a request that
/// cannot be parsed, or in place of an error.
final class Letterhead: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    for field in Self.fields where head.headerFields[field.name] == nil { head.headerFields.append(field) }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  /// No other site may frame an answer, no browser may guess its type or keep it, and no referrer is sent.
  static let fields: [HTTPField] = [
    HTTPField(name: .cacheControl, value: "no-store"),
    HTTPField(name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'; sandbox"),
    HTTPField(name: .xContentTypeOptions, value: "nosniff"),
    HTTPField(name: .init("Cross-Origin-Opener-Policy")!, value: "same-origin"),
    HTTPField(name: .init("Cross-Origin-Resource-Policy")!, value: "same-origin"),
    HTTPField(name: .init("Referrer-Policy")!, value: "no-referrer"),
  ]
}
