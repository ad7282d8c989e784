import NIOCore
import NightjarModel

/// Bytes that wait to be written past the page cache, and the batch of them that is being written.
///
/// Bytes are copied into pieces as they come, while the processor still has them at hand. Full pieces go to a file
/// thread, one batch at a time.
struct DirectWriting: Sendable {
  private let file: DirectFile
  private let place: DirectPlaces.Place
  private let pieceSize: Int
  private var full: [DirectPiece] = []
  private var filling: DirectPiece?
  private var spare: [DirectPiece] = []
  /// Bytes that have come and are not known to be written.
  private(set) var count: Int64 = 0
  /// Whether a batch is being written.
  private(set) var isUnderWay = false

  /// - Parameter pieceSize: The most that one write takes, in bytes.
  init(_ file: DirectFile, _ place: DirectPlaces.Place, pieceSize: Int) {
    (self.file, self.place) = (file, place)
    self.pieceSize = max(pieceSize / file.alignment, 1) * file.alignment
  }

  private static let sparesMax = 8

  /// Takes in the bytes that stand at an offset of the file, right after those before.
  mutating func append(_ bytes: ByteBuffer, at offset: Int64) throws(TransferFailure) {
    var rest = bytes
    while rest.readableBytes > 0 {
      let piece = try filled(at: offset + Int64(bytes.readableBytes - rest.readableBytes))
      piece.take(from: &rest)
      filling = piece.isFull ? nil : piece
      if piece.isFull { full.append(piece) }
    }
    count += Int64(bytes.readableBytes)
  }

  /// The piece that is being filled, or an empty one for the bytes from an offset on.
  private mutating func filled(at offset: Int64) throws(TransferFailure) -> DirectPiece {
    if let filling { return filling }
    let piece = if let spare = spare.popLast() { spare } else { try DirectPiece(size: pieceSize) }
    piece.begin(at: offset, alignment: file.alignment)
    return piece
  }

  /// The full pieces, to be written from an offset on; nil if there are none, or others are being written.
  mutating func nextBatch(at offset: Int64) -> Batch? {
    guard !isUnderWay, !full.isEmpty else { return nil }
    defer { (full, isUnderWay) = ([], true) }
    return Batch(file: file, pieces: full, offset: offset)
  }

  /// Notes that the batch under way is written.
  mutating func landed(_ batch: Batch) {
    spare += batch.pieces.prefix(Self.sparesMax - spare.count)
    count -= batch.count
    isUnderWay = false
  }

  /// Takes out all waiting bytes, to be written through the page cache. No batch may be under way: its bytes come
  /// first.
  mutating func drain() -> [ByteBuffer] {
    precondition(!isUnderWay, "bytes are being written that come before those that wait")
    defer { (full, filling, count) = ([], nil, 0) }
    return (full + [filling].compactMap(\.self)).map { ByteBuffer(bytes: $0.bytes) }
  }

  /// Pieces to be written in one go.
  struct Batch: Sendable {
    fileprivate let file: DirectFile
    fileprivate let pieces: [DirectPiece]
    fileprivate let offset: Int64

    var count: Int64 { pieces.reduce(0) { $0 + Int64($1.count) } }

    /// Blocks; belongs on a file thread.
    func write() throws(TransferFailure) {
      var position = offset
      for piece in pieces {
        try file.write(piece.bytes, at: position)
        position += Int64(piece.count)
      }
    }
  }
}
