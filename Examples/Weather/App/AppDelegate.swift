import Foundation
import Nightjar
import WeatherModel

/// Weather: a city's weather, fetched in the background before it is looked at.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?
  private var station: Station?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Settings.take(CommandLine.arguments.dropFirst())
    let documents = URL.documentsDirectory
    let station = Station(file: documents.appendingPathComponent("weather.json"))
    self.station = station
    window = UIWindow()
    window?.rootViewController = Page(station: station)
    window?.makeKeyAndVisible()
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    return true
  }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    Task {
      let outcome = await station?.refresh(inBackground: application.applicationState == .background)
      completionHandler(outcome.map(UIBackgroundFetchResult.init) ?? .failed)
    }
  }

  /// Whoever looks wants it as it is now.
  func applicationDidBecomeActive(_ application: UIApplication) {
    Task { await station?.refresh(inBackground: false) }
  }
}

extension UIBackgroundFetchResult {
  /// What a fetch was worth, in Apple's words.
  init(_ outcome: Logbook.Outcome) {
    self =
      switch outcome {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
  }
}
