public import Foundation
import NightjarModel

/// Identifies a background task (Apple's `UIBackgroundTaskIdentifier`).
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

extension UIApplication {
  /// Lets the app keep running in the background until it calls ``endBackgroundTask(_:)``.
  ///
  /// All tasks share one time: 180 seconds after the app has left the foreground, or 10 in an app that was launched or
  /// woken in the background. Time in which the device sleeps does not count. Call this before the work begins; once
  /// the app is in the background, it may already be suspended. When it returns, the request is on its way to the
  /// daemon.
  ///
  /// - Parameter handler: Called on the main thread five seconds before the time is up, if the task has not ended, and
  ///   at once if the time is up already. It must end the task; otherwise the app is killed, and its log names the
  ///   task.
  /// - Returns: The identifier to end the task with. Never ``UIBackgroundTaskIdentifier/invalid``: without a daemon
  ///   nothing suspends the app.
  @discardableResult
  public nonisolated func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// Begins a background task with a name, which the app's log shows.
  @discardableResult
  public nonisolated func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    UIBackgroundTaskIdentifier(rawValue: Int(Link.shared.beginTask(taskName ?? "unnamed", handler)))
  }

  /// Ends a background task; the app may be suspended at once. Has no effect on a task that has ended.
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    guard identifier != .invalid else { return }
    Link.shared.endTask(Int64(identifier.rawValue))
  }

  /// The number of seconds that the app may still run in the background, not counting time in which the device sleeps;
  /// the greatest finite number while it is not in the background.
  ///
  /// It is what is left of the longest time that the app was given since it left the foreground. The current work may
  /// have less: 30 seconds for a session's events, and 10 for background tasks begun after the app was woken.
  public var backgroundTimeRemaining: TimeInterval {
    guard applicationState == .background else { return .greatestFiniteMagnitude }
    return max(0, SuspendingClock.now.duration(to: backgroundEnd).inSeconds)
  }
}

extension ProcessInfo {
  /// Performs work that may continue in the background (Apple's `performExpiringActivity`).
  ///
  /// - Parameter block: Called on a queue of its own with `false`. If it still runs when the time is nearly up, it is
  ///   also called concurrently with `true`; the first call should then return soon.
  public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
    let queue = DispatchQueue(label: reason, attributes: .concurrent)
    let link = Link.shared
    let number = link.beginTask(reason) { queue.async { block(true) } }
    queue.async {
      block(false)
      link.endTask(number)
    }
  }
}
