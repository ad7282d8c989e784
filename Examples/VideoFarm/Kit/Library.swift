public import struct Foundation.Data

/// Everything that the app remembers: where its server is, which videos it knows, and how far each file has come.
///
/// A plain value. ``Shelf`` keeps it on the disk, where it is Documents/library.json.
public struct Library: Codable, Equatable, Sendable {
  /// How far one file has come.
  public struct File: Codable, Equatable, Sendable {
    /// The stages of a file.
    public enum State: String, Codable, Sendable {
      case wanted  // To be transferred; no task is known to do it.
      case moving  // A task transfers it.
      case paused  // Stopped by a person, until a person lets it go on.
      case there  // Transferred and checked.
      case failed  // Given up; `problem` says why.
    }

    /// The stage.
    public var state = State.wanted
    /// The `taskIdentifier` of the task that transfers it, or did; of what is wanted, that of the task to be replaced.
    public var task: Int?
    /// Its name under Documents.
    public var file: String?
    /// SHA-256 of what arrived, in lowercase hexadecimal digits.
    public var sha256: String?
    /// Why it failed, in a sentence.
    public var problem: String?
    /// What a download goes on with that was paused or has failed. Good for one task.
    public var resumeData: Data?
  }

  /// What is known of one video.
  public struct Entry: Codable, Equatable, Sendable {
    /// What people call it.
    public var title: String
    /// Bytes of its movie on the server.
    public var size: Int?
    /// SHA-256 of its movie on the server.
    public var sha256: String?
    /// Its movie, here.
    public var movie: File?
    /// Its thumbnail, here.
    public var thumbnail: File?
    /// Its movie on the way to the server.
    public var upload: File?
  }

  /// The server's address, such as `http://127.0.0.1:8080`.
  public var server: String?
  /// The videos by their ids.
  public private(set) var videos: [String: Entry] = [:]

  /// A library that knows nothing.
  public init() {}

  /// How far the file of `job` has come; nil when it has never been asked for.
  public subscript(job: Job) -> File? {
    get { videos[job.video]?[keyPath: Self.place(of: job)] }
    set { videos[job.video]?[keyPath: Self.place(of: job)] = newValue }
  }

  private static func place(of job: Job) -> WritableKeyPath<Entry, File?> {
    switch job {
    case .movie: \.movie
    case .thumbnail: \.thumbnail
    case .upload: \.upload
    }
  }
}

extension Library {
  /// Takes in what the server lists.
  ///
  /// - Parameter alive: What the session's tasks are doing now; a file that one of them transfers is not asked for
  ///   twice.
  /// - Returns: What is to be downloaded: whatever is not here, has failed, or is another movie on the server by now.
  public mutating func learn(_ list: [FarmVideo], alive: Set<Job>) -> [Job] {
    var jobs: [Job] = []
    for video in list where video.state == .stored {
      let isNew = videos[video.id]?.sha256 != video.sha256
      note(video)
      for job in [Job.movie(video.id), .thumbnail(video.id)] where !alive.contains(job) {
        guard isNew || self[job]?.state != .there, self[job]?.state != .paused else { continue }
        want(job)
        jobs.append(job)
      }
    }
    return jobs
  }

  /// A file is to be transferred. What an earlier task has left of it is good for the next, even when the server has
  /// another movie by now: then the download begins anew by itself. Which task that was is remembered, for its end may
  /// be told only now.
  private mutating func want(_ job: Job) {
    var file = File(task: self[job]?.task, resumeData: self[job]?.resumeData)
    if case .upload = job { file.file = job.fileName }  // The copy that is sent is kept until it has arrived.
    self[job] = file
  }

  private mutating func note(_ video: FarmVideo) {
    var entry = videos[video.id] ?? Entry(title: video.title)
    (entry.title, entry.size, entry.sha256) = (video.title, video.size, video.sha256)
    videos[video.id] = entry
  }

