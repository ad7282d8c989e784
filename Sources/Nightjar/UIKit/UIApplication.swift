public import Foundation
import NightjarWire

/// The app (Apple's `UIApplication`). There is one, ``shared``.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
  /// Whether the app is on the screen.
  public enum State: Int, Sendable {
    /// On the screen, and in use.
    case active
    /// On the screen but not in use, as on the way from or to it.
    case inactive
    /// Not on the screen, and running for a limited time.
    case background
  }

  /// Why the app was launched (Apple's `UIApplication.LaunchOptionsKey`). Nightjar uses only ``localNotification``.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The app was launched by a link.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// The app whose link launched this one.
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

  /// The app's delegate. Kept alive by ``UIApplicationDelegate/main()``; held weakly here, as on iOS.
  open weak var delegate: (any UIApplicationDelegate)?

  /// Whether the app is on the screen. `inactive` until it has been launched.
  open internal(set) var applicationState = State.inactive
  /// Whether the device is to stay awake while the app is in front. Kept, but without effect.
  open var isIdleTimerDisabled = false
  /// Whether the status bar is to show that the app uses the network. Kept, but without effect: there is no such bar.
  open var isNetworkActivityIndicatorVisible = false
  /// The state to restore the app from; nil in a process that the daemon has not launched.
  var savedState = SavedState(environment: ProcessInfo.processInfo.environment)
  /// When the time in the background is up, on the clock that stands still while the device sleeps.
  var backgroundEnd = SuspendingClock.now
  /// Notifications that a person tapped in the background, in order, until the delegate is told.
  var tapped: [AppInterface.Notified] = []
  /// Whether the app may refresh in the background, as observers were last told.
  var refreshStatus = UIBackgroundRefreshStatus.available
  /// Whether the person saves power, as observers were last told.
  var savesPower = false
  /// Whether the device is locked, as the delegate and observers were last told.
  var isLocked = false
  /// The categories of actions that the app has registered.
  var categories: Set<UIUserNotificationCategory>?
  /// Reports that the delegate was called for a session's events; nil once that is reported or left to the async form.
  private var eventsCall: (@Sendable () -> Void)?

  /// Posted before the process ends.
  public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
  /// Posted when memory is short.
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  /// Posted when a day begins, and when clocks are changed for the season, for another time zone or to another day.
  public nonisolated static let significantTimeChangeNotification = Notification.Name(
    "UIApplicationSignificantTimeChangeNotification")
  /// Posted when the app has been launched. The user info is its launch options, if it has any.
  public nonisolated static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// Posted when the app is on the screen and in use.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted when the app is about to leave the screen or to be interrupted.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted when the app has left the screen, or was launched in the background.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted when the app is about to come back to the screen.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")

  /// Launches into the foreground: the delegate is told that the app is launched, then that it is active. `tell` is
  /// called between the two.
  func launchIntoForeground(by options: [LaunchOptionsKey: Any]? = nil, tell: () -> Void = {}) {
    applicationState = .inactive
    launch(options)
    tell()
    applicationState = .active
    announce(Self.didBecomeActiveNotification) { $0.applicationDidBecomeActive(self) }
  }

  /// Launches into the background: the delegate is told that the app is launched, then that it is in the background.
  func launchIntoBackground() {
    backgroundEnd = .now + LinkLimits.eventsTime
    applicationState = .background
    launch(nil)
    announce(Self.didEnterBackgroundNotification) { $0.applicationDidEnterBackground(self) }
  }

  /// Tells the delegate of a session's waiting events.
  ///
  /// - Parameters:
  ///   - called: Called once the delegate's method has returned; only then may the end of the events be told.
  ///   - done: Called once, when the delegate calls its completion handler.
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

  /// Takes the report that the delegate was called; the caller makes it instead.
  func takeEventsCall() -> (@Sendable () -> Void)? {
    defer { eventsCall = nil }
    return eventsCall
  }

  /// Tells the delegate that the process is about to end. An app that is in use leaves the foreground first, so that it
  /// saves what it saves then.
  package func willTerminate() {
    if applicationState == .active {
      backgroundEnd = .now + LinkLimits.endTime
      enterBackground()
    }
    savedState?.end()
    announce(Self.willTerminateNotification) { $0.applicationWillTerminate(self) }
  }

  private func launch(_ options: [LaunchOptionsKey: Any]?) {
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    savedState?.restore(self)
    announce(Self.didFinishLaunchingNotification, telling: options) {
      _ = $0.application(self, didFinishLaunchingWithOptions: options)
    }
    BGTaskScheduler.shared.close()
    savedState?.finishRestoring(self)
  }

  /// Calls the delegate, then posts the notification, as on iOS.
  func announce(
    _ name: Notification.Name, telling information: [AnyHashable: Any]? = nil,
    _ call: (any UIApplicationDelegate) -> Void
  ) {
    if let delegate { call(delegate) }
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }
}
