import Foundation
import Nightjar

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  let films = Films()

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let session = URLSession(
      configuration: .background(withIdentifier: "films"), delegate: films, delegateQueue: .main)
    if application.applicationState != .background {
      session.downloadTask(with: URL(string: "https://example.com/film.mp4")!).resume()
    }
    return true
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    films.whenTold = completionHandler
  }
}

@MainActor
final class Films: NSObject, @preconcurrency URLSessionDownloadDelegate {
  var whenTold: (() -> Void)?

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    guard (downloadTask.response as? HTTPURLResponse)?.statusCode == 200 else { return }
    let film = URL.documentsDirectory.appending(path: "film.mp4")
    do {
      try? FileManager.default.removeItem(at: film)  // From an earlier time, or a life that ended right here.
      try FileManager.default.moveItem(at: location, to: film)
      print("Downloaded \(film.path)")
    } catch {
      print("Could not keep the film: \(error)")
    }
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    whenTold?()
  }
}
