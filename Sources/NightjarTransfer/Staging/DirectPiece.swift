import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Memory that gathers bytes for one write past the page cache, in pages of its own.
///
/// The C library's heap would keep it: freed memory goes back to the system only from the heap's end.
///
/// `@unchecked Sendable`: it has one owner at a time, the attempt that fills it or the file job that writes it.
final class DirectPiece: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private var room = 0
  private(set) var count = 0

  init(size: Int) throws(TransferFailure) {
    let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { throw .ofErrno(errno, "cannot get memory", .cannotWrite) }
    memory = UnsafeMutableRawBufferPointer(start: pages, count: size)
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  var isFull: Bool { count == room }

  /// Begins anew, for the bytes from an offset on. It takes as many as it holds or, at an unaligned offset, as complete
  /// the block.
  func begin(at offset: Int64, alignment: Int) {
    let over = Int(offset % Int64(alignment))
    (room, count) = (over == 0 ? memory.count : alignment - over, 0)
  }

  /// Takes from the front of a buffer as much as there is room for.
  func take(from buffer: inout ByteBuffer) {
    let size = min(buffer.readableBytes, room - count)
    buffer.readWithUnsafeReadableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: .init(rebasing: bytes[..<size]))
      return size
    }
    count += size
  }
}
