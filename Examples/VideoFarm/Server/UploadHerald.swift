import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers an upload that may go on after a cut with 104 (Upload Resumption Supported), before its body is read.
///
/// It gives the upload its token and hands it on in a field of the request. A token of which the farm keeps nothing,
/// since the connection broke too early, is as good as none: the client is told 404 and begins again.
final class UploadHerald: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    head.headerFields[.uploadToken] = nil
    if Self.canGoOn(head) {
      var entropy = SystemRandomNumberGenerator()
      let token = UploadToken(using: &entropy)
      head.headerFields[.uploadToken] = token.description
      context.writeAndFlush(wrapOutboundOut(.head(Self.word(of: token, to: head))), promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func canGoOn(_ head: HTTPRequest) -> Bool {
    head.method == .put && head.path?.hasSuffix("/movie") == true && head.headerFields.spokenUploadVersion != nil
      && head.headerFields.completesUpload != nil
  }

  private static func word(of token: UploadToken, to head: HTTPRequest) -> HTTPResponse {
    var fields = HTTPFields.aboutUpload(head.headerFields)
    fields[.location] = token.path
    return HTTPResponse(status: .init(code: 104, reasonPhrase: "Upload Resumption Supported"), headerFields: fields)
  }
}
