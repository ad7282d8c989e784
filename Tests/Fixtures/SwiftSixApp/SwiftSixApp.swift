// Source as it stands in new iOS apps, in Swift 6 mode: it has to compile with one added import, without a warning.

import Foundation
import Nightjar
import Synchronization

public final class AppDelegate: UIResponder, UIApplicationDelegate {
  public var window: UIWindow?
  private let downloads = Downloads()

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Task { await downloads.restore() }
    return true
  }

  public func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {
    await downloads.untilTold(identifier)
  }

  public func applicationWillTerminate(_ application: UIApplication) {}
}

final class Downloads: NSObject, URLSessionDownloadDelegate {
  private let waiting = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

  func session() -> URLSession {
    URLSession(configuration: .background(withIdentifier: "com.example.films"), delegate: self, delegateQueue: nil)
  }

  func restore() async {
    for task in await session().allTasks where task.progress.fractionCompleted < 1 { task.resume() }
    let (_, uploads, downloads) = await session().tasks
    print(uploads.count + downloads.count)
  }

  func untilTold(_ identifier: String) async {
    await withCheckedContinuation { told in waiting.withLock { $0[identifier] = told } }
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    let target = FileManager.default.temporaryDirectory.appending(path: downloadTask.taskDescription ?? "film")
    try? FileManager.default.moveItem(at: location, to: target)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let error = error as? URLError, error.code != .cancelled else { return }
    print(error.localizedDescription, error.failingURL?.absoluteString ?? "")
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    guard let identifier = session.configuration.identifier else { return }
    waiting.withLock { $0.removeValue(forKey: identifier) }?.resume()
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
}

@MainActor
final class FilmList: NSObject, URLSessionDataDelegate {
  private(set) var films: [Int: String] = [:]

  nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let identifier = task.taskIdentifier
    Task { @MainActor in films[identifier] = "done" }
  }
}
