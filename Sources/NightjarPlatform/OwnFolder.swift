import Glibc

/// Folders that only we may look into: made, checked, and closed to others.
enum OwnFolder {
  /// Makes a folder if it is missing and sees to it that it is ours, real, writable and 0700.
  static func prepare(_ path: String) throws(PlatformError) {
    if Disk.status(of: path) == nil { try make(path) }
    guard let status = Disk.status(of: path) else { throw .system("cannot look at \(path)") }
    if Disk.isLink(status) { throw refused(path, "is a symbolic link", "replace it by a folder") }
    guard Disk.isFolder(status) else { throw refused(path, "is not a folder", "move it away") }
    guard status.st_uid == geteuid() else {
      throw refused(path, "belongs to user \(status.st_uid), not to you (\(geteuid()))", "chown it or move it away")
    }
    try close(path, isOpen: status.st_mode & 0o777 != 0o700)
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw refused(path, "cannot be written to", PlatformError.words(for: errno))
    }
  }

  /// Sees to it that others cannot put folders of theirs in the place of ours, which lie in this one, if it is ours
  /// too. If it is missing, it is made with ours.
  static func keepWritersOut(of path: String) throws(PlatformError) {
    guard let status = unguarded(path), status.st_uid == geteuid(), status.st_mode & 0o022 != 0 else { return }
    guard chmod(path, status.st_mode & 0o7755) == 0 else {
      throw refused(path, "cannot be closed to others", PlatformError.words(for: errno))
    }
  }

  /// Whether a folder is another user's, whom alone it obeys, and anybody may put folders of theirs in the place of
  /// ours there.
  static func isOpenToAnybody(_ path: String) -> Bool {
    guard let status = unguarded(path) else { return false }
    return status.st_uid != geteuid() && status.st_mode & 0o002 != 0
  }

  /// A folder's status; nil if it is none, or one where each renames only what is theirs, as in `/tmp`.
  private static func unguarded(_ path: String) -> stat? {
    var status = stat()
    guard stat(path, &status) == 0, Disk.isFolder(status) else { return nil }
    return status.st_mode & 0o1000 == 0 ? status : nil
  }

  // The last component is created by us and never followed, so what is opened here is what was looked at or nothing.
  private static func close(_ path: String, isOpen: Bool) throws(PlatformError) {
    guard let folder = Descriptor.opened(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
      if isOpen, chmod(path, 0o700) == 0 { return }  // Ours, but closed even to us.
      throw refused(path, "cannot be opened", PlatformError.words(for: errno))
    }
    guard !isOpen || fchmod(folder.number, 0o700) == 0 else {
      throw refused(path, "cannot be closed to others", PlatformError.words(for: errno))
    }
  }

  private static func make(_ path: String) throws(PlatformError) {
    do {
      try Disk.makeFolders(path)
    } catch {
      throw PlatformError(
        .unusableFolder, "\(error.detail); to have everything elsewhere, set NIGHTJAR_HOME to another folder")
    }
  }

  private static func refused(_ path: String, _ fault: String, _ remedy: String) -> PlatformError {
    PlatformError(.unusableFolder, "\(path) \(fault); \(remedy), or set NIGHTJAR_HOME to another folder")
  }
}
