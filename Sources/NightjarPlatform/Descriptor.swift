import Glibc

/// An open file descriptor that is closed when nobody holds it any more.
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
}
