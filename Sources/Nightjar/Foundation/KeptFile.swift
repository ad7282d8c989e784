import Foundation
import NightjarModel

/// A file that waits for a task to go on with it, for ``LinkLimits/spoolKeptForSeconds``.
///
/// Its time runs from the last change of its status (ctime), which is no part of what the daemon knows a file by. On a
/// machine that starts in 1970 and then learns the date, such a time says nothing: nothing expires by it, and the file's
/// time begins when that is seen.
struct KeptFile {
  let path: String

  /// Begins its time anew, and leaves the time of its contents (mtime) as it is.
  func renew() {
    // Not by its name: in a folder that others can write to, that may lead somewhere else by now.
    guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return }
    _ = fchmod(file.raw, 0o600)
  }

  /// Whether its time is over at a moment, in seconds since 1970. A time that says nothing is begun anew.
  func isOver(at now: Int) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let renewed = status.st_ctim.tv_sec
    if !Timestamp(seconds: Int64(renewed)).isDated { renew() }
    return Self.isOld(renewed, at: now)
  }

  /// Whether what was renewed at one moment is too old at another.
  static func isOld(_ renewed: Int, at now: Int) -> Bool {
    Timestamp(seconds: Int64(renewed)).isDated && now - renewed > LinkLimits.spoolKeptForSeconds
  }
}
