import CNightjarSpawn
import Glibc

/// The ways to rename a folder; each answers 0 or an `errno`. A test may take one away, as some file systems do.
///
/// NFS, 9p, sshfs, shared folders and ZFS before 2.2 know plain renames alone, CIFS, Ceph and exFAT no exchange
/// (EINVAL). overlayfs renames no folder of a lower layer (EXDEV), such as an app that came with a container's image.
struct Renaming: Sendable {
  /// Renames; what may be replaced by that is replaced.
  var move: @Sendable (_ from: String, _ to: String) -> Int32 = { rename($0, $1) == 0 ? 0 : errno }
  /// Renames to a name that is free (`EEXIST`).
  var moveExclusively: @Sendable (_ from: String, _ to: String) -> Int32 = { nightjar_rename_new($0, $1) }
  /// Gives each of two the other's name.
  var exchange: @Sendable (_ one: String, _ other: String) -> Int32 = { nightjar_exchange($0, $1) }

  /// Whether an answer says that it cannot be done here in one step, rather than that it went wrong.
  static func isLacking(_ number: Int32) -> Bool { [EINVAL, ENOSYS, EXDEV].contains(number) }

  /// Renames to a name that is free (`EEXIST`). Where the file system cannot look and rename at once, it is looked up
  /// first: nothing but the one caller puts anything there.
  func moveToFree(_ from: String, _ to: String) -> Int32 {
    let result = moveExclusively(from, to)
    guard result == EINVAL || result == ENOSYS else { return result }
    var status = stat()
    guard lstat(to, &status) != 0 else { return EEXIST }
    return errno == ENOENT ? move(from, to) : errno
  }

  /// Moves what stands at a place aside, unless no folder can be moved from there (EXDEV): then it still stands there,
  /// and can only be removed.
  func moveAside(_ place: String, to aside: String) throws(PlatformError) {
    let result = move(place, aside)
    guard result == 0 || result == EXDEV else { throw .system("cannot move \(place) aside", result) }
  }
}
