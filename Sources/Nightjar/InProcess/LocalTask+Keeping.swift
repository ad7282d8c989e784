import Foundation
import FoundationNetworking
import NightjarModel

// How a download in this process takes up resume data, and leaves it.
extension LocalTask {
  /// Uses the remnant up: takes over the file of its bytes, if that still exists.
  mutating func takeUp(_ sink: FileSink?) {
    defer { remnant = nil }
    if let sink, let remnant { (self.sink, parting) = (sink, LocalParting(remnant.point)) }
  }

  /// Handles a challenge without an answer: fails a task that has the beginning of a file, which the refusal does not
  /// continue. False for any other task, whose response is the refusal.
  mutating func bar() -> Bool {
    guard parting.isBarred else { return false }
    trouble = SessionFailure(
      .userAuthenticationRequired, "the server wants a name and a password before it sends the rest")
    return true
  }

  /// Adds a caller that cancels the task and waits for its resume data; false if it has ended.
  mutating func keep(_ then: @escaping @Sendable (Data?) -> Void) -> Bool {
    guard !isConcluded else { return false }
    keepers.append(then)
    return true
  }

  /// Notes that the end is being delivered, and returns the callers that wait for resume data.
  mutating func conclude() -> [@Sendable (Data?) -> Void] {
    isConcluded = true
    defer { keepers = [] }
    return keepers
  }

  /// Makes resume data of a task that failed or was cancelled for it. May wait for the disk. Nil if the task cannot be
  /// resumed, as with a POST, even if a redirect has made a GET of it.
  var leaving: (@Sendable () -> Data?)? {
    let isCancelled = task.state == .canceling && trouble == nil
    guard task is URLSessionDownloadTask, !isCancelled || !keepers.isEmpty else { return nil }
    guard let request = task.originalRequest, request.isPlain else { return nil }
    let sealed: @Sendable (LocalRemnant) -> Data? = { [session = task.session] remnant in
      ResumeData.of(remnant, request: request).map { session.seal.sealed($0) }
    }
    if let remnant { return { sealed(remnant) } }
    guard let sink, sink.trouble == nil, let point = parting.point, sink.count == parting.count else { return nil }
    return { sink.leave(at: point).flatMap(sealed) }
  }
}
