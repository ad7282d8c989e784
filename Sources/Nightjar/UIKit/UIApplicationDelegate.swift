public import Foundation

/// Methods for the events of an app's life (Apple's `UIApplicationDelegate`). They are called on the main thread.
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
  /// The app's window, as Xcode's templates declare it.
  var window: UIWindow? { get set }

  /// The app is being launched. The answer has no effect.
  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// The app is launched: create background sessions here, or soon after. The answer has no effect. Calls
  /// ``applicationDidFinishLaunching(_:)`` by default.
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// The app is launched, in the form without options. Not called if the delegate has the other form.
  func applicationDidFinishLaunching(_ application: UIApplication)

  /// The app is on the screen and in use.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// The app is about to leave the screen or to be interrupted.
  func applicationWillResignActive(_ application: UIApplication)
  /// The app is in the background: it has left the screen, or was launched there. Return within five seconds. Then the
  /// app is suspended, unless it has a background task.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// The app is about to come back to the screen.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// Memory is short: free what can be made again. Called while the app runs, at most every five seconds. If that does
  /// not help, apps are ended without notice: suspended ones first, the largest before the others.
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)
  /// A day has begun, or clocks were changed for the season, for another time zone or to another day. An app that was
  /// suspended is told when it runs again, once for all that has happened. What happens while no daemon runs is not
  /// told.
  func applicationSignificantTimeChange(_ application: UIApplication)
  /// The device is being locked: put protected data away now.
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
  /// The device was unlocked.
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
  /// The process is about to end, five seconds after it was asked to at the latest. An app that was in use has left the
  /// foreground by then. Never called for a suspended app.
  func applicationWillTerminate(_ application: UIApplication)

  /// Returns whether to save the app's state for the next launch; false by default. Called when the app enters the
  /// background, and after each completion handler of background work. What you encode here is available at the next
  /// launch.
  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool
  /// Returns whether to restore the saved state; false by default. Not called after a person has removed the app from
  /// the switcher, nor if the last restoration did not complete.
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool
  /// Returns whether to save the app's state, under the name of later systems. Calls the earlier method by default.
  func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool
  /// Returns whether to restore the saved state, under the name of later systems. Calls the earlier method by default.
  func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool
  /// The state is being saved: encode here what concerns the whole app.
  func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder)
  /// The state has been restored, including that of the window's view controller.
  func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder)
  /// A notification was fired while the app was in the foreground, or a person has opened the running app with it. An
  /// app that did not run finds the notification in its launch options instead.
  func application(_ application: UIApplication, didReceive notification: UILocalNotification)

  /// The settings that the app has registered, as far as the person allows them.
  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

  /// A background session has events. Create the session with this identifier if it does not exist, and call the
  /// handler after `urlSessionDidFinishEvents(forBackgroundURLSession:)`; that ends the app's right to run. An app in
  /// the background is killed if it has not called the handler after 30 seconds, or has not returned from any delegate
  /// call for 30 seconds. That counts as a crash over the event that it was handling. Undelivered events are delivered
  /// in the next life.
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)

  /// The async form: a background session has events. Returning ends the app's right to run.
  ///
  /// `urlSessionDidFinishEvents(forBackgroundURLSession:)` is called only after this method has first suspended, and
  /// may be called at any time from then on. Store what waits for it, such as a continuation, at the first `await` at
  /// the latest.
  func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async

  /// It is time to look for new content. Call the handler with the result, once, from any thread.
  ///
  /// The app has 30 seconds. Then it is suspended, and a result that it reports when it runs again counts as late.
  /// Tasks of background sessions that were resumed before go on. The snapshot is taken when the handler is called.
  ///
  /// Called once the app has set an interval (``UIApplication/setMinimumBackgroundFetchInterval(_:)``), if it declares
  /// the background mode `fetch`. The app is launched or woken in the background for it; an app that runs stays where
  /// it is.
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

  /// The async form, under Swift's name: it is time to look for new content. Return the result.
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
  ) -> Bool {
    applicationDidFinishLaunching(application)
    return true
  }

  public func applicationDidFinishLaunching(_ application: UIApplication) {}
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationWillTerminate(_ application: UIApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
  public func applicationSignificantTimeChange(_ application: UIApplication) {}
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
    let (own, name) = (String(describing: type(of: self)), String(describing: conformingClass))
    let more = own == name ? "" : ", and what only its subclass \(own) adds is never called"
    Console.warn("\(name) has no application(_:performFetchWithCompletionHandler:)\(more), so the fetch has failed")
    return .failed
  }

  /// The class that declares itself a delegate; of its subclasses only overrides are called.
  private var conformingClass: Any.Type {
    var (found, base): (Any.Type, Mirror?) = (type(of: self), Mirror(reflecting: self).superclassMirror)
    while let above = base, above.subjectType is any UIApplicationDelegate.Type {
      (found, base) = (above.subjectType, above.superclassMirror)
    }
    return found
  }
}

/// Carries a handler through a task of the main actor.
@MainActor
private struct MainHandler<Result> {
  let call: (Result) -> Void
}
