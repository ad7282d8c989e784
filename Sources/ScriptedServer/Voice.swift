import NIOCore
import NIOHTTP1
import NIOHTTP2

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Writes an answer to a channel: as bytes of HTTP/1.1, which may be invalid, or as parts of HTTP/2.
struct Voice {
  enum Tongue { case http1, http2 }

  let tongue: Tongue
  let context: ChannelHandlerContext
  private var isChunked = false

  init(_ tongue: Tongue, _ context: ChannelHandlerContext) { (self.tongue, self.context) = (tongue, context) }

  /// Writes a head. Informational ones (1xx) may come before the final one.
  mutating func head(_ status: Int, _ fields: [(String, String)], isChunked: Bool = false) {
    self.isChunked = isChunked && tongue == .http1
    switch tongue {
    case .http1:
      let chunks = self.isChunked ? "Transfer-Encoding: chunked\r\n" : ""
      let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
      raw("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n\(lines)\(chunks)\r\n")
    case .http2:
      let headers = HTTPHeaders(fields.map { ($0.0.lowercased(), $0.1) }.filter { $0.0 != "connection" })
      let head = HTTPResponseHead(version: .http2, status: .init(statusCode: status), headers: headers)
      context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
    }
  }

  /// Writes a piece of the body.
  func body(_ bytes: [UInt8], promise: EventLoopPromise<Void>?) {
    var buffer = ByteBuffer()
    if isChunked { buffer.writeString("\(String(bytes.count, radix: 16))\r\n") }
    buffer.writeBytes(bytes)
    if isChunked { buffer.writeString("\r\n") }
    switch tongue {
    case .http1: context.writeAndFlush(NIOAny(buffer), promise: promise)
    case .http2: context.writeAndFlush(NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))), promise: promise)
    }
  }

  /// Ends the answer, with trailers if the protocol allows them.
  func end(_ trailers: [(key: String, value: String)] = []) {
    switch tongue {
    case .http1:
      let lines = trailers.map { "\($0.key): \($0.value)\r\n" }.joined()
      if isChunked { raw("0\r\n\(lines)\r\n") }
    case .http2:
      let fields = trailers.isEmpty ? nil : HTTPHeaders(trailers.map { ($0.key.lowercased(), $0.value) })
      context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(fields)), promise: nil)
    }
  }

  /// Writes raw text; an HTTP/2 stream cannot send it, and closes instead.
  func raw(_ text: String, promise: EventLoopPromise<Void>? = nil) {
    guard tongue == .http1 else { return context.close(promise: promise) }
    context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: promise)
  }

  /// Resets a stream so that its request is made again in HTTP/1.1.
  func demandHTTP1() {
    let codec = try? context.pipeline.syncOperations.context(handlerType: HTTP2FramePayloadToHTTP1ServerCodec.self)
    codec?.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.rstStream(.http11Required)), promise: nil)
  }

  func close() { context.close(promise: nil) }

  /// Closes so that the other side sees a reset rather than an end.
  func reset() {
    guard tongue == .http1 else { return close() }
    Self.reset(context)
  }

  /// Closes any socket channel with a reset.
  static func reset(_ context: ChannelHandlerContext) {
    if let socket = context.channel as? any SocketOptionProvider {
      _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
    context.close(mode: .all, promise: nil)
  }
}
