import Dispatch

/// Runs tasks one after the other on a queue of their own.
///
/// Otherwise tasks run on libdispatch's global queues. From their first use on, a timer checks the workers of these
/// every second, for as long as the process lives: it would never be idle.
///
/// `@unchecked Sendable`, since its properties never change.
final class QuietExecutor: TaskExecutor, @unchecked Sendable {
  private let queue = DispatchQueue(label: "nightjard.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs async work on this executor, and blocks the calling thread until it is done.
  func run(_ work: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Outcome()
    Task(executorPreference: self) {
      do { try await work() } catch { outcome.error = error }
      outcome.isThere.signal()
    }
    outcome.isThere.wait()
    if let error = outcome.error { throw error }
  }

  /// `@unchecked Sendable`, since the error is set before the signal and read after it.
  private final class Outcome: @unchecked Sendable {
    let isThere = DispatchSemaphore(value: 0)
    var error: (any Error)?
  }
}
