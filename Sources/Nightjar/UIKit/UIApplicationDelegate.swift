public import Foundation

/// Who is told of the app's life (Apple's `UIApplicationDelegate`). Called on the main thread.
///
/// ```swift
/// @main
/// class AppDelegate: UIResponder, UIApplicationDelegate {
///   func application(
///     _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
///   ) -> Bool { true }
/// }
/// ```
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  /// A place for the window that Xcode's templates declare.
  var window: UIWindow? { get set }

  /// The app is being launched. The answer has no effect.
  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// The app is launched: create background sessions here, or soon after. The answer has no effect.
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// The app is on the screen and in use.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// The app is about to leave the screen.
  func applicationWillResignActive(_ application: UIApplication)
  /// The app is in the background: it has left the screen, or was launched there. When this has returned and the app has
  /// no background task, it is suspended; it has five seconds.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// The app is about to come back to the screen.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// Memory is short: give back what can be made again. Called while the app runs, at most every five seconds. If that does not
  /// help, apps are ended: suspended ones first, the largest before the others, without hearing of it.
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)
  /// The device is being locked: what is protected should be put away now.
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
  /// The device was unlocked.
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
  /// The process is about to end, a few seconds after this returns at the latest. Never called for a suspended app.
  func applicationWillTerminate(_ application: UIApplication)

  /// Whether the app's state is to be kept, for the next launch: asked when the app enters the background, and after each
  /// completion handler of background work. No, unless written. What is encoded here is there at the next launch.
  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool
  /// Whether the app wants to be restored to the state that it kept. No, unless written. Not asked after a person has
  /// removed the app from the switcher, nor when the last restoration did not get through.
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool
  /// The same under the name of later systems.
  func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool
  /// The same under the name of later systems.
  func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool
  /// The state is being kept: what concerns the whole app is encoded here.
  func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder)
  /// The state has been restored, the window's view controller's too.
  func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder)
  /// A notification was fired while the app was in the foreground, or a person has opened the app by it while it ran. If
  /// it did not run, it finds the notification in its launch options instead.
  func application(_ application: UIApplication, didReceive notification: UILocalNotification)

  /// What the app may do of what it has registered for.
  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

  /// A background session has something to tell. Create the session with this identifier, if it is not there, and call
  /// the handler after `urlSessionDidFinishEvents(forBackgroundURLSession:)`: it ends the right to run. An app in the
  /// background that has not called it after 30 seconds, or has returned from no delegate call for so long, is killed, which
  /// counts as a crash of what it was being told. Events that were not told by then are told in the next life.
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)

  /// The same, returning instead of calling a handler.
  ///
  /// `urlSessionDidFinishEvents(forBackgroundURLSession:)` does not come before this method has waited for the first
  /// time, and may come at any moment then. Note who waits for it, such as a continuation, at the first `await` at the
  /// latest: what comes after that may be too late.
  func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async

  /// Look for new content, and call the handler with what came of it, once, from any thread. The app has 30 seconds; then it
  /// is suspended, and a result that it reports when it runs again counts as late. Tasks of background sessions that were
  /// resumed before go on without it. What the app shows when it calls the handler is its snapshot.
  ///
  /// Called after ``UIApplication/setMinimumBackgroundFetchInterval(_:)``, in an app that declares the background mode
  /// `fetch`: in the background, launched or woken for it, or where it happens to be if it runs.
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

  /// The same, returning instead of calling a handler, under the name that Swift gives it.
  func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult
}

extension UIApplicationDelegate {
  public var window: UIWindow? {
    get { nil }
    set {}
  }

  public func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationWillTerminate(_ application: UIApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
  public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}
  public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}
  public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {}
  public func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {}

  public func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { false }
  public func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { false }
  public func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool {
    self.application(application, shouldSaveApplicationState: coder)
  }
  public func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
    self.application(application, shouldRestoreApplicationState: coder)
  }
  public func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder) {}
  public func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder) {}

  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    let handler = MainHandler(call: completionHandler)
    let called = application.takeEventsCall()
    Task { @MainActor in
      Task { @MainActor in  // Begins when the method waits, and lets pass what that has called on another thread.
        await Task.detached {}.value
        called?()
      }
      await self.application(application, handleEventsForBackgroundURLSession: identifier)
      handler.call(())
    }
  }

  public func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {}

  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    let handler = MainHandler(call: completionHandler)
    Task { @MainActor in handler.call(await self.applicationPerformFetch(application)) }
  }

  public func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
    Console.warn("\(type(of: self)) has no application(_:performFetchWithCompletionHandler:), so the fetch has failed")
    return .failed
  }
}

/// A handler on its way through a task of the main actor.
@MainActor
private struct MainHandler<Result> {
  let call: (Result) -> Void
}
