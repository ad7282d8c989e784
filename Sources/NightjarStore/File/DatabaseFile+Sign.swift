import Glibc

// Until a checkpoint, the latest commits are in the log alone. Without it the database is whole and old, and SQLite
// does not notice. So a sign, an empty file, lies beside the two for as long as the log may hold something: it is made
// when the log is there, and goes once that is written back, before SQLite removes it. Whoever is killed in between
// leaves a log without a sign. A sign without a log means that somebody else has taken the log away.

extension DatabaseFile {
  /// Whether the log is gone, and with it every change since the last checkpoint.
  var hasLostLog: Bool { hasSign && !hasLog }

  /// Puts the sign beside the log, which SQLite has made by now. Where there is no room for it, a loss is not noticed.
  func putSign() {
    guard hasLog else { return }
    let descriptor = open(sign, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
    syncFolder()
  }

  /// Removes the sign, since the database itself holds everything.
  func removeSign() {
    if unlink(sign) == 0 { syncFolder() }
  }

  /// What a person should know of a log that is gone.
  var lossNotice: String {
    "The log of the database (\(path)-wal), which held the latest changes, is gone, though nothing had closed the "
      + "database. Transfers, sessions, settings of apps and scheduled notifications that were taken in, changed or "
      + "ended last may be missing or as they were before. If a program such as sqlite3 has opened the database since, "
      + "nothing is missing: it has written the log back."
  }

  private func syncFolder() {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) + "/" } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
