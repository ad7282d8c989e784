import Glibc

/// An open file descriptor that is closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  /// Takes over a descriptor that is open.
  init(owning number: Int32) {
    precondition(number >= 0, "not a descriptor: \(number)")
    self.number = number
  }

  deinit { close(number) }

  /// Opens a file, close-on-exec and without ending up at a terminal; nil with `errno` set.
  static func opened(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> Descriptor? {
    let number = open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
    return number < 0 ? nil : Descriptor(owning: number)
  }

  /// Opens a regular file, and nothing else, by flags that let it be written; nil with `errno` set.
  ///
  /// An app can put a named pipe wherever it may write, and opening that for writing waits for a reader.
  static func ofFile(_ path: String, _ flags: Int32) -> Descriptor? {
    guard let file = opened(path, flags | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return nil }
    guard Disk.isFile(status) else {
      errno = EINVAL
      return nil
    }
    return file
  }

  /// Makes a file for writing, 0600, in place of whatever stands there; nil with `errno` set.
  static func ofNewFile(_ path: String) -> Descriptor? {
    unlink(path)
    return opened(path, O_WRONLY | O_CREAT | O_EXCL)
  }
}
