import Foundation
import Nightjar

/// Daybook: notes, on the home screen. It shows what an app with a view is made of.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let documents = URL.documentsDirectory
    window = UIWindow()
    window?.rootViewController = Page(file: documents.appendingPathComponent("daybook.json"))
    window?.makeKeyAndVisible()
    return true
  }

  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { true }
}
