import Glibc

/// A place for one value that one thread puts and another waits for.
///
/// `@unchecked Sendable`: `value` is touched only under `mutex`, and the two live at addresses that do not change.
final class WaitingBox<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isFull = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value?

  init() {
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(isFull, &attributes)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_cond_destroy(isFull)
    pthread_mutex_destroy(mutex)
    isFull.deallocate()
    mutex.deallocate()
  }

  func put(_ new: Value) {
    pthread_mutex_lock(mutex)
    value = new
    pthread_cond_signal(isFull)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for the value, by a monotonic clock; nil when the time is up. A negative timeout counts as zero.
  func take(timeout: Duration?) -> Value? {
    var deadline = timeout.map { Self.deadline(max($0, .zero)) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == nil {
      let result =
        deadline == nil ? pthread_cond_wait(isFull, mutex) : pthread_cond_timedwait(isFull, mutex, &deadline!)
      if result != 0 { break }
    }
    return value
  }

  private static func deadline(_ timeout: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let until = Duration.seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) + timeout
    let (seconds, attoseconds) = until.components
    return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
