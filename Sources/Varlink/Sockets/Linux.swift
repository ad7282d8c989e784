import CVarlinkLinux
import Glibc

/// The Linux calls that Swift's Glibc module does not import.
enum Linux {
  static let socketNonBlocking = CInt(SOCK_NONBLOCK.rawValue)
  static let socketCloseOnExec = CInt(SOCK_CLOEXEC.rawValue)

  static let noSignal = CInt(MSG_NOSIGNAL)

  /// accept4(2): the new descriptor does not block and is closed on exec.
  static func accept(_ listener: CInt) -> CInt { uninterrupted { varlink_accept(listener) } }

  /// open(2) of a folder with `O_PATH`, which needs no permission to read it; closed on exec.
  static func openFolder(_ path: String) -> CInt { uninterrupted { varlink_open_folder(path) } }

  /// eventfd(2), which does not block and is closed on exec.
  static func makeEvent() -> CInt { varlink_eventfd() }

  /// Names the calling thread for ps and debuggers; 15 bytes.
  static func nameThread(_ name: String) { _ = varlink_name_thread(name) }
}
