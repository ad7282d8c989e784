import Glibc
import NightjarModel
import NightjarWire
import Synchronization

/// Makes a file of the app's own from a finished one in the staging area: a reflink, else a hard link, else a copy.
enum Handover {
  /// Why there is no file.
  enum Trouble: Error, Hashable {
    /// The staged file is gone, or has changed since the daemon reported it.
    case damaged
    /// A system call failed; the staged file itself may be intact.
    case system(FileTrouble)
  }

  /// Takes the file over without copying it. Returns its path, or nil if it has to be copied.
  ///
  /// The file that is compared with the stamp and the file that is taken are the same open file, even if it is renamed
  /// meanwhile.
  static func takeAtOnce(_ staged: AppInterface.StagedFile, to path: String) throws(Trouble) -> String? {
    let source = try open(staged)
    do throws(FileTrouble) {
      return try reflink(source, to: path) || link(source, to: path) ? path : nil
    } catch {
      unlink(path)
      throw .system(error)
    }
  }

  /// Takes the file over, by a copy if necessary, and returns its path.
  static func take(_ staged: AppInterface.StagedFile, to path: String) throws(Trouble) -> String {
    if let path = try takeAtOnce(staged, to: path) { return path }
    let source = try open(staged)
    do throws(FileTrouble) {
      try copy(source, to: path)
      return path
    } catch {
      unlink(path)
      throw .system(error)
    }
  }

  /// Opens the staged file, if it has not changed.
  static func open(_ staged: AppInterface.StagedFile) throws(Trouble) -> OwnedDescriptor {
    do throws(FileTrouble) {
      let source = try OwnedDescriptor(opening: staged.path, O_RDONLY | O_NOFOLLOW)
      if matches(try source.status(), staged) { return source }
    } catch {
      throw error.isAbsence ? Trouble.damaged : Trouble.system(error)
    }
    throw .damaged
  }

  private static func matches(_ status: stat, _ staged: AppInterface.StagedFile) -> Bool {
    let time = status.st_mtim
    let modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    return status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) == staged.size && modified == staged.modified
      && UInt64(status.st_ino) == UInt64(bitPattern: staged.inode)
  }

  /// Shares the blocks (ioctl_ficlone(2)); later changes to one file do not affect the other. Not tried again on a file
  /// system that has turned out not to support it.
  private static func reflink(_ source: OwnedDescriptor, to path: String) throws(FileTrouble) -> Bool {
    let system = try source.status().st_dev
    guard !withoutReflinks.withLock({ $0.contains(system) }) else { return false }
    let target = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
    if unlessInterrupted({ ioctl(target.raw, ficlone, source.raw) }) == 0 { return true }
    if errno == EOPNOTSUPP || errno == ENOTTY { withoutReflinks.withLock { _ = $0.insert(system) } }
    unlink(path)
    return false
  }

  /// The file systems that cannot share blocks.
  private static let withoutReflinks = Mutex<Set<dev_t>>([])

  /// FICLONE of linux/fs.h: _IOW(0x94, 9, int).
  private static let ficlone: UInt = 0x4004_9409

  /// Makes a hard link to the open file (open(2) on `AT_EMPTY_PATH`).
  private static func link(_ source: OwnedDescriptor, to path: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(source.raw)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  private static func copy(_ source: OwnedDescriptor, to path: String) throws(FileTrouble) {
    let target = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var done = 0
    while true {
      let count = try source.read(into: &chunk, at: done)
      guard count > 0 else { return }
      try target.write(chunk[..<count], at: done)
      done += count
    }
  }
}
