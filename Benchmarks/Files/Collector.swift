import Foundation
import Nightjar
import Synchronization

/// The delegate: puts each file in its place, and counts.
final class Collector: NSObject, URLSessionDownloadDelegate {
  private struct Counts {
    var ended = 0
    var failures = 0
    var firstFailure = ""
    var finishedAt = ContinuousClock.now
  }

  /// Signalled once, when all have ended.
  let done = DispatchSemaphore(value: 0)
  /// Signalled whenever a file has come.
  let finished = DispatchSemaphore(value: 0)
  private let count: Int
  private let folder: URL?
  private let counts = Mutex(Counts())

  init(count: Int, folder: URL?) { (self.count, self.folder) = (count, folder) }

  var failures: Int { counts.withLock { $0.failures } }
  var firstFailure: String { counts.withLock { $0.firstFailure } }
  /// When the delegate was last called with a file.
  var finishedAt: ContinuousClock.Instant { counts.withLock { $0.finishedAt } }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    counts.withLock { $0.finishedAt = .now }
    guard let folder else { return }
    let name = downloadTask.taskDescription ?? "\(downloadTask.taskIdentifier)"
    do {
      try FileManager.default.moveItem(at: location, to: folder.appendingPathComponent(name))
    } catch {
      fail("\(error)")
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { fail("\(error)") }
    finished.signal()
    if counts.withLock({
      $0.ended += 1; return $0.ended == count
    }) {
      done.signal()
    }
  }

  private func fail(_ what: String) {
    counts.withLock { counts in
      counts.failures += 1
      if counts.failures == 1 { counts.firstFailure = what }
    }
  }
}
