import Foundation
import Nightjar
import VideoFarmKit

/// VideoFarm: downloads a farm's movies and uploads new ones, whether it runs or not.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  private var observers: [any NSObjectProtocol] = []
  private var farm: VideoFarm?
  private var eventsHandler: (() -> Void)?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let isBackground = application.applicationState == .background
    Console.say("launched \(isBackground ? "background" : "foreground")")
    listen()
    farm = VideoFarm.open()
    farm?.carryOut(Orders(CommandLine.arguments.dropFirst(), environment: ProcessInfo.processInfo.environment))
    return farm != nil
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    Console.say("handle-events session=\(identifier)")
    eventsHandler = completionHandler
    farm?.client.open()
  }

  private func listen() {
    let center = NotificationCenter.default
    observers = [
      center.addObserver(forName: .apiClientNews, object: nil, queue: nil) { notification in
        if let news = News(notification) { Console.say(news.line) }
      },
      center.addObserver(forName: .apiClientNews, object: nil, queue: .main) { [weak self] notification in
        guard case .finishedEvents? = News(notification) else { return }
        MainActor.assumeIsolated { self?.finishEvents() }
      },
    ]
  }

  /// Every event has been told and remembered: the app may be frozen again.
  private func finishEvents() {
    guard let handler = eventsHandler else { return }
    eventsHandler = nil
    Console.say("completion-handler called")
    handler()
  }

  func applicationDidBecomeActive(_ application: UIApplication) { Console.say("active") }

  func applicationDidEnterBackground(_ application: UIApplication) { Console.say("entered-background") }

  func applicationWillTerminate(_ application: UIApplication) { Console.say("will-terminate") }
}
