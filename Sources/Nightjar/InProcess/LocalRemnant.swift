import Foundation
import NightjarModel

/// What a download in this process has left, and where another goes on with it.
///
/// The bytes lie in a file of the temporary folder whose name is made of the token: 128 random bits, so that nobody takes
/// what was not meant for him. They are synced before the app is given the token. Whoever goes on with them gives the file
/// another name first; so two that try never write into one file, and the second begins at the first byte.
struct LocalRemnant: Hashable, Sendable {
  let token: String
  let point: ResumePoint

  /// The file of a token.
  static func path(of token: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent(prefix + token + ".part")
  }

  /// Whether a name in the temporary folder is that of such a file.
  static func owns(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(".part") }

  /// Removes what nobody has gone on with for too long.
  static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where owns(name) {
      let path = (folder as NSString).appendingPathComponent(name)
      if KeptFile(path: path).isOver(at: time(nil)) { unlink(path) }
    }
  }

  private static let prefix = "NightjarDownload_"
}

extension FileSink {
  /// Takes the file over that a remnant names; nil if it is not there, or not what it was.
  convenience init?(takingUp remnant: LocalRemnant, in folder: String = NSTemporaryDirectory()) {
    let path = Self.freshPath(in: folder)
    guard rename(LocalRemnant.path(of: remnant.token, in: folder), path) == 0 else { return nil }
    guard let file = Self.checked(path, remnant.point.offset) else {
      unlink(path)
      return nil
    }
    self.init(path: path, file, count: Int(remnant.point.offset))
  }

  /// The file, if it is one of ours that has so many bytes, cut off behind them.
  private static func checked(_ path: String, _ count: Int64) -> OwnedDescriptor? {
    guard let file = try? OwnedDescriptor(opening: path, O_WRONLY | O_NOFOLLOW), let status = try? file.status() else {
      return nil
    }
    let isOurs = status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    guard isOurs, status.st_size >= count, (try? file.truncate(to: Int(count))) != nil else { return nil }
    return file
  }

  /// Syncs what has come and gives it the name of a token; nil if the disk does not keep it.
  func leave(at point: ResumePoint) -> LocalRemnant? {
    let folder = (path as NSString).deletingLastPathComponent
    let token = UUID().uuidString.filter { $0 != "-" }.lowercased()
    LocalRemnant.sweep(folder)
    guard count >= point.offset, sync(), rename(path, LocalRemnant.path(of: token, in: folder)) == 0 else { return nil }
    return LocalRemnant(token: token, point: point)
  }
}
