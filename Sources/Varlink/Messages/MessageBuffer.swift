import Glibc

/// Bytes as they arrive, cut into messages at each NUL.
///
/// A message longer than the limit is refused as soon as that is certain, not when it is complete.
struct MessageBuffer {
  /// So much memory is kept for the next messages, once what is in it was taken.
  private static let keptBytesMax = 1 << 18

  private var bytes: [UInt8] = []
  private var start = 0  // Where the first message not taken yet begins.
  private var searched = 0  // There is no NUL before it.
  private let messageBytesMax: Int

  init(messageBytesMax: Int) {
    self.messageBytesMax = messageBytesMax
  }

  /// How many bytes were received and not taken.
  var count: Int { bytes.count - start }

  /// How much memory it holds, in bytes.
  var capacity: Int { bytes.capacity }

  mutating func append(_ received: UnsafeRawBufferPointer) {
    discardTaken()
    bytes.append(contentsOf: received)
  }

  /// Takes the next complete message, without its NUL, and passes it to the closure; nil when there is none yet.
  mutating func next<Result>(
    _ take: (UnsafeBufferPointer<UInt8>) throws(TransportError) -> Result
  ) throws(TransportError) -> Result? {
    guard let end = findEnd() else {
      if count > messageBytesMax { throw tooLarge() }
      discardTaken()  // The next bytes may come much later, or never.
      return nil
    }
    let message = start..<end
    start = end + 1
    searched = start
    if message.count > messageBytesMax { throw tooLarge() }
    return try Self.borrow(bytes, message, take)
  }

  private static func borrow<Result>(
    _ bytes: [UInt8], _ range: Range<Int>, _ take: (UnsafeBufferPointer<UInt8>) throws(TransportError) -> Result
  ) throws(TransportError) -> Result {
    try bytes.withUnsafeBufferPointer { (all) throws(TransportError) -> Result in
      try take(UnsafeBufferPointer(rebasing: all[range]))
    }
  }

  private mutating func findEnd() -> Int? {
    let end = bytes.withUnsafeBytes { all -> Int? in
      guard searched < all.count, let base = all.baseAddress else { return nil }
      return memchr(base + searched, 0, all.count - searched).map { UnsafeRawPointer($0) - base }
    }
    searched = end ?? bytes.count
    return end
  }

  /// Removes taken bytes so that the buffer does not grow, and frees the memory of a rare huge message.
  private mutating func discardTaken() {
    guard start > 0 else { return }
    if capacity > Self.keptBytesMax {
      bytes = Array(bytes[start...])
    } else {
      bytes.removeSubrange(..<start)
    }
    searched -= start
    start = 0
  }

  private func tooLarge() -> TransportError {
    TransportError(.tooLarge, "a message of more than \(messageBytesMax) bytes")
  }
}
