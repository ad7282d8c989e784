public import Foundation
import Synchronization

/// A task that the app has requested, now that its time has come (Apple's `BGTask`).
// Unchecked: the lock guards what changes.
public class BGTask: NSObject, @unchecked Sendable {
  /// The identifier with which it was registered and requested.
  public let identifier: String

  /// The app's own closure.
  // Unchecked: it is called on the app's queue, once, as the app asked by setting it.
  private struct Expiry: @unchecked Sendable {
    let call: () -> Void
  }

  private struct State: Sendable {
    var expiry: Expiry?
    var isCompleted = false
    /// Whether the launch handler has returned.
    var isLaunched = false
    /// Whether its time is nearly up.
    var isExpired = false
    /// Whether what follows from the end of its time was done.
    var isTold = false

    /// What follows from the end of its time, once: nothing while the launch handler may still set a handler.
    mutating func takeEnding() -> Ending? {
      guard isExpired, !isTold, !isCompleted, expiry != nil || isLaunched else { return nil }
      defer { (expiry, isTold) = (nil, true) }
      if let expiry { return .told(expiry) }
      return .unheard
    }
  }

  /// What follows from the end of its time.
  private enum Ending: Sendable {
    /// The app is told.
    case told(Expiry)
    /// Nobody listens.
    case unheard
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let finish: @Sendable (_ success: Bool) -> Void

  init(_ identifier: String, on queue: DispatchQueue, finish: @escaping @Sendable (_ success: Bool) -> Void) {
    (self.identifier, self.queue, self.finish) = (identifier, queue, finish)
  }

  /// Called five seconds before the time is up, on the queue of the launch handler: stop the work and call
  /// ``setTaskCompleted(success:)``. One that is set only after that is called at once. If the launch handler has
  /// returned and there is none, the task counts as completed without success. The handler is released once it was
  /// called or the task is completed.
  public var expirationHandler: (() -> Void)? {
    get { state.withLock { $0.expiry }?.call }
    set {
      let expiry = newValue.map(Expiry.init)
      let (old, ending): (Expiry?, Ending?) = state.withLock { state in
        guard !state.isCompleted else { return (nil, nil) }
        let old = state.expiry
        state.expiry = expiry
        return (old, state.takeEnding())
      }
      withExtendedLifetime(old) {}  // Released outside the lock: what is released with it may call the task.
      follow(ending)
    }
  }

  /// Completes the task. The snapshot is taken, and the app may be suspended at once. To try again later, submit
  /// another request first. May be called from any thread; a second call has no effect.
  public func setTaskCompleted(success: Bool) {
    let (isFirst, expiry) = state.withLock { state in
      defer { (state.expiry, state.isCompleted) = (nil, true) }
      return (!state.isCompleted, state.expiry)
    }
    withExtendedLifetime(expiry) {}  // Released outside the lock.
    guard isFirst else { return Console.warn("the task \(identifier) was completed already: nothing changes") }
    finish(success)
  }

  /// Whether it was told that its time is nearly up.
  var isExpired: Bool { state.withLock { $0.isExpired } }

  /// The time is nearly up. That may come before the launch handler is called, or while it runs.
  func expire() {
    let ending: Ending? = state.withLock { state in
      state.isExpired = true
      return state.takeEnding()
    }
    follow(ending)
  }

  /// The launch handler has returned.
  func launched() {
    let ending: Ending? = state.withLock { state in
      state.isLaunched = true
      return state.takeEnding()
    }
    follow(ending)
  }

  private func follow(_ ending: Ending?) {
    switch ending {
    case .told(let expiry): queue.async { expiry.call() }
    case .unheard: setTaskCompleted(success: false)
    case nil: break
    }
  }
}

/// A task of half a minute in which the app refreshes its content (Apple's `BGAppRefreshTask`).
public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}

/// A task of some minutes for maintenance while nobody uses the device (Apple's `BGProcessingTask`).
public final class BGProcessingTask: BGTask, @unchecked Sendable {}
