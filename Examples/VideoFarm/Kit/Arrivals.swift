import Foundation

/// What becomes of the session's news: files move to where they belong, are checked and remembered.
///
/// Knows nothing of sessions, so every call can be repeated: after a crash a task's news come again.
struct Arrivals: Sendable {
  let shelf: Shelf

  /// A download has come, in the file `location` that is ours only until this returns.
  ///
  /// - Parameter status: The server's answer; what comes with a 404 is no movie.
  func downloaded(_ job: Job, at location: URL, status: Int) -> News {
    do {
      guard (200..<300).contains(status) else { return try fail(job, "the server answered \(status)") }
      let digest = try FileDigest(of: location)
      if let problem = complaint(about: digest, for: job) { return try fail(job, problem) }
      let place = shelf.place(of: job)
      guard rename(location.path, place.path) == 0 else {
        return try fail(job, "cannot move it to \(place.path): \(String(cString: strerror(errno)))")
      }
      try shelf.change { $0.finish(job, sha256: digest.sha256) }
      return .arrived(job, file: job.fileName, size: digest.size, sha256: digest.sha256)
    } catch {
      return .broke(problem: "\(error)")
    }
  }

  /// The last call about a task.
  ///
  /// - Parameters:
  ///   - task: Its `taskIdentifier`.
  ///   - resumeData: What the error says that another download can go on with.
  /// - Returns: What it means for the file; nil for a download that went well, of which `downloaded` has told, and for
  ///   a task whose place another has taken.
  func completed(_ job: Job, task: Int, status: Int?, problem: String?, resumeData: Data? = nil) -> News? {
    guard shelf.library[job]?.isReplaced(task) != true else { return nil }
    do {
      if let problem { return try stop(job, problem, resumeData) }
      guard case .upload = job, let status else { return nil }
      guard (200..<300).contains(status) else { return try fail(job, "the server answered \(status)") }
      try shelf.change { $0.finish(job, sha256: nil) }
      try? FileManager.default.removeItem(at: shelf.place(of: job))  // The copy; the second time it is gone.
      return .uploaded(job, status: status)
    } catch {
      return .broke(problem: "\(error)")
    }
  }

  /// A task has ended before its time: as a person wanted, or not.
  private func stop(_ job: Job, _ problem: String, _ resumeData: Data?) throws(ShelfError) -> News {
    guard shelf.library[job]?.state == .paused else { return try fail(job, problem, resumeData) }
    try shelf.change { $0.keep(resumeData, of: job) }
    return .paused(job, isKept: shelf.library[job]?.resumeData != nil)
  }

  private func fail(_ job: Job, _ problem: String, _ resumeData: Data? = nil) throws(ShelfError) -> News {
    try shelf.change { $0.fail(job, problem, resumeData: resumeData) }
    return .failed(job, problem: problem)
  }

  /// Whether a movie is the one that the server lists. Of thumbnails it lists nothing.
  private func complaint(about digest: FileDigest, for job: Job) -> String? {
    guard case .movie(let id) = job, let listed = shelf.library.videos[id]?.sha256 else { return nil }
    return digest.sha256 == listed ? nil : "its SHA-256 is \(digest.sha256); the server lists \(listed)"
  }
}
