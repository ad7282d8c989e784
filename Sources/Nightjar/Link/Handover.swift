import Glibc
import NightjarModel
import NightjarWire
import Synchronization

/// Makes a file of the app's own from a finished one in the staging area: a reflink, else a hard link, else a copy.
enum Handover {
  /// Why there is no file.
  enum Trouble: Error, Hashable {
    /// The staged file is gone, or not what it was when it was told.
    case damaged
    /// The system did not let us have it or keep it; it may be as good as ever.
    case system(FileTrouble)
  }

  /// Takes the file over without copying any of it; hands back its path, or nil where it has to be copied.
  ///
  /// What is compared with the stamp and what is taken is the same open file, whatever happens to its name meanwhile.
  static func takeAtOnce(_ staged: AppInterface.StagedFile, to path: String) throws(Trouble) -> String? {
    let source = try open(staged)
    do throws(FileTrouble) {
      return try reflink(source, to: path) || link(source, to: path) ? path : nil
    } catch {
      unlink(path)
      throw .system(error)
    }
  }

  /// Takes the file over, and copies it if it must; hands back its path.
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

  /// The staged file, if it is still what it was.
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

  /// Shares the blocks (ioctl_ficlone(2)): the two files change independently. Where the file system was found not to
  /// know that, it is not tried again.
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

  /// A second name for the same file, by way of the open descriptor (open(2) on `AT_EMPTY_PATH`).
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
