import Glibc

// Until a checkpoint, the latest commits are in the log alone. Without it the database is whole and old, and SQLite
// does not notice. So a sign, a file of our own, lies beside the two for as long as the log may hold something: it is
// made when the log is there, and goes once that is written back, before SQLite removes it. Whoever is killed in
// between leaves a log without a sign. A sign without a log means that somebody else has taken the log away.
//
// The sign has a byte while the log is not empty: it is written after the first commit that goes to an empty log, and
// goes before the log is emptied. A sign with its byte beside a log that is empty, or whose header SQLite would not
// accept, means that the log was damaged. Damage behind the header stays unnoticed: SQLite drops the commits from there
// on, as it must where a loss of power has torn the last one.
//
// A loss that was found lengthens the sign to two bytes, before SQLite makes a new log: so it stays, whatever is
// written and whoever is killed or refuses to go on, until a person has been told.

extension DatabaseFile {
  /// Whether the log is gone or damaged, and with it every change since the last checkpoint.
  var hasLostLog: Bool {
    guard let length = Self.size(sign) else { return false }
    return !hasLog || length > 1 || (length > 0 && !LogHeader.isValid(at: log))
  }

  /// Whether such a loss was found, and nobody was told of it.
  var hasUntoldLoss: Bool { Self.size(sign) ?? 0 > 1 }

  /// Has the sign say that a loss was found.
  func markLoss() { setSign(length: 2) }

  /// Has the sign say of the log again what it says of others, since a person knows of the loss.
  func settleLoss() {
    if hasUntoldLoss { setSign(length: min(Self.size(log) ?? 0, 1)) }
  }

  /// Puts the sign beside the log, which SQLite has made by now, with its byte if the log is not empty. Where there is
  /// no room for it, a loss is not noticed. It costs two looks if all is there already.
  func putSign() {
    guard let length = Self.size(log), Self.size(sign) != min(length, 1), !hasUntoldLoss else { return }
    let isNew = !hasSign
    if isNew { makeSign() }
    setSign(length: min(length, 1))
    if isNew { syncFolder() }
  }

  /// Takes the sign's byte away, since the log is to be emptied.
  func emptySign() {
    if !hasUntoldLoss { setSign(length: 0) }
  }

  /// Removes the sign, since the database itself holds everything; not before a loss was told.
  func removeSign() {
    if !hasUntoldLoss, unlink(sign) == 0 { syncFolder() }
  }

  /// What a person should know of a log that is gone.
  var lossNotice: String {
    "The log of the database (\(log)), which held the latest changes, is gone or damaged, though nothing had closed "
      + "the database. Transfers, sessions, settings of apps and scheduled notifications that were taken in, changed "
      + "or ended last may be missing or as they were before. If a program such as sqlite3 has opened the database "
      + "since, nothing is missing: it has written the log back."
  }

  private func makeSign() {
    let descriptor = open(sign, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// By its path, which needs no free descriptor, and no room on the disk.
  private func setSign(length: Int) {
    truncate(sign, off_t(length))
    let descriptor = open(sign, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func syncFolder() {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) + "/" } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
