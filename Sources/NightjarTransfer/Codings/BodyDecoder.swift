import NIOCore
import NightjarModel

/// Undoes one content coding, a piece at a time.
protocol Decoding: AnyObject {
  /// Takes what it can from `input` and appends at most `limit` bytes to `piece`. When it leaves input and adds
  /// nothing, it needs more input.
  func decode(_ input: inout ByteBuffer, into piece: inout ByteBuffer, atMost limit: Int) throws(DecodingError)
  /// Whether the coded bytes have come to their end.
  var isComplete: Bool { get }
}

/// What is wrong with coded bytes, for people.
struct DecodingError: Error { let detail: String }

/// Decodes the body of an answer while it comes.
///
/// Memory stays bounded whatever the bytes unfold to: they come out in pieces, each of which is written before the
/// next. The disk stays bounded too: beyond ``unfoldedMin`` bytes, more than ``ratioMax`` for each byte that came is
/// refused.
///
/// The buffer for a piece is allocated once, since bytes may come one at a time. A copy would have to allocate its own,
/// so this is a class.
final class BodyDecoder {
  private let decoding: any Decoding
  private let coding: ContentCoding
  private let host: String
  private let ratioMax: Int64
  private let unfoldedMin: Int64
  private var input = ByteBuffer()
  private var piece = ByteBuffer()
  private var bytesIn: Int64 = 0
  private var bytesOut: Int64 = 0

  private static let pieceSize = 256 << 10

  convenience init(_ coding: ContentCoding, host: String, _ settings: EngineSettings) throws(TransferFailure) {
    self.init(coding, by: try Self.makeDecoding(coding, host: host), host: host, settings)
  }

  /// - Parameter decoding: What undoes the coding.
  init(_ coding: ContentCoding, by decoding: any Decoding, host: String, _ settings: EngineSettings) {
    (self.coding, self.decoding, self.host) = (coding, decoding, host)
    (ratioMax, unfoldedMin) = (Int64(settings.unfoldingRatioMax), settings.unfoldedMin)
  }

  private static func makeDecoding(_ coding: ContentCoding, host: String) throws(TransferFailure) -> any Decoding {
    switch coding {
    case .gzip: return Inflater(isGzip: true)
    case .deflate: return Inflater(isGzip: false)
    case .brotli:
      guard let brotli = Brotli() else {
        throw TransferFailure(
          .badServerResponse, "\(host) sent a Brotli body, and this machine has no libbrotlidec.so.1 to decode it")
      }
      return brotli
    }
  }

  /// Takes bytes in.
  func hold(_ bytes: ByteBuffer) { input.writeImmutableBuffer(bytes) }

  /// Hands out what the bytes that came unfold to, up to a limit. Returns whether there may be more.
  func decode(
    atMost limit: Int, _ take: (ByteBuffer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) -> Bool {
    defer { input.discardReadBytes() }
    let end = bytesOut + Int64(limit)
    while try unfold() {
      if piece.readableBytes > 0 { try take(piece) }
      if bytesOut >= end { return true }
    }
    return false
  }

  /// Whether nothing is missing; an empty body is whole in any coding.
  var isComplete: Bool { decoding.isComplete || (bytesIn == 0 && input.readableBytes == 0) }

  private func checkRatio() throws(TransferFailure) {
    guard bytesOut > unfoldedMin, bytesOut / max(bytesIn, 1) > ratioMax else { return }
    throw TransferFailure(
      .badServerResponse, "\(host) sent a \(coding.rawValue) body that unfolds to more than \(ratioMax) times its size")
  }

  /// Makes the next piece; false when there is nothing to do before more bytes come.
  private func unfold() throws(TransferFailure) -> Bool {
    let before = input.readableBytes
    try undo()
    let (taken, made) = (before - input.readableBytes, piece.readableBytes)
    (bytesIn, bytesOut) = (bytesIn + Int64(taken), bytesOut + Int64(made))
    try checkRatio()
    return taken > 0 || made > 0
  }

  private func undo() throws(TransferFailure) {
    piece.clear()
    do throws(DecodingError) {
      try decoding.decode(&input, into: &piece, atMost: Self.pieceSize)
    } catch {
      throw TransferFailure(
        .badServerResponse, "\(host) sent a body that is not \(coding.rawValue) as it says: \(error.detail)")
    }
  }
}
