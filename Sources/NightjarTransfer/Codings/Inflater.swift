import CNightjarZlib
import NIOCore

/// Undoes `gzip` (RFC 1952) and `deflate` (RFC 1950, and RFC 1951 bare, which some servers send under that name).
///
/// A gzip body may have several members; what follows the last one is passed over.
final class Inflater: Decoding {
  private enum Stage { case beginning, inside, betweenMembers, ended }

  /// zlib keeps a pointer to it, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let isGzip: Bool
  private var stage = Stage.beginning
  private var isOpen = false

  init(isGzip: Bool) {
    self.isGzip = isGzip
    stream.initialize(to: z_stream())
  }

  deinit {
    if isOpen { inflateEnd(stream) }
    stream.deallocate()
  }

  var isComplete: Bool { stage == .ended || stage == .betweenMembers }

  func decode(_ input: inout ByteBuffer, into piece: inout ByteBuffer, atMost limit: Int) throws(DecodingError) {
    guard begin(&input) else { return }
    var status = Z_OK
    var left = 0
    piece.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { room in
      input.readWithUnsafeMutableReadableBytes { bytes in
        stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(limit)
        status = inflate(stream, Z_NO_FLUSH)
        left = Int(stream.pointee.avail_out)
        return bytes.count - Int(stream.pointee.avail_in)
      }
      return limit - left
    }
    try heed(status)
  }

  /// Prepares for the next bytes. False if nothing can be done with them yet, or any more.
  private func begin(_ input: inout ByteBuffer) -> Bool {
    switch stage {
    case .inside: break
    case .beginning:
      guard isGzip || input.readableBytes >= 2 else { return false }
      isOpen = nightjar_inflate_begin(stream, isGzip ? 15 + 16 : Self.isWrapped(input) ? 15 : -15) == Z_OK
      stage = .inside
    case .betweenMembers:
      guard input.readableBytes >= 2 else { return false }
      let isMember = isGzip && input.getBytes(at: input.readerIndex, length: 2) == [0x1F, 0x8B]
      stage = isMember ? .inside : .ended
      inflateReset(stream)
    case .ended: break
    }
    if stage == .ended { input.moveReaderIndex(forwardBy: input.readableBytes) }
    return stage == .inside
  }

  private func heed(_ status: Int32) throws(DecodingError) {
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: stage = .betweenMembers
    case Z_NEED_DICT: throw DecodingError(detail: "it wants a dictionary")
    default: throw DecodingError(detail: stream.pointee.msg.map { String(cString: $0) } ?? "zlib's error \(status)")
    }
  }

  /// Whether the zlib header is there (RFC 1950, section 2.2).
  private static func isWrapped(_ input: ByteBuffer) -> Bool {
    guard let header = input.getInteger(at: input.readerIndex, as: UInt16.self) else { return false }
    return header >> 8 & 0x0F == 8 && header % 31 == 0
  }
}
