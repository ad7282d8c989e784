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
      case there  // Transferred and checked.
      case failed  // Given up; `problem` says why.
    }

    /// The stage.
    public var state = State.wanted
    /// The `taskIdentifier` of the task that transfers it, or did.
    public var task: Int?
    /// Its name under Documents.
    public var file: String?
    /// SHA-256 of what arrived, in lowercase hexadecimal digits.
    public var sha256: String?
    /// Why it failed, in a sentence.
    public var problem: String?
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
  /// - Parameter alive: What the session's tasks are doing now; a file that one of them transfers is not asked for twice.
  /// - Returns: What is to be downloaded: whatever is not here, has failed, or is another movie on the server by now.
  public mutating func learn(_ list: [FarmVideo], alive: Set<Job>) -> [Job] {
    var jobs: [Job] = []
    for video in list where video.state == .stored {
      let isNew = videos[video.id]?.sha256 != video.sha256
      note(video)
      for job in [Job.movie(video.id), .thumbnail(video.id)] where !alive.contains(job) {
        guard isNew || self[job]?.state != .there else { continue }
        self[job] = File()
        jobs.append(job)
      }
    }
    return jobs
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
      [entry.movie, entry.thumbnail, entry.upload].contains { $0?.state == .wanted || $0?.state == .moving }
    }
  }

  /// A task now transfers the file. Late when its end has been remembered already: the session does not wait for us.
  public mutating func begin(_ job: Job, task: Int) {
    guard self[job]?.state == .wanted else { return }
    self[job]?.state = .moving
    self[job]?.task = task
  }

  /// The file is where it belongs. `sha256` is that of the file that arrived; nil for an upload.
  public mutating func finish(_ job: Job, sha256: String?) {
    guard var file = self[job] else { return }
    (file.state, file.file, file.sha256, file.problem) = (.there, job.fileName, sha256, nil)
    self[job] = file
  }

  /// The transfer came to nothing.
  public mutating func fail(_ job: Job, _ problem: String) {
    self[job]?.state = .failed
    self[job]?.problem = problem
  }
}
