import Glibc

/// Signals that something happens in a folder, or to a file (inotify(7)): the descriptor is readable from then on,
/// until it is drained.
///
/// A user has few of them, 128 on most machines, and whatever else that user runs may have taken them all.
struct FolderNotices {
  let descriptor: Descriptor

  /// - Parameter events: The events to watch for, as a mask.
  init(of folder: String, _ events: UInt32) throws(PlatformError) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard number >= 0 else { throw .inotify("cannot watch \(folder)") }
    descriptor = Descriptor(owning: number)
    guard inotify_add_watch(number, folder, events) >= 0 else { throw .inotify("cannot watch \(folder)") }
  }

  /// Reads and drops all events.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while read(descriptor.number, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
