/// How much of an upload the server says it has, and how many unclear answers are still accepted.
struct UploadReach: Hashable, Sendable {
  /// Bytes that the server has acknowledged.
  private(set) var offset: Int64
  /// The most that it has acknowledged of this upload, trifling steps aside. Taking again what it has denied is no
  /// progress.
  private var farthest: Int64
  /// Answers since the server's last progress that left open how much it has, or added next to nothing.
  private var doubts = 0
  private let length: Int64

  /// Takes the server to have the first `offset` bytes of the file.
  init(of length: Int64, offset: Int64 = 0) { (self.length, self.offset, farthest) = (length, offset, offset) }

  /// Bytes that are always worth a request of their own, however many requests that takes.
  private static let partMin: Int64 = 64 << 10
  /// How many requests with fewer bytes than that are made for one upload.
  private static let smallPartsMax: Int64 = 1000

  /// Whether steps of at most so many bytes would take an almost endless number of requests.
  func isTrifle(_ most: Int64, from offset: Int64) -> Bool {
    most < Self.partMin && most * Self.smallPartsMax < length - offset
  }

  /// Notes that the server has so much. Only more than ever before clears the doubts; trifles have to add up first.
  mutating func advance(to offset: Int64) {
    self.offset = offset
    guard offset > farthest, !isTrifle(offset - farthest, from: farthest) else { return }
    (farthest, doubts) = (offset, 0)
  }

  /// Corrects how much the server has, by its own answer.
  mutating func correct(to offset: Int64) { self.offset = offset }

  /// Counts an answer that leaves open how much the server has. Returns whether it can still be accepted.
  mutating func doubt() -> Bool {
    doubts += 1
    return doubts <= Self.doubtsMax
  }

  private static let doubtsMax = 2
}
