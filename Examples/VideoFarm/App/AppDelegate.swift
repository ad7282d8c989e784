import Foundation
import Nightjar
import VideoFarmKit

/// VideoFarm: downloads a farm's movies and uploads new ones, whether it runs or not.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  private var observers: [any NSObjectProtocol] = []
  private var farm: VideoFarm?
  private let movies = MovieList()
  var window: UIWindow?
  private var eventsHandler: (() -> Void)?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let isBackground = application.applicationState == .background
    Console.say("launched \(isBackground ? "background" : "foreground")")
    listen()
    farm = VideoFarm.open()
    show()
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

  private func show() {
    movies.farm = farm
    window = UIWindow()
    window?.rootViewController = movies
    window?.makeKeyAndVisible()
  }

  private func listen() {
    observers = [
      NotificationCenter.default.addObserver(forName: .apiClientNews, object: nil, queue: nil) { [weak self] in
        guard let news = News($0) else { return }
        Console.say(news.line)
        OperationQueue.main.addOperation { MainActor.assumeIsolated { self?.movies.take(news) } }
        guard case .finishedEvents = news else { return }
        OperationQueue.main.addOperation { MainActor.assumeIsolated { self?.finishEvents() } }
      }
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
