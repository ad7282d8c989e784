import Foundation
import Nightjar

// A movie's download is cancelled so that another goes on with its bytes: what `cancel(byProducingResumeData:)` hands
// over is kept in the library, in this life of the app and all later ones, until a task is made with it.
extension APIClient {
  /// Pauses the downloads of movies, and returns when what they leave is remembered.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func pause(_ selection: Selection) async throws -> Int {
    try await turnstile.pass { [self] in
      var count = 0
      for (task, job) in await movieTasks() where selection.contains(job.video) {
        guard try shelf.change({ $0.pause(job) }) else { continue }
        try await stop(task, job)
        count += 1
      }
      return count
    }
  }

  /// Stops what an earlier life of the app wanted paused and did not come to cancel.
  public func continuePauses() async throws {
    try await turnstile.pass { [self] in
      guard shelf.library.mayHaveTasks else { return }
      for (task, job) in await movieTasks() where shelf.library[job]?.state == .paused { try await stop(task, job) }
    }
  }

  /// Lets paused downloads go on, and those that have failed: at the first byte if they have left nothing. Uploads that
  /// have failed are sent again. A pause that is under way comes to its end first: what it leaves is what they go on
  /// with.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func goOn(_ selection: Selection) async throws -> Int {
    let server = try catalogue().server
    return try await turnstile.pass { [self] in
      let jobs = try shelf.change { $0.goOn(selection) }
      for job in jobs { try goOn(job, server) }
      return jobs.count
    }
  }

  private func goOn(_ job: Job, _ server: URL) throws {
    if case .upload = job { return try begin(upload: job) }
    try begin(downloadTask(for: job, server.appending(path: "videos/\(job.video)/movie")), for: job)
  }

  private func stop(_ task: URLSessionDownloadTask, _ job: Job) async throws {
    let data = await task.cancelByProducingResumeData()
    try shelf.change { $0.keep(data, of: job) }
  }

  /// The tasks that download movies.
  private func movieTasks() async -> [(URLSessionDownloadTask, Job)] {
    await open().allTasks.compactMap { task in
      guard let task = task as? URLSessionDownloadTask, let job = Job(task.taskDescription), case .movie = job else {
        return nil
      }
      return (task, job)
    }
  }
}
