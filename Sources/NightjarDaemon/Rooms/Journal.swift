import Glibc
import Logging
import NightjarModel
import NightjarPlatform

/// Logs what was decided and why: in the daemon's log, and among the output of the app it concerns.
///
/// Notes may contain names that an app has made up, such as that of a background task. So each note is one line and
/// free of terminal control sequences.
struct Journal: Sendable {
  let home: Home
  let logger: Logger

  func note(_ app: AppID?, _ raw: String) {
    let text = String(escaping: raw)
    guard let app else { return logger.info("\(text)") }
    logger.info("\(text)", metadata: ["app": "\(app)"])
    append("[nightjar] \(text)\n", to: home.log(app))
  }

  /// Appends with one write, so that lines of the app and of the daemon do not mix. A log that cannot be written is
  /// ignored.
  private func append(_ line: String, to path: String) {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }  // Not what an app put there.
    _ = Array(line.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }
}
