import FoundationEssentials
import Glibc

extension Invitation {
  /// Removes the files of home screens that were killed: those whose port is not served.
  static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let match = name.wholeMatch(of: /home-([0-9]{1,5})\.html(\.new)?/), let port = UInt16(match.1), isFree(port)
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  /// Whether no process listens at a port of 127.0.0.1. False if that cannot be found out.
  private static func isFree(_ port: UInt16) -> Bool {
    let trial = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard trial >= 0 else { return false }
    defer { close(trial) }
    var yes: Int32 = 1  // A connection that has just ended does not count as a listener.
    setsockopt(trial, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(trial, $0, size) == 0 }
    }
  }
}
