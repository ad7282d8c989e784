import NIOCore

/// Bounds what NIOHTTP2 keeps of streams whose readers have enough.
///
/// Its windows bound their data alone: what pads the data is given back at once, frames without data need no window, and a
/// frame costs far more than the byte that it may hold. So this reads the heads of all frames before NIOHTTP2 does, and once
/// too much waits it breaks off the stream that most waits for.
final class FrameTally: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What a frame costs beside its bytes.
  static let frameCost = 128
  /// Far more than the 8 MiB that a connection's window lets through, in frames of a sensible size.
  static let heldMax = 32 << 20

  private var watched: [Int: StreamGuard] = [:]
  /// What has come of a frame's head, and how much of the frame that is under way is to come.
  private var head = ByteBuffer()
  private var rest = 0

  /// Counts the frames of a stream from now on.
  func count(for stream: StreamGuard, number: Int) { watched[number] = stream }

  func forget(_ number: Int) { watched[number] = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count(unwrapInboundIn(data))
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()  // Whoever reads has read it all after this.
    guard watched.values.reduce(0, { $0 + $1.held }) > Self.heldMax else { return }
    watched.values.max { $0.held < $1.held }?.breakOff(ExchangeError.hollow)
  }

  private static let headSize = 9

  private func count(_ bytes: ByteBuffer) {
    var bytes = bytes
    while bytes.readableBytes > 0 {
      let passed = min(rest, bytes.readableBytes)
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
    rest = Int(lengthAndType >> 8)
    watched[Int(stream & 0x7FFF_FFFF)]?.hold(rest + Self.frameCost)
  }
}
