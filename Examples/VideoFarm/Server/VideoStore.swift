import Glibc
import HTTPTypes
import Logging
import NIOCore
import NIOPosix

/// The catalogue and the movies, kept in step.
struct VideoStore: Sendable {
  let catalog: VideoCatalog
  let folder: MovieFolder
  let tell: @Sendable (FarmEvent) -> Void

  init(folder path: String, tell: @escaping @Sendable (FarmEvent) -> Void) async throws {
    folder = try MovieFolder(path: path)
    catalog = try VideoCatalog(path: path + "/catalog.sqlite")
    self.tell = tell
    try folder.sweep(keeping: try await catalog.all().compactMap(\.movie), uploads: try await catalog.uploads())
  }

  /// Lets go of the files; what cannot be closed in order is whole all the same, as after a crash.
  func close(_ logger: Logger) {
    do { try catalog.close() } catch { logger.warning("The catalogue was not closed in order: \(error)") }
  }

  func all() async throws -> [Video] { try await catalog.all() }

  func video(_ id: VideoID) async throws -> Video {
    guard let video = try await catalog.video(id) else { throw Refusal.noSuchVideo(id.description) }
    return video
  }

  func movie(_ id: VideoID) async throws -> Video.Movie {
    guard let movie = try await video(id).movie else { throw Refusal.noMovieYet(id) }
    return movie
  }

  func openMovie(_ movie: Video.Movie) throws(DiskError) -> DiskFile { try folder.openMovie(movie) }
  func openThumbnail(_ movie: Video.Movie) throws(DiskError) -> DiskFile { try folder.openThumbnail(movie) }

  /// Has whoever waits for events hear of the bytes of a movie that are sent.
  func witness(of id: VideoID) -> FileAnswer.Witness {
    let (tell, id) = (tell, id.description)
    return FileAnswer.Witness(
      began: { tell(.serving(id, from: $0.lowerBound, to: $0.upperBound)) },
      ended: { tell(.served(id, from: $0.lowerBound, bytes: $1)) })
  }

  /// Announces a video.
  func prepare(_ title: VideoTitle) async throws -> Video {
    var entropy = SystemRandomNumberGenerator()
    let video = Video(id: .random(using: &entropy), title: title.text, created: time(nil), movie: nil)
    try await catalog.add(video)
    tell(.prepared(video.id.description, title: video.title))
    return video
  }

  /// Receives a movie; `pour` hands over its bytes and throws if they end too early.
  ///
  /// - Returns: Whether it replaced another.
  func store(
    _ id: VideoID, if conditions: HTTPFields, pour: (inout MovieIntake) async throws -> Void
  ) async throws -> Bool {
    let folder = folder
    var intake = try await NIOThreadPool.singleton.runIfActive { try folder.receive(id) }
    do {
      try await pour(&intake)
      try await intake.flush()
      return try await keep(intake, of: id, if: conditions)
    } catch {
      folder.drop(intake)
      tell(.cut(id.description, received: intake.size))
      throw error
    }
  }

  /// Makes a movie that has come whole the video's.
  func keep(_ intake: MovieIntake, of id: VideoID, if conditions: HTTPFields) async throws -> Bool {
    let (folder, now) = (folder, HTTPMoment(seconds: time(nil)))
    let movie = try await NIOThreadPool.singleton.runIfActive { try folder.keep(intake, at: now) }
    let replaced = try await catalog.store(movie, of: id, if: conditions)
    if let replaced { folder.drop(replaced) }
    tell(.stored(id.description, size: movie.size, sha256: movie.sha256))
    return replaced != nil
  }

  /// Makes the seeded video `number`, unless it is there in this size.
  func seed(_ number: Int, size: Int) async throws {
    let id = VideoID.seeded(number)
    let known = try await catalog.video(id)
    guard known?.movie?.size != size else { return }
    if known == nil {
      try await catalog.add(Video(id: id, title: "Seed video \(number)", created: time(nil), movie: nil))
    }
    _ = try await store(id, if: [:]) { intake in
      var movie = SeedMovie(number: number, size: size)
      while let chunk = movie.next() { try await intake.take(chunk) }
    }
  }
}
