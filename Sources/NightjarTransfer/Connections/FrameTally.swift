import NIOCore

/// Bounds the memory that NIOHTTP2 holds for streams whose readers have paused.
///
/// Its windows bound data only, and each stream separately: padding is given back at once, frames without data need no
/// window, and one waiting byte may keep all that was read with it in memory. So this handler reads the heads of all
/// frames before NIOHTTP2 does, and stops reading from the connection while too much waits.
final class FrameTally: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What a frame costs beside its bytes.
  static let frameCost = 128
  /// The least that is kept of what was read in one turn, if any of it waits.
  static let turnCost = 32 << 10

  /// As much as waits of all streams together before nothing more is read.
  private let heldMax: Int
  private var watched: [Int: StreamGuard] = [:]
  /// The part of a frame's head that has come; the stream of the present frame, and how much of it is still to come.
  private var head = ByteBuffer()
  private var (current, rest) = (0, 0)
  /// The longest piece that was read.
  private var longest = turnCost
  private var context: ChannelHandlerContext?
  /// Whether a read was asked for and is withheld.
  private var isAwaited = false
  /// When anything was last read.
  private(set) var heardAt = NIODeadline.uptimeNanoseconds(0)
  /// When a withheld read last went on.
  private var resumedAt: NIODeadline?

  init(heldMax: Int) { self.heldMax = heldMax }

  /// Counts the frames of a stream from now on.
  func count(for stream: StreamGuard, number: Int) { watched[number] = stream }

  func forget(_ number: Int) {
    watched[number] = nil
    relent()
  }

  /// Goes on with a withheld read, if little enough waits now.
  func relent() {
    guard isAwaited, !isFull, let context else { return }
    goOn(context)
  }

  /// Until when a read was last withheld: now, if one is; nil if none ever was.
  var withheldUntil: NIODeadline? { isAwaited ? context?.eventLoop.now : resumedAt }

  private func goOn(_ context: ChannelHandlerContext) {
    if isAwaited { (isAwaited, resumedAt) = (false, context.eventLoop.now) }
    context.read()
  }

  private var isFull: Bool { watched.values.reduce(0) { $0 + ($1.isWanted ? 0 : $1.held) } > heldMax }

  func handlerAdded(context: ChannelHandlerContext) { (self.context, heardAt) = (context, context.eventLoop.now) }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func read(context: ChannelHandlerContext) {
    if isFull { isAwaited = true } else { goOn(context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    heardAt = context.eventLoop.now
    count(unwrapInboundIn(data))
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()  // After this, streams that want to read have read all of it.
    for stream in watched.values { stream.endTurn(cost: longest) }
  }

  private static let headSize = 9

  private func count(_ bytes: ByteBuffer) {
    var bytes = bytes
    longest = max(longest, bytes.readableBytes)
    while bytes.readableBytes > 0 {
      let passed = min(rest, bytes.readableBytes)
      if passed > 0 { watched[current]?.hold(passed) }
      bytes.moveReaderIndex(forwardBy: passed)
      rest -= passed
      if var piece = bytes.readSlice(length: min(Self.headSize - head.readableBytes, bytes.readableBytes)) {
        head.writeBuffer(&piece)
      }
      countFrame()
    }
  }

  /// Length, type, flags and stream (RFC 9113, section 4.1), once they are complete.
  private func countFrame() {
    guard head.readableBytes == Self.headSize,
      let (lengthAndType, _, stream) = head.readMultipleIntegers(as: (UInt32, UInt8, UInt32).self)
    else { return }
    head.clear()
    (current, rest) = (Int(stream & 0x7FFF_FFFF), Int(lengthAndType >> 8))
    watched[current]?.hold(Self.frameCost)
  }
}
