import NIOCore

/// Makes every read from a connection take a certain number of bytes at most.
///
/// NIO's own allocators bound a read from below only: they reuse whatever buffer an earlier read has left, however
/// large. A buffer of this allocator is used once. Only the first read after it was set may still be a large one.
struct ShortReads: RecvByteBufferAllocator {
  let size: Int

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: size) }

  /// Reports growth, since only then is the earlier buffer not reused.
  mutating func record(actualReadBytes: Int) -> Bool { true }
}
