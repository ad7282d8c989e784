import Foundation
import VideoFarmKit

/// The app's standard output, which Nightjar keeps: one line for each thing that happens, with the process it happened
/// in.
enum Console {
  static func say(_ words: String) {
    print("VideoFarm[\(ProcessInfo.processInfo.processIdentifier)] \(words)")
  }
}

extension News {
  /// What happened, in words that a script can take apart.
  var line: String {
    switch self {
    case .began(let job, let task): "began \(job) task=\(task)"
    case .arrived(let job, let file, let size, let sha256): "arrived \(job) file=\(file) size=\(size) sha256=\(sha256)"
    case .uploaded(let job, let status): "uploaded \(job) status=\(status)"
    case .failed(let job, let problem): "failed \(job) problem=\(problem)"
    case .paused(let job, let isKept): "paused \(job) kept=\(isKept)"
    case .wentOn(let job, let offset, let expected): "went-on \(job) at=\(offset) of=\(expected ?? -1)"
    case .progressed(let job, let bytes, let expected): "progressed \(job) bytes=\(bytes) of=\(expected ?? -1)"
    case .completed(let job, let task, let error):
      "completed \(job?.description ?? "unknown -") task=\(task) error=\(error ?? "none")"
    case .finishedEvents(let session): "finished-events session=\(session)"
    case .broke(let problem): "broke problem=\(problem)"
    }
  }
}
