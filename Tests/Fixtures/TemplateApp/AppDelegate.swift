import Foundation
import Nightjar

/// Where the app's life begins: Nightjar tells it what happens to it, by the names that iOS has for it.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  private let downloads = Downloads()
  var window: UIWindow?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let isBackground = application.applicationState == .background
    print(isBackground ? "Launched in the background, to be told." : "Launched.")
    downloads.open()
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    let list = DownloadList()
    list.downloads = downloads
    downloads.changed = { list.setNeedsDisplay() }
    window = UIWindow()
    window?.rootViewController = list
    window?.makeKeyAndVisible()
    let addresses = CommandLine.arguments.dropFirst()
    for address in addresses { downloads.begin(address) }
    if addresses.isEmpty, !isBackground {
      print("Nothing to download; give me something: nightjar run -- https://example.com/index.html")
    }
    return true
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    downloads.whenTold = completionHandler
    downloads.open()
  }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    Task { completionHandler(await downloads.refresh()) }
  }
}
