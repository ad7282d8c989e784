import Glibc

/// What went wrong between Nightjar and the machine.
///
/// `detail` names the path, key or process in question and says what to do about it.
public struct PlatformError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: Hashable, Sendable {
    /// A folder of the home cannot be used: a symbolic link, another user's, read-only, no folder at all.
    case unusableFolder
    /// Another daemon holds this home; its process id, where it could be read.
    case locked(by: Int32?)
    /// A bundle is not valid; the key of its `Info.plist` that is at fault, if one is.
    case badBundle(key: String?)
    /// No such app is installed.
    case notInstalled
    /// The peer of a socket belongs to another user.
    case foreignPeer
    /// The peer of a socket has ended.
    case peerGone
    /// The system refused, with this `errno`.
    case system(Int32)
  }

  /// What a program can act on.
  public let code: Code
  /// What a person can read.
  public let detail: String

  /// An error in both forms.
  public init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  public var description: String { detail }

  /// An operation that the system refused; `number` is its `errno`.
  static func system(_ deed: String, _ number: Int32 = errno) -> PlatformError {
    PlatformError(.system(number), "\(deed): \(words(for: number))")
  }

  /// An operation of inotify(7) that the system refused: it has bounds of its own, which share their `errno` with
  /// others.
  static func inotify(_ deed: String, _ number: Int32 = errno) -> PlatformError {
    let reason =
      switch number {
      case EMFILE: "all your inotify instances are in use; raise fs.inotify.max_user_instances (sysctl)"
      case ENOSPC: "all your inotify watches are in use; raise fs.inotify.max_user_watches (sysctl)"
      default: words(for: number)
      }
    return PlatformError(.system(number), "\(deed): \(reason)")
  }

  /// The system's own words for an `errno`.
  static func words(for number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "permission denied; see who owns it and what its mode is"
    case ENOSPC, EDQUOT: "the disk is full; make room on it"
    case EROFS: "it lies on a read-only file system; mount that writable"
    case EMFILE, ENFILE: "too many open files; raise the limit (ulimit -n)"
    default: String(cString: strerror(number))
    }
  }
}
