import Glibc

/// The database's file and what lies beside it: SQLite's log (`-wal`), its index (`-shm`), its journal (`-journal`),
/// and our sign that the database is in use (`-open`).
struct DatabaseFile: Hashable, Sendable {
  /// The most damaged databases kept beside the good one.
  static let setAsideMax = 16
  /// The suffixes of all these files, the database's own first.
  private static let all = ["", "-wal", "-shm", "-journal", "-open"]

  let path: String

  /// Whether the database was not closed properly: a clean end removes the sign and the log.
  var wasInterrupted: Bool { hasLog || hasSign }

  var hasLog: Bool { Self.exists(log) }
  var hasEmptyLog: Bool { Self.size(log) ?? 0 == 0 }
  var hasSign: Bool { Self.exists(sign) }
  var log: String { path + "-wal" }
  var sign: String { path + "-open" }

  /// Creates the file if it does not exist, accessible to its owner only. SQLite gives its companions the same mode.
  func prepare() throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refusal(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(errno) }
    if status.st_mode & 0o777 != 0o600, fchmod(descriptor, 0o600) != 0 { throw refusal(errno) }
    // SQLite would silently drop the log of an empty database.
    if status.st_size == 0, Self.size(log) ?? 0 > 0 {
      throw StoreError(.damaged, "The database \(path) is empty, and yet its log is not.")
    }
  }

  /// Renames the database and its companions, and returns the new path and its number. The database goes first: after a
  /// crash in between, the next start finds a log without its database, while a database without its log could pass for
  /// complete.
  func setAside() throws(StoreError) -> (path: String, number: Int) {
    guard let number = (1...Self.setAsideMax).first(where: isFree) else {
      throw StoreError(
        .damaged,
        "The database \(path) is damaged, and \(Self.setAsideMax) damaged ones lie beside it; "
          + "remove \(asidePath(1)) and its like."
      )
    }
    for companion in Self.all {
      let isMoved = rename(path + companion, asidePath(number) + companion) == 0
      guard isMoved || errno == ENOENT else { throw refusal(errno) }
    }
    return (asidePath(number), number)
  }

  /// Which files lie at the database's path and at its log's. SQLite writes on into files that were removed or renamed,
  /// and does not notice; what it writes there is gone with the process.
  struct Marks {
    private struct Mark: Equatable {
      let device: dev_t
      let inode: ino_t
    }

    private let database: Mark?
    private let log: Mark?

    init(of file: DatabaseFile) { (database, log) = (Self.mark(file.path), Self.mark(file.log)) }

    /// Whether the same files lie there. A file that cannot be looked at may be the same.
    func stillHold(for file: DatabaseFile) -> Bool {
      Self.lies(database, at: file.path) && Self.lies(log, at: file.log)
    }

    private static func lies(_ mark: Mark?, at path: String) -> Bool {
      if let now = self.mark(path) { return now == mark }
      return mark == nil || ![ENOENT, ENOTDIR].contains(errno)
    }

    private static func mark(_ path: String) -> Mark? {
      var status = stat()
      return stat(path, &status) == 0 ? Mark(device: status.st_dev, inode: status.st_ino) : nil
    }
  }

  /// Whether nothing was set aside under a number, not even a log without its database.
  private func isFree(_ number: Int) -> Bool { !Self.all.contains { Self.exists(asidePath(number) + $0) } }

  private func asidePath(_ number: Int) -> String { "\(path).damaged-\(number)" }

  private func refusal(_ error: CInt) -> StoreError {
    let words = String(cString: strerror(error))
    switch error {
    case EACCES, EPERM, EROFS:
      return StoreError(
        .permission, "\(path) cannot be opened (\(words)); see who owns it and its folder, and their modes.")
    case ENOSPC, EDQUOT:
      return StoreError(.diskFull, "\(path) cannot be made (\(words)); free some space.")
    case ENOENT, ENOTDIR:
      return StoreError(.io, "\(path) cannot be made (\(words)); make its folder first.")
    default:
      return StoreError(.io, "\(path) cannot be opened (\(words)).")
    }
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The length of a file; nil if it does not exist.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
