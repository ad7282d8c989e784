import Foundation
import NightjarModel

/// A file that is kept for a task to resume, for ``LinkLimits/spoolKeptForSeconds``.
///
/// The time runs from the last change of the file's status (ctime), which the daemon does not use to recognise a file.
/// On a machine that starts in 1970 and then learns the date, a ctime before that is meaningless: nothing expires by
/// it, and the file's time begins when it is found.
struct KeptFile {
  let path: String

  /// Restarts the file's time (ctime), without changing its mtime.
  func renew() {
    // Not by its path: in a folder that others can write to, it may lead elsewhere by now.
    guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return }
    _ = fchmod(file.raw, 0o600)
  }

  /// Whether the file has expired at `now`, in seconds since 1970. A meaningless ctime is renewed.
  func isOver(at now: Int) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let renewed = status.st_ctim.tv_sec
    if !Timestamp(seconds: Int64(renewed)).isDated { renew() }
    return Self.isOld(renewed, at: now)
  }

  /// Whether a file that was renewed at one time has expired at another.
  static func isOld(_ renewed: Int, at now: Int) -> Bool {
    Timestamp(seconds: Int64(renewed)).isDated && now - renewed > LinkLimits.spoolKeptForSeconds
  }
}
