public import Foundation
public import Nightjar
import struct FoundationNetworking.URLRequest  // This one type: MemberImportVisibility asks for its module.
import Synchronization

/// The app's line to the farm: lists, downloads and uploads, and remembers what has come how far.
///
/// Movies move on one background session, so they go on when the app is frozen, killed or not even running; whatever it
/// tells arrives here, in this life of the app or the next.
public final class APIClient: NSObject, Sendable {
  /// The name of the background session, the same in every life of the app.
  public static let sessionIdentifier = "dev.nightjar.VideoFarm.transfers"

  /// What is remembered and where the files are.
  public let shelf: Shelf
  let arrivals: Arrivals
  /// Who begins transfers, who pauses downloads and who lets them go on come one after another, so that nothing is
  /// begun twice.
  let turnstile = Turnstile()
  private let opened = Mutex<URLSession?>(nil)

  /// A client that keeps everything on `shelf`.
  public init(shelf: Shelf) {
    self.shelf = shelf
    self.arrivals = Arrivals(shelf: shelf)
  }

  /// The background session. The first call creates it, and with it come the news that waited; so every launch opens
  /// it.
  @discardableResult
  public func open() -> URLSession {
    opened.withLock { opened in
      if let opened { return opened }
      let configuration = URLSessionConfiguration.background(withIdentifier: Self.sessionIdentifier)
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      opened = session
      return session
    }
  }

  /// Uses another server from now on, in later lives of the app too.
  public func use(server: String) throws { try shelf.change { $0.server = server } }

  /// Asks the server which videos there are, and downloads whatever is not here yet.
  ///
  /// - Returns: How many downloads it began.
  @discardableResult
  public func downloadAll() async throws -> Int {
    let catalogue = try catalogue()
    let list = try await catalogue.list()
    return try await turnstile.pass { [self] in
      let alive = await aliveJobs()
      let jobs = try shelf.change { $0.learn(list, alive: alive) }
      for video in list {
        for job in jobs where job.video == video.id { try download(job, links: video.links, from: catalogue.server) }
      }
      return jobs.count
    }
  }

  /// Announces a video and hands over its movie, from a copy of `file`: the original may change or go at once.
  public func upload(_ file: URL, title: String) async throws {
    let video = try await catalogue().prepare(title: title)
    let job = Job.upload(video.id)
    try FileManager.default.copyItem(at: file, to: shelf.place(of: job))
    try await turnstile.pass { [self] in
      try shelf.change { $0.prepare(upload: video.id, title: title) }
      try begin(upload: job)
    }
  }

  /// Hands over the uploads that an earlier life of the app prepared and did not hand over.
  public func continueUploads() async throws {
    try await turnstile.pass { [self] in
      let jobs = shelf.library.forgottenUploads(alive: await aliveJobs())
      for job in jobs { try begin(upload: job) }
    }
  }

  private func download(_ job: Job, links: FarmVideo.Links, from server: URL) throws {
    let path = job == .movie(job.video) ? links.movie : links.thumbnail
    guard let url = path.flatMap({ URL(string: $0, relativeTo: server)?.absoluteURL }) else { return }
    try begin(downloadTask(for: job, url), for: job)
  }

  /// Goes on with what an earlier task has left, if there is anything, and at the first byte otherwise.
  func downloadTask(for job: Job, _ url: URL) -> URLSessionTask {
    guard let data = shelf.library[job]?.resumeData else { return open().downloadTask(with: URLRequest(url: url)) }
    return open().downloadTask(withResumeData: data)
  }

  func begin(upload job: Job) throws {
    var request = URLRequest(url: try catalogue().server.appending(path: "videos/\(job.video)/movie"))
    request.httpMethod = "PUT"
    try begin(open().uploadTask(with: request, fromFile: shelf.place(of: job)), for: job)
  }

  /// Resumes first and remembers second: a crash between the two leaves a task whose description says what it does.
  func begin(_ task: URLSessionTask, for job: Job) throws {
    task.taskDescription = job.description
    task.resume()
    try shelf.change { $0.begin(job, task: task.taskIdentifier) }
    News.began(job, task: task.taskIdentifier).post()
  }

  /// What the session's tasks are doing. The answer is the daemon's, so it is not asked for without need: a first
  /// transfer can be handed over while no daemon runs.
  private func aliveJobs() async -> Set<Job> {
    guard shelf.library.mayHaveTasks else { return [] }
    return Set(await open().allTasks.compactMap { Job($0.taskDescription) })
  }

  func catalogue() throws -> FarmCatalogue {
    guard let server = shelf.library.server.flatMap(URL.init(string:)) else {
      throw CatalogueError(code: .noServer, detail: "no server is known; name one with VIDEOFARM_SERVER=http://…")
    }
    return FarmCatalogue(server: server)
  }
}
