import Foundation
import Nightjar

/// The app's downloads. They go on while the app does not run, whatever ended it, and are told in its next life.
@MainActor
final class Downloads: NSObject {
  /// What ends the app's right to run in the background, once everything has been told.
  var whenTold: (() -> Void)?
  /// Hears that there is something else to show.
  var changed: () -> Void = {}

  private lazy var session = URLSession(
    configuration: .background(withIdentifier: "downloads"), delegate: self, delegateQueue: .main)

  /// Opens the session. Every life of the app does it: that is what makes waiting news come.
  func open() { _ = session }

  /// Where the files are from.
  private(set) var origins = Origins()

  /// What was downloaded, by name.
  var names: [String] {
    let documents = URL.documentsDirectory
    return ((try? FileManager.default.contentsOfDirectory(atPath: documents.path)) ?? []).sorted()
  }

  /// What is on its way, by name.
  var underWay: Set<String> {
    get async { Set(await session.allTasks.compactMap(\.taskDescription)) }
  }

  /// Begins to download into the Documents folder.
  func begin(_ address: String) {
    guard let url = URL(string: address), url.scheme == "http" || url.scheme == "https" else {
      return print("'\(address)' is no http: or https: URL.")
    }
    let task = session.downloadTask(with: url)
    task.taskDescription = url.fileName
    origins.note(url, of: url.fileName)
    task.resume()
    print("Downloading \(url). You may end me meanwhile: I am told.")
  }
}

extension Downloads: URLSessionDownloadDelegate {
  nonisolated func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    guard let status = (downloadTask.response as? HTTPURLResponse)?.statusCode, status == 200 else { return }
    let documents = URL.documentsDirectory
    let target = documents.appendingPathComponent(downloadTask.taskDescription ?? "download")
    do {
      try? FileManager.default.removeItem(at: target)  // From an earlier time, or a life that ended right here.
      try FileManager.default.moveItem(at: location, to: target)  // Now: the file goes when this returns.
      let version = (downloadTask.response as? HTTPURLResponse)?.version
      MainActor.assumeIsolated { origins.note(version: version, of: target.lastPathComponent) }  // The main queue.
      print("Downloaded \(target.path).")
    } catch {
      print("Could not keep \(target.lastPathComponent): \(error.localizedDescription)")
    }
  }

  nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    MainActor.assumeIsolated { changed() }  // The session's queue is the main one.
    let name = task.taskDescription ?? "A download"
    if let error { return print("\(name) failed: \(error.localizedDescription)") }
    guard let status = (task.response as? HTTPURLResponse)?.statusCode, status != 200 else { return }
    print("\(name) was answered with status \(status).")
  }

  nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    MainActor.assumeIsolated {  // The session's queue is the main one.
      whenTold?()
      whenTold = nil
    }
  }
}

extension URL {
  /// One name within one folder, whatever the URL says: `..` and an escaped slash lead nowhere else.
  fileprivate var fileName: String {
    guard !["", "/", ".", ".."].contains(lastPathComponent) else { return "index.html" }
    let safe = lastPathComponent.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
    return String(String.UnicodeScalarView(safe))
  }
}