  /// Remembers a video that the server expects a movie for, and the copy that waits here to be sent.
  public mutating func prepare(upload id: String, title: String) {
    videos[id] = Entry(title: title, upload: File(file: Job.upload(id).fileName))
  }

  /// The uploads that no task of the session carries out: the app ended before it could ask for them.
  public func forgottenUploads(alive: Set<Job>) -> [Job] {
    videos.keys.sorted().map(Job.upload).filter { self[$0]?.state == .wanted && !alive.contains($0) }
  }

  /// Whether a task of an earlier life may still be about: only then need the session be asked.
  public var mayHaveTasks: Bool {
    videos.values.contains { entry in
      [entry.movie, entry.thumbnail, entry.upload].contains { $0?.mayHaveTask == true }
    }
  }

  /// A task now transfers the file. Late when its end has been remembered already: the session does not wait for us.
  public mutating func begin(_ job: Job, task: Int) {
    guard self[job]?.state == .wanted else { return }
    self[job]?.state = .moving
    self[job]?.task = task
    self[job]?.resumeData = nil
  }

  /// The file is where it belongs. `sha256` is that of the file that arrived; nil for an upload.
  public mutating func finish(_ job: Job, sha256: String?) {
    guard var file = self[job] else { return }
    file = File(state: .there, task: file.task, file: job.fileName, sha256: sha256)
    self[job] = file
  }

  /// The transfer came to nothing. `resumeData` is what the next one goes on with, if anything is left.
  public mutating func fail(_ job: Job, _ problem: String, resumeData: Data? = nil) {
    self[job]?.state = .failed
    self[job]?.problem = problem
    self[job]?.resumeData = resumeData
  }
}

// A person pauses a movie's download, and lets it go on, in this life of the app or a later one.
extension Library {
  /// A download is to pause. It is remembered before the task is cancelled: a crash in between leaves a task that the
  /// next life of the app cancels.
  ///
  /// - Returns: Whether there is anything to pause.
  public mutating func pause(_ job: Job) -> Bool {
    guard self[job]?.state == .wanted || self[job]?.state == .moving else { return false }
    self[job]?.state = .paused
    return true
  }

  /// The task of a paused download has ended, and this is what another goes on with; nil if nothing is left. Told
  /// twice, by the task that was cancelled and by its end; late when the download goes on by now.
  public mutating func keep(_ resumeData: Data?, of job: Job) {
    guard self[job]?.state == .paused, let resumeData else { return }
    self[job]?.resumeData = resumeData
  }

  /// What was paused and what has failed is wanted again: a download, with what is left of it, or an upload of a movie
  /// that the server is not known to have.
  ///
  /// - Parameter selection: Which movies.
  /// - Returns: What to begin.
  public mutating func goOn(_ selection: Selection) -> [Job] {
    let jobs = videos.keys.sorted().filter(selection.contains)
      .map { self[.movie($0)] == nil ? Job.upload($0) : .movie($0) }
      .filter { self[$0]?.canGoOn == true }
    for job in jobs { want(job) }
    return jobs
  }

  /// The ids that a person has named and no video here has.
  public func strangers(among selections: [Selection]) -> [String] {
    selections.compactMap { selection -> String? in
      if case .video(let id) = selection, videos[id] == nil { id } else { nil }
    }
  }
}

extension Library.File {
  /// Whether another task has taken the place of `task`, or is about to, so that its end means nothing any more. The
  /// end of a wanted file's new task may be told before its beginning is remembered, so there only the old one's is
  /// late.
  func isReplaced(_ task: Int) -> Bool {
    switch state {
    case .wanted: self.task == task
    case .moving: self.task != task
    case .paused, .there, .failed: false
    }
  }

  /// Whether a task of an earlier life may still be about it.
  fileprivate var mayHaveTask: Bool {
    switch state {
    case .wanted, .moving: true
    case .paused: resumeData == nil
    case .there, .failed: false
    }
  }

  fileprivate var canGoOn: Bool { state == .paused || state == .failed }
}
