/// A picture that stands for a movie: an 8 by 8 mosaic, mirrored, whose tiles and colours follow from the movie's hash.
///
/// The same movie has the same picture everywhere, and no decoder of videos is needed to make it.
struct Thumbnail {
  private static let side = 64
  private static let tile = 8
  /// Bytes of every thumbnail: they are stored, not compressed, so all have one size.
  static let size = Thumbnail(digest: Array(repeating: 0, count: 32)).png.count

  private let digest: [UInt8]

  /// - Parameter digest: The 32 bytes of the movie's SHA-256.
  init(digest: [UInt8]) {
    precondition(digest.count == 32, "a digest of \(digest.count) bytes is no SHA-256")
    self.digest = digest
  }

  /// The picture as a PNG file of 64 by 64 pixels in true colour.
  var png: [UInt8] {
    var file = PNGFile(width: Self.side, height: Self.side)
    for row in 0..<Self.side {
      file.append(row: (0..<Self.side).flatMap { column in colour(column / Self.tile, row / Self.tile) })
    }
    return file.bytes
  }

  /// Red, green and blue of one tile.
  private func colour(_ column: Int, _ row: Int) -> [UInt8] {
    let mirrored = min(column, 7 - column)
    let value = digest[row * 4 + mirrored]
    let base = Array(digest[0..<3]).map { $0 / 2 + 96 }
    return value & 1 == 0 ? base : base.map { UInt8(Int($0) * Int(value) / 255) }
  }
}
