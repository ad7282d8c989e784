import Dispatch
import Glibc

/// Tells when anything changes in a folder (inotify(7)).
final class FolderWatch: Sendable {
  /// Yields an element if anything has changed since the last one was taken.
  let changes: AsyncStream<Void>
  private let report: AsyncStream<Void>.Continuation
  /// Any thread may cancel a source, and nothing else is done with it after its start.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// Begins to watch.
  ///
  /// - Throws: `CommandError` if the folder does not exist, or the kernel has no watches left.
  init(_ folder: String) throws(CommandError) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
    guard descriptor >= 0, inotify_add_watch(descriptor, folder, events) >= 0 else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw CommandError(.failed, "The folder \(folder) cannot be watched: \(reason).")
    }
    let (changes, report) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.changes, self.report) = (changes, report)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      Self.drain(descriptor)
      report.yield()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Acts as if something had changed.
  func lookAgain() { report.yield() }

  private static func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
