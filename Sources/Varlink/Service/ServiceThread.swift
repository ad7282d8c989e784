import Glibc
import Synchronization

/// A system thread that runs one closure and can be joined.
final class ServiceThread: Sendable {
  private final class Work: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
  }

  private let thread: pthread_t
  private let isJoined = Atomic<Bool>(false)

  init(named name: String, _ run: @escaping @Sendable () -> Void) throws(TransportError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(name, run))
    let result = pthread_create(
      &thread, nil,
      { context in
        let work = Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
        Linux.nameThread(work.name)
        work.run()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw .system("pthread_create", number: result)
    }
    self.thread = thread
  }

  deinit {
    if !isJoined.load(ordering: .acquiring) { pthread_detach(thread) }
  }

  /// Waits for the end of the thread; does nothing on the thread itself.
  func join() {
    guard !isCurrent, !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
    pthread_join(thread, nil)
  }

  /// Whether the caller runs on this thread.
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
