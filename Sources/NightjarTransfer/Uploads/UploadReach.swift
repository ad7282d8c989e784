/// How far a server has come with an upload by its own word, and for how long that is still believed.
struct UploadReach: Hashable, Sendable {
  /// Bytes that the server has acknowledged.
  private(set) var offset: Int64 = 0
  /// The most that it has ever acknowledged of this upload: to take again what it has denied is no progress.
  private var farthest: Int64 = 0
  /// Answers since the server last got on that left open how far it is.
  private var doubts = 0

  /// A server that is taken to have so much.
  init(offset: Int64 = 0) { (self.offset, farthest) = (offset, offset) }

  /// The server has so much. Only if that is more than ever is it out of doubt.
  mutating func advance(to offset: Int64) {
    self.offset = offset
    guard offset > farthest else { return }
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
