/// Bytes of messages on their way into a socket.
///
/// Sent bytes are removed once they outnumber the unsent ones, so that the memory stays proportional to what waits.
struct OutgoingBytes: Sendable {
  /// Up to this many bytes are kept in any case, so that small messages are neither moved nor reallocated.
  static let plentyBytes = 1 << 18

  private var bytes: [UInt8] = []
  private var start = 0  // The index of the first unsent byte.

  var isEmpty: Bool { start == bytes.count }
  /// How many bytes wait.
  var count: Int { bytes.count - start }
  /// How many bytes are kept in memory.
  var keptBytes: Int { bytes.count }

  mutating func append(_ message: [UInt8]) { bytes.append(contentsOf: message) }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Notes that this many bytes were sent.
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
