public import Foundation
import NightjarWire

/// The app (Apple's `UIApplication`): there is one, ``shared``.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
  /// Whether the app is on the screen.
  public enum State: Int, Sendable {
    /// On the screen, and in use.
    case active
    /// On the screen for a moment without being in use; on the way from or to it.
    case inactive
    /// Not on the screen, and running for a while to do something.
    case background
  }

  /// Why the app was launched (Apple's `UIApplication.LaunchOptionsKey`). Nightjar gives ``localNotification``; the others
  /// are names.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The app was launched by a link.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// Who has launched the app by a link.
    public static let sourceApplication = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    /// The app was launched by a push.
    public static let remoteNotification = LaunchOptionsKey(
      rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    /// A person has launched the app by this `UILocalNotification`.
    public static let localNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
    /// The app was launched for a change of location.
    public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// The one app of this process.
  public static let shared = UIApplication()

  /// Who is told of the app's life. Kept alive by ``UIApplicationDelegate/main()``; held weakly here, as on iOS.
  open weak var delegate: (any UIApplicationDelegate)?

  /// Whether the app is on the screen. `inactive` until it has been launched.
  open internal(set) var applicationState = State.inactive
  /// What the app is restored to; nil in a process that the daemon has not launched.
  let savedState = SavedState(environment: ProcessInfo.processInfo.environment)
  /// When the time in the background is up, on the clock that stands still while the device sleeps.
  var backgroundEnd = SuspendingClock.now
  /// The notifications by which a person brings the app to the foreground, in their order, until the delegate is told.
  var tapped: [AppInterface.Notified] = []
  /// Whether the app may refresh in the background, as observers know it.
  var refreshStatus = UIBackgroundRefreshStatus.available
  /// Whether the person saves power, as observers know it.
  var savesPower = false
  /// Whether the device is locked, as the delegate and observers know it.
  var isLocked = false
  /// The groups of actions that the app has registered.
  var categories: Set<UIUserNotificationCategory>?
  /// What says that the app was called for a session's events; nil when that was said, or is left to somebody else.
  private var eventsCall: (@Sendable () -> Void)?

  /// Called by the system before the process ends.
  public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
  /// Memory is short.
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  /// The app has been launched. The user info is its launch options, if it has any.
  public nonisolated static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// The app is on the screen and in use.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// The app is about to leave the screen, or to be interrupted.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// The app has left the screen.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// The app is about to come back to the screen.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")

  /// Launches into the foreground: the delegate hears that it is launched, then that it is active.
  func launchIntoForeground(by options: [LaunchOptionsKey: Any]? = nil) {
    applicationState = .inactive
    launch(options)
    applicationState = .active
    announce(Self.didBecomeActiveNotification) { $0.applicationDidBecomeActive(self) }
  }

  /// Launches into the background: the delegate hears that it is launched, then that it is in the background.
  func launchIntoBackground() {
    backgroundEnd = .now + LinkLimits.eventsTime
    applicationState = .background
    launch(nil)
    announce(Self.didEnterBackgroundNotification) { $0.applicationDidEnterBackground(self) }
  }

  /// Tells the delegate of a session's waiting events. `called` follows when it has been told of them, and may hear that
  /// they are over; `done` follows its completion handler, once.
  func handleEvents(
    of session: String, called: @escaping @Sendable () -> Void, done: @escaping @Sendable () -> Void
  ) {
    guard let delegate else {
      done()
      return called()
    }
    backgroundEnd = max(backgroundEnd, .now + LinkLimits.eventsTime)
    eventsCall = called
    let first = FirstCall()
    delegate.application(self, handleEventsForBackgroundURLSession: session) {
      if first.isThis() { return done() }
      Console.warn("handleEvents: the completion handler for '\(session)' was called again: nothing changes")
    }
    takeEventsCall()?()
  }

  /// Leaves it to the caller to say that the app was called.
  func takeEventsCall() -> (@Sendable () -> Void)? {
    defer { eventsCall = nil }
    return eventsCall
  }

  /// Tells the delegate that the process is about to end.
  package func willTerminate() { announce(Self.willTerminateNotification) { $0.applicationWillTerminate(self) } }

  private func launch(_ options: [LaunchOptionsKey: Any]?) {
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    savedState?.restore(self)
    announce(Self.didFinishLaunchingNotification, telling: options) {
      _ = $0.application(self, didFinishLaunchingWithOptions: options)
    }
    BGTaskScheduler.shared.close()
    savedState?.finishRestoring(self)
  }

  /// The delegate hears first, then whoever observes, as on iOS.
  func announce(
    _ name: Notification.Name, telling information: [AnyHashable: Any]? = nil,
    _ call: (any UIApplicationDelegate) -> Void
  ) {
    if let delegate { call(delegate) }
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }
}
