import Dispatch

/// Runs tasks one after the other on a queue of their own.
///
/// Tasks run on libdispatch's global queues otherwise, and from the first one on a timer looks after the workers of those every
/// second, for as long as the process lives: nothing would ever be idle.
///
/// `@unchecked Sendable`, since it only has what never changes.
final class QuietExecutor: TaskExecutor, @unchecked Sendable {
  private let queue = DispatchQueue(label: "nightjard.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Does some work, with all that it waits for, on this executor, and holds the calling thread until it is done.
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
