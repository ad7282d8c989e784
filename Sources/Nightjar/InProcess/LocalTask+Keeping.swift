import Foundation
import FoundationNetworking
import NightjarModel

// How a download in this process goes on with resume data, and what it leaves.
extension LocalTask {
  /// Begins: takes up the bytes that it goes on with, where they are still there.
  mutating func takeUp() {
    guard let remnant else { return }
    self.remnant = nil
    guard let sink = FileSink(takingUp: remnant) else { return }
    (self.sink, parting) = (sink, LocalParting(remnant.point))
  }

  /// Notes that nobody has an answer to a challenge; false if the refusal is what the task came for. It is not where a
  /// beginning lies there that the refusal is none of.
  mutating func bar() -> Bool {
    guard parting.isBarred else { return false }
    trouble = SessionFailure(
      .userAuthenticationRequired, "the server wants a name and a password before it sends the rest")
    return true
  }

  /// Counts in somebody who cancels the task and wants to know what it leaves; false if it has ended.
  mutating func keep(_ then: @escaping @Sendable (Data?) -> Void) -> Bool {
    guard !isConcluded else { return false }
    keepers.append(then)
    return true
  }

  /// Notes that the end is being told; hands back who wants to know what is left.
  mutating func conclude() -> [@Sendable (Data?) -> Void] {
    isConcluded = true
    defer { keepers = [] }
    return keepers
  }

  /// Makes resume data of what has come: of a task that failed, or was cancelled to that end. May wait for the disk. Nil
  /// where nothing can be gone on with, as by a request that does something: a redirect may have made a GET of it.
  var leaving: (@Sendable () -> Data?)? {
    let isCancelled = task.state == .canceling && trouble == nil
    guard task is URLSessionDownloadTask, !isCancelled || !keepers.isEmpty else { return nil }
    guard let request = task.originalRequest, request.isPlain else { return nil }
    if let remnant { return { ResumeData.of(remnant, request: request) } }
    guard let sink, sink.trouble == nil, let point = parting.point, sink.count == parting.count else { return nil }
    return { sink.leave(at: point).flatMap { ResumeData.of($0, request: request) } }
  }
}
