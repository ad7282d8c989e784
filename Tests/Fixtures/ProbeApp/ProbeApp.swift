import Foundation
import Nightjar

/// An ordinary app for tests of the whole product: it does what `Documents/instructions.json` says, and writes every
/// call it hears to `Documents/heard.jsonl`.
@main
final class ProbeApp: UIResponder, UIApplicationDelegate {
  private(set) var probe: Probe?
  var window: UIWindow?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    guard let probe = Probe(documents: documents) else { fatalError("no instructions.json in \(documents.path)") }
    self.probe = probe
    probe.note("didFinishLaunching")
    if let notification = options?[.localNotification] as? UILocalNotification {
      probe.note("launchedBy", of: notification)
    }
    probe.start()
    UNUserNotificationCenter.current().delegate = self
    probe.schedule(application)
    if let seconds = probe.instructions.fetchInterval { application.setMinimumBackgroundFetchInterval(seconds) }
    probe.putOff()
    if probe.instructions.watchesPower == true { probe.watchPower() }
    if probe.instructions.shows == true { show(probe.diary) }
    return true
  }

  private func show(_ diary: Diary) {
    let screen = ProbeScreen()
    (screen.diary, screen.restorationIdentifier) = (diary, "screen")
    window = UIWindow()
    window?.rootViewController = screen
    window?.makeKeyAndVisible()
  }

  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool {
    probe?.note("shouldRestore")
    return true
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    probe?.note("didReceive", of: notification, detail: "\(application.applicationState)")
  }

  func applicationDidBecomeActive(_ application: UIApplication) { probe?.note("didBecomeActive") }
  func applicationDidReceiveMemoryWarning(_ application: UIApplication) { probe?.note("didReceiveMemoryWarning") }
  func applicationWillResignActive(_ application: UIApplication) { probe?.note("willResignActive") }
  func applicationWillEnterForeground(_ application: UIApplication) { probe?.note("willEnterForeground") }

  func applicationDidEnterBackground(_ application: UIApplication) {
    probe?.note("didEnterBackground")
    probe?.lock()
    probe?.work(application)
  }

  func applicationWillTerminate(_ application: UIApplication) { probe?.note("willTerminate") }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    probe?.fetch(application, completionHandler)
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    probe?.note("handleEvents")
    probe?.handler = completionHandler
    probe?.open()
  }
}
