/// Bytes of messages on their way into a socket.
///
/// What was sent is forgotten once it is more than what was not, so that the memory stays in proportion to what waits.
struct OutgoingBytes: Sendable {
  /// So many bytes are kept in any case, lest small messages be moved about or their memory asked for again.
  static let plentyBytes = 1 << 18

  private var bytes: [UInt8] = []
  private var start = 0  // Where the first that was not sent stands.

  var isEmpty: Bool { start == bytes.count }
  /// What waits.
  var count: Int { bytes.count - start }
  /// What the memory is taken up by.
  var keptBytes: Int { bytes.count }

  mutating func append(_ message: [UInt8]) { bytes.append(contentsOf: message) }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// So many bytes were sent.
  mutating func remove(_ count: Int) {
    start += count
    if isEmpty {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.plentyBytes)
      start = 0
    } else if start > max(Self.plentyBytes, self.count) {
      bytes.removeSubrange(..<start)
      start = 0
    }
  }
}
