import NIOCore
import NightjarModel

/// Undoes one content coding, a piece at a time.
protocol Decoding: AnyObject {
  /// Takes what it can from `input` and appends at most `limit` bytes to `piece`. When it leaves input and adds nothing,
  /// it needs more input.
  func decode(_ input: inout ByteBuffer, into piece: inout ByteBuffer, atMost limit: Int) throws(DecodingError)
  /// Whether the coded bytes have come to their end.
  var isComplete: Bool { get }
}

/// What is wrong with coded bytes, for people.
struct DecodingError: Error { let detail: String }

/// Decodes the body of an answer while it comes.
///
/// Memory stays bounded whatever the bytes unfold to: they come out in pieces, each of which is written before the next.
/// The disk stays bounded too: beyond ``foldedMax`` bytes, more than ``ratioMax`` for each byte that came is refused.
struct BodyDecoder {
  private let decoding: any Decoding
  private let coding: ContentCoding
  private let host: String
  private let ratioMax: Int64
  private var input = ByteBuffer()
  private var bytesIn: Int64 = 0
  private var bytesOut: Int64 = 0

  private static let pieceSize = 256 << 10
  /// Until so much has come out, no ratio is suspicious: a page of blanks is small either way.
  private static let foldedMax: Int64 = 64 << 20

  init(_ coding: ContentCoding, host: String, ratioMax: Int) throws(TransferFailure) {
    (self.coding, self.host, self.ratioMax) = (coding, host, Int64(ratioMax))
    switch coding {
    case .gzip: decoding = Inflater(isGzip: true)
    case .deflate: decoding = Inflater(isGzip: false)
    case .brotli:
      guard let brotli = Brotli() else {
        throw TransferFailure(
          .badServerResponse, "\(host) sent a Brotli body, and this machine has no libbrotlidec.so.1 to decode it")
      }
      decoding = brotli
    }
  }

  /// Keeps bytes for later: what they unfold to cannot be taken just now.
  mutating func hold(_ bytes: ByteBuffer) { input.writeImmutableBuffer(bytes) }

  /// Hands out what the bytes unfold to.
  mutating func decode(
    _ bytes: ByteBuffer?, _ take: (ByteBuffer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) {
    if let bytes { input.writeImmutableBuffer(bytes) }
    var piece = ByteBuffer()
    repeat {
      piece.clear()
      let before = input.readableBytes
      try unfold(into: &piece)
      bytesIn += Int64(before - input.readableBytes)
      bytesOut += Int64(piece.readableBytes)
      try checkRatio()
      if piece.readableBytes > 0 { try take(piece) }
      if piece.readableBytes == 0, before == input.readableBytes { break }
    } while true
    input.discardReadBytes()
  }

  /// Whether nothing is missing; an empty body is whole in any coding.
  var isComplete: Bool { decoding.isComplete || (bytesIn == 0 && input.readableBytes == 0) }

  private func checkRatio() throws(TransferFailure) {
    guard bytesOut > Self.foldedMax, bytesOut / max(bytesIn, 1) > ratioMax else { return }
    throw TransferFailure(
      .badServerResponse, "\(host) sent a \(coding.rawValue) body that unfolds to more than \(ratioMax) times its size")
  }

  private mutating func unfold(into piece: inout ByteBuffer) throws(TransferFailure) {
    do throws(DecodingError) {
      try decoding.decode(&input, into: &piece, atMost: Self.pieceSize)
    } catch {
      throw TransferFailure(
        .badServerResponse, "\(host) sent a body that is not \(coding.rawValue) as it says: \(error.detail)")
    }
  }
}
