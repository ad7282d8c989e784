// An app as Xcode 26 begins it: all of the module's code is the main actor's unless it says otherwise.

import BackgroundTasks
import UIKit

public class FilmsDelegate: UIResponder, UIApplicationDelegate {
  public var window: UIWindow?
  private var told: [String: () -> Void] = [:]
  private let films = Films()

  public required init() { super.init() }

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    window = Pane()
    window?.rootViewController = Counter()
    window?.makeKeyAndVisible()
    return true
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    try? BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "com.example.refresh"))
  }

  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { told[identifier] = completionHandler }

  public func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult { .noData }
}

/// A delegate that leaves its initializer to the base class.
class PlainDelegate: UIResponder, UIApplicationDelegate {
  var count = 0
}

class Pane: UIWindow {
  var count = 0
}

class Page: UIViewController {
  var number = 1

  override func encodeRestorableState(with coder: NSCoder) { coder.encode(number, forKey: "page") }
  override func decodeRestorableState(with coder: NSCoder) { number = coder.decodeInteger(forKey: "page") }
}

class Counter: HTMLViewController {
  var count = 0

  override func html() -> HTML { "<p>\(count)</p><button data-action='more'>More</button>" }

  override func perform(_ action: String, fields: [String: String]) {
    count += 1
    setNeedsDisplay()
  }
}

class Device: UIDevice {
  var name = "table"
}

final class Films: NSObject, URLSessionDownloadDelegate {
  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    try? FileManager.default.moveItem(at: location, to: URL.documentsDirectory.appending(path: "film"))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let number = task.taskIdentifier
    Task { @MainActor in print(number) }
  }
}

@MainActor
class FilmList: NSObject, URLSessionDataDelegate {
  private var bytes = 0

  nonisolated func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let count = data.count
    Task { @MainActor in bytes += count }
  }
}
