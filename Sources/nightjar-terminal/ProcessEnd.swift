import Foundation

/// The end of a child process, as a descriptor that can be waited for along with others (poll(2)).
final class ProcessEnd: Sendable {
  /// Has something to read once the process has ended.
  let signal: FileHandle
  private let report: FileHandle

  /// Begins to wait for it.
  init(of pid: pid_t) throws {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TerminalError.system("wait for process \(pid)")
    }
    signal = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    report = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    Thread.detachNewThread { [self] in
      var status = Self.wait(for: pid)
      write(report.fileDescriptor, &status, MemoryLayout<CInt>.size)
    }
  }

  /// Waits for the process's end; its status, as shells give it. To be asked for once.
  func status() -> CInt {
    var status: CInt = 0
    while read(signal.fileDescriptor, &status, MemoryLayout<CInt>.size) < 0, errno == EINTR {}
    return status
  }

  private static func wait(for pid: pid_t) -> CInt {
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }
}
