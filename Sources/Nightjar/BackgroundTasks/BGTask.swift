public import Foundation
import Synchronization

/// Work whose time has come (Apple's `BGTask`): the app that submitted a request for it is running in the background to do it.
// Unchecked: the lock guards what changes.
public class BGTask: NSObject, @unchecked Sendable {
  /// The name under which it was registered and submitted.
  public let identifier: String

  /// The app's own closure.
  // Unchecked: it is called on the app's queue, once, as the app asked by setting it.
  private struct Expiry: @unchecked Sendable {
    let call: () -> Void
  }

  private struct State: Sendable {
    var expiry: Expiry?
    var isCompleted = false
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let finish: @Sendable (_ success: Bool) -> Void

  init(_ identifier: String, on queue: DispatchQueue, finish: @escaping @Sendable (_ success: Bool) -> Void) {
    (self.identifier, self.queue, self.finish) = (identifier, queue, finish)
  }

  /// Called on the queue that the launch handler was called on, five seconds before the time is up: it stops the work and calls
  /// ``setTaskCompleted(success:)``. Without one, the task counts as completed without success by then. It is given up when it
  /// was called and when the task is completed.
  public var expirationHandler: (() -> Void)? {
    get { state.withLock { $0.expiry }?.call }
    set {
      let expiry = newValue.map(Expiry.init)
      state.withLock { if !$0.isCompleted { $0.expiry = expiry } }
    }
  }

  /// The work is done, or given up. The app may be suspended at once; what it shows by then is its snapshot. To try again
  /// later, submit another request before. From any thread; called twice, the second has no effect.
  public func setTaskCompleted(success: Bool) {
    let isFirst = state.withLock { state in
      defer { (state.expiry, state.isCompleted) = (nil, true) }
      return !state.isCompleted
    }
    guard isFirst else { return Console.warn("the task \(identifier) was completed already: nothing changes") }
    finish(success)
  }

  /// The time is nearly up.
  func expire() {
    let (expiry, isCompleted) = state.withLock { state in
      defer { state.expiry = nil }
      return (state.expiry, state.isCompleted)
    }
    guard !isCompleted else { return }
    if let expiry { queue.async { expiry.call() } } else { setTaskCompleted(success: false) }
  }
}

/// Half a minute in which the app brings its content up to date.
public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}

/// Some minutes of upkeep while nobody uses the device.
public final class BGProcessingTask: BGTask, @unchecked Sendable {}
