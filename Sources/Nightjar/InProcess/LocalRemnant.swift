import Foundation
import NightjarModel

/// The remnant of a download in this process, and the point where another resumes it.
///
/// The bytes are in a file of the temporary folder whose name is made of the token: 128 random bits, which cannot be
/// guessed. They are synced before the app is given the token. A download that takes the file over renames it first, so
/// that two never write to one file, and the second starts at the first byte.
struct LocalRemnant: Hashable, Sendable {
  let token: String
  let point: ResumePoint

  /// The path of the file of a token.
  static func path(of token: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent(prefix + token + ".part")
  }

  /// Whether a name in the temporary folder is that of such a file.
  static func owns(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(".part") }

  /// Removes files that have expired.
  static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where owns(name) {
      let path = (folder as NSString).appendingPathComponent(name)
      if KeptFile(path: path).isOver(at: time(nil)) { unlink(path) }
    }
  }

  private static let prefix = "NightjarDownload_"
}

extension FileSink {
  /// Takes over the file of a remnant; nil if it does not exist, is not ours, or is too short.
  convenience init?(takingUp remnant: LocalRemnant, in folder: String = NSTemporaryDirectory()) {
    let path = Self.freshPath(in: folder)
    guard rename(LocalRemnant.path(of: remnant.token, in: folder), path) == 0 else { return nil }
    guard let file = Self.checked(path, remnant.point.offset) else {
      unlink(path)
      return nil
    }
    self.init(path: path, file, count: Int(remnant.point.offset))
  }

  /// Opens the file if it is ours and has at least `count` bytes, and truncates it to them.
  private static func checked(_ path: String, _ count: Int64) -> OwnedDescriptor? {
    guard let file = try? OwnedDescriptor(opening: path, O_WRONLY | O_NOFOLLOW), let status = try? file.status() else {
      return nil
    }
    let isOurs = status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    guard isOurs, status.st_size >= count, (try? file.truncate(to: Int(count))) != nil else { return nil }
    return file
  }

  /// Syncs the bytes and names the file by a new token; nil if that fails.
  func leave(at point: ResumePoint) -> LocalRemnant? {
    let folder = (path as NSString).deletingLastPathComponent
    let token = UUID().uuidString.filter { $0 != "-" }.lowercased()
    LocalRemnant.sweep(folder)
    guard count >= point.offset, sync(), rename(path, LocalRemnant.path(of: token, in: folder)) == 0 else { return nil }
    return LocalRemnant(token: token, point: point)
  }
}
