import NIOCore
import NIOHPACK
import NIOHTTP2

/// Lets through only those frames of a stream that can make up an answer.
///
/// NIOHTTP2 1.46 does not check the `:status` of a head: an empty or negative one stops the process. So this is the
/// first handler of a stream. Once it has broken the stream off, nothing more gets through, whatever has come already.
final class StreamGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// The cost of frames that wait because the reader has paused, as ``FrameTally`` counts it; and that of this turn of
  /// reading.
  private(set) var held = 0
  private var fresh = 0
  /// Whether the reader waits for more. Then nothing waits but a head that comes in pieces, which NIOHTTP2 bounds; what
  /// NIOHTTP2 drops, it does not keep.
  private(set) var isWanted = false

  private weak var tally: FrameTally?
  private var number: Int?
  private var context: ChannelHandlerContext?
  /// Whether the final head has come; one that follows is that of the trailers.
  private var isAnswered = false
  private var isBroken = false

  init(_ tally: FrameTally) { self.tally = tally }

  /// Counts `cost` as waiting, unless it is read in this turn.
  func hold(_ cost: Int) {
    held += cost
    fresh += cost
  }

  /// Ends a turn of reading, which costs at least `cost` if any of it has to wait.
  func endTurn(cost: Int) {
    if fresh > 0 { held += max(cost - fresh, 0) }
    fresh = 0
  }

  private func breakOff(_ error: any Error) {
    isBroken = true
    context?.fireErrorCaught(error)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    if let number { tally?.forget(number) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    enlist(context.channel)
    guard !isBroken else { return }
    if !isAnswered, case .headers(let block) = unwrapInboundIn(data) {
      guard let status = Self.status(in: block.headers) else { return breakOff(ExchangeError.noStatus) }
      isAnswered = status >= 200
    }
    context.fireChannelRead(data)
  }

  /// All that waited has been read.
  func channelReadComplete(context: ChannelHandlerContext) {
    (held, fresh, isWanted) = (0, 0, false)
    context.fireChannelReadComplete()
    tally?.relent()
  }

  func read(context: ChannelHandlerContext) {
    isWanted = true
    context.read()
  }

  /// A stream has no number before its request has left; the first frames are always read at once.
  private func enlist(_ stream: any Channel) {
    guard number == nil, let id = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) else { return }
    number = Int(id)
    tally?.count(for: self, number: Int(id))
  }

  /// Three digits, and no fewer than 100 (RFC 9110, section 15).
  private static func status(in headers: HPACKHeaders) -> Int? {
    guard let text = headers.first(name: ":status"), text.utf8.count == 3,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let status = Int(text)
    else { return nil }
    return status >= 100 ? status : nil
  }
}
