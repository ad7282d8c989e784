/// How far a server has come with an upload by its own word, and for how long that is still believed.
struct UploadReach: Hashable, Sendable {
  /// Bytes that the server has acknowledged.
  private(set) var offset: Int64
  /// The most that it has acknowledged of this upload with a step that was no trifle: to take again what it has denied is no
  /// progress.
  private var farthest: Int64
  /// Answers since the server last got on that left open how far it is, or next to nothing further.
  private var doubts = 0
  private let length: Int64

  /// A server that is taken to have so much of a file.
  init(of length: Int64, offset: Int64 = 0) { (self.length, self.offset, farthest) = (length, offset, offset) }

  /// The fewest bytes for which a request of their own is worth it, however many there are.
  private static let partMin: Int64 = 64 << 10
  /// How many requests with fewer bytes than that are made for one upload.
  private static let smallPartsMax: Int64 = 1000

  /// Whether so many bytes at a time would have us ask almost without end.
  func isTrifle(_ most: Int64, from offset: Int64) -> Bool {
    most < Self.partMin && most * Self.smallPartsMax < length - offset
  }

  /// The server has so much. Only if that is more than ever is it out of doubt; trifles have to add up first.
  mutating func advance(to offset: Int64) {
    self.offset = offset
    guard offset > farthest, !isTrifle(offset - farthest, from: farthest) else { return }
    (farthest, doubts) = (offset, 0)
  }

  /// The server says that it has so much, where it was taken to have another amount.
  mutating func correct(to offset: Int64) { self.offset = offset }

  /// One more answer leaves open how far it is; whether that may be.
  mutating func doubt() -> Bool {
    doubts += 1
    return doubts <= Self.doubtsMax
  }

  private static let doubtsMax = 2
}
