import NIOCore
import NIOEmbedded
import NIOHTTP1
import NightjarModel
@testable import NightjarTransfer

/// A `Content-Range` that is taken lies within the whole.
func fuzzContentRange(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return }
  if let total = range.total { precondition(total >= 0, "a whole of \(total) bytes") }
  guard let positions = range.positions else { return }
  precondition(positions.lowerBound >= 0, "a range from \(positions.lowerBound)")
  if let total = range.total { precondition(positions.upperBound < total, "\(positions) of \(total) bytes") }
}

/// A server's bytes go through the decoder as they do in a connection; every reading of each head is tried.
func fuzzHead(_ bytes: UnsafeBufferPointer<UInt8>) {
  let channel = EmbeddedChannel()
  var limits = NIOHTTPDecoderLimitConfiguration()
  (limits.maxHeaderListSize, limits.maxHeaderFieldSize) = (64 << 10, 64 << 10)
  let decoder = HTTPResponseDecoder(informationalResponseStrategy: .forward, limitConfiguration: limits)
  let encoder = HTTPRequestEncoder()
  try? channel.pipeline.syncOperations.addHandlers([encoder, ByteToMessageHandler(decoder)])
  _ = try? channel.writeOutbound(HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
  _ = try? channel.writeOutbound(HTTPClientRequestPart.end(nil))
  _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
  while let part = try? channel.readInbound(as: HTTPClientResponsePart.self) {
    if case .head(let head) = part { read(AnswerHead(head)) }
  }
  _ = try? channel.finish(acceptAlreadyClosed: true)
}

private func read(_ head: AnswerHead) {
  if let length = head.contentLength { precondition(length >= 0, "a body of \(length) bytes") }
  if let wait = head.retryAfter { precondition(wait >= .zero && wait <= .seconds(400 * 86_400), "a wait of \(wait)") }
  _ = (head.contentRange, head.validator, head.isCoded, head.isBusy)
  for field in head.headers { _ = HTTPDate.seconds(field.value) }
}
