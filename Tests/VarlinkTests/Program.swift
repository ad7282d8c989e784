import Foundation
import TestSpawn
import Testing

/// Another program, run for a test: its output and errors come through one pipe, and it ends with the test.
final class Program {
  private let pid: pid_t
  private let output: CInt
  private var isReaped = false
  private(set) var text = ""

  init(_ path: String, _ arguments: [String]) throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    defer { close(ends[1]) }
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    pid = try spawn([path] + arguments, environment: environment, output: .descriptor(ends[1]))
  }

  deinit {
    if !isReaped {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    close(output)
  }

  /// Reads until the text shows up; false when the program ended without it.
  func waits(for wanted: String) throws -> Bool {
    while !text.contains(wanted) {
      guard try readMore() else { return false }
    }
    return true
  }

  /// Reads to the end and returns the exit status, or 128 and the number of the signal.
  func status() throws -> CInt {
    while try readMore() {}
    var status: CInt = 0
    try #require(waitpid(pid, &status, 0) == pid)
    isReaped = true
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  private func readMore() throws -> Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    try #require(poll(&descriptor, 1, 60_000) == 1, "the program was silent for a minute; so far: \(text)")
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &chunk, chunk.count)
    if count > 0 { text += String(decoding: chunk[..<count], as: UTF8.self) }
    return count > 0
  }
}
