public import Foundation
import NightjarModel

/// Stands for one background task (Apple's `UIBackgroundTaskIdentifier`).
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

extension UIApplication {
  /// Asks that the app may go on running in the background until it calls ``endBackgroundTask(_:)``.
  ///
  /// All tasks share one time: 180 seconds after the app has left the foreground, 10 in an app that was launched or woken
  /// in the background, not counted while the device sleeps. Call it before the work begins, not when the app is already
  /// in the background: it may be suspended by then. When it returns, the request is on its way to the daemon.
  ///
  /// - Parameter handler: Called on the main thread five seconds before the time is up, if the task has not ended, and at once
  ///   if the time is up already. It has to end the task: the app is killed otherwise, and its log says over which task.
  /// - Returns: What ends the task. Never ``UIBackgroundTaskIdentifier/invalid``: without a daemon nothing suspends the
  ///   app.
  public nonisolated func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// The same, with a name that the app's log shows.
  public nonisolated func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    UIBackgroundTaskIdentifier(rawValue: Int(Link.shared.beginTask(taskName ?? "unnamed", handler)))
  }

  /// Ends a background task. The app may be suspended at once. A task that has ended already is left alone.
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    guard identifier != .invalid else { return }
    Link.shared.endTask(Int64(identifier.rawValue))
  }

  /// For how many seconds the app may still run in the background; huge in the foreground, where nothing limits it. Time
  /// in which the device sleeps does not count.
  ///
  /// It is the longest of the times that the app was given since it left the foreground, and there may be less for what it is
  /// at: 30 seconds for a session's events, and 10 for background tasks that it began after it was woken.
  public var backgroundTimeRemaining: TimeInterval {
    guard applicationState == .background else { return .greatestFiniteMagnitude }
    return max(0, SuspendingClock.now.duration(to: backgroundEnd).inSeconds)
  }
}

extension ProcessInfo {
  /// Does something that may go on in the background (Apple's `performExpiringActivity`).
  ///
  /// - Parameter block: Called on a queue of its own with `false`, and once more, at the same time, with `true` when the
  ///   time is nearly up: the first call should return soon then.
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
