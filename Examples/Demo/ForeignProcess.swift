import CNightjarSpawn
import Foundation

/// A process that another one has started, held by a pidfd: whatever is sent reaches it or nobody.
final class ForeignProcess {
  let id: pid_t
  private let pidfd: Int32

  /// Nil when no process of this number is there.
  init?(_ id: pid_t) {
    let pidfd = nightjar_pidfd_open(id)
    guard pidfd >= 0 else { return nil }
    (self.id, self.pidfd) = (id, pidfd)
  }

  deinit { close(pidfd) }

  /// Whether it has ended.
  var hasEnded: Bool {
    var watched = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) == 1
  }

  func send(_ signal: Int32) { _ = nightjar_pidfd_signal(pidfd, signal, false) }

  /// The processes whose programs lie below a folder: in a folder of our own making they are all ours.
  static func running(below folder: String) -> [ForeignProcess] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return numbers.compactMap { number in
      guard let process = ForeignProcess(number),
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"),
        program.hasPrefix(folder + "/")
      else { return nil }
      return process
    }
  }
}
