import Foundation
import NIOCore

/// The movies and thumbnails on the disk.
///
/// A movie is written under `incoming`, and moved to `movies` when it is whole and synced; only then does the catalogue
/// name it. So a cut upload leaves nothing that anyone sees, a replaced movie changes from one state to the next at the
/// catalogue's commit, and a download that is under way keeps the file that it opened.
struct MovieFolder: Sendable {
  private let incoming: String
  private let movies: String

  /// Uses the folder at `path`, and makes it first if it is not there.
  init(path: String) throws {
    incoming = path + "/incoming"
    movies = path + "/movies"
    for folder in [incoming, movies] { try Self.make(folder) }
  }

  private static func make(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch let error as CocoaError {
      guard let cause = error.underlying as? POSIXError else { throw error }
      throw DiskError(deed: "make the folder", path: folder, number: cause.code.rawValue)
    }
  }

  /// Begins a movie of the video `id`, which nobody sees until it is kept.
  func receive(_ id: VideoID) throws(DiskError) -> MovieIntake {
    let name = Self.name(for: id)
    return MovieIntake(name: name, file: try DiskFile.new(incoming + "/" + name))
  }

  /// Begins a movie of the video `id` that may come with more than one request; its name outlives a power cut.
  func hold(_ id: VideoID) throws(DiskError) -> HeldUpload {
    let name = Self.name(for: id)
    let held = HeldUpload(name: name, file: try DiskFile.new(incoming + "/" + name))
    try DiskFile.existing(incoming).sync()
    return held
  }

  /// Goes on with one that an earlier life of the farm has begun.
  func resume(_ name: String) throws(DiskError) -> HeldUpload {
    try .resumed(name: name, file: try DiskFile.growing(incoming + "/" + name))
  }

  private static func name(for id: VideoID) -> String {
    var entropy = SystemRandomNumberGenerator()
    return "\(id).\(hexadecimal(entropy.next()))"
  }

  /// Makes a received movie and its thumbnail last. After a throw neither is kept.
  func keep(_ intake: MovieIntake, at moment: HTTPMoment) throws(DiskError) -> Video.Movie {
    let digest = intake.digest
    let movie = Video.Movie(
      file: intake.name, size: intake.size, sha256: digest.hexadecimal, modified: moment.seconds)
    let thumbnail = try DiskFile.new(incoming + "/" + intake.name + ".png")
    try thumbnail.write(ByteBuffer(bytes: Thumbnail(digest: Array(digest)).png), at: 0)
    try thumbnail.sync()
    try intake.file.sync()
    try move(intake.name + ".png")
    try move(intake.name)
    try DiskFile.existing(movies).sync()
    return movie
  }

  func openMovie(_ movie: Video.Movie) throws(DiskError) -> DiskFile { try .existing(movies + "/" + movie.file) }

  func openThumbnail(_ movie: Video.Movie) throws(DiskError) -> DiskFile {
    try .existing(movies + "/" + movie.file + ".png")
  }

  /// Removes what an upload that failed has left behind.
  func drop(_ intake: MovieIntake) {
    for folder in [incoming, movies] { remove(folder, intake.name) }
  }

  /// Removes what came of an upload that nobody finishes.
  func drop(incoming name: String) { remove(incoming, name) }

  /// Removes a movie that the catalogue no longer names.
  func drop(_ movie: Video.Movie) { remove(movies, movie.file) }

  /// Removes what a crash has left behind: everything that is no file of `named`, nor of an upload that can go on.
  func sweep(keeping named: [Video.Movie], uploads: [Upload]) throws {
    let held = Set(uploads.filter { !$0.isComplete }.map(\.file))
    let names = Set(named.flatMap { [$0.file, $0.file + ".png"] })
    for folder in [incoming, movies] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where folder == incoming ? !held.contains(name) : !names.contains(name) {
        unlink(folder + "/" + name)
      }
    }
  }

  private func move(_ name: String) throws(DiskError) {
    guard rename(incoming + "/" + name, movies + "/" + name) == 0 else {
      throw DiskError(deed: "move into the movies", path: incoming + "/" + name, number: errno)
    }
  }

  private func remove(_ folder: String, _ name: String) {
    unlink(folder + "/" + name)
    unlink(folder + "/" + name + ".png")
  }
}
