import CTestSpawn
import Glibc
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
    pid = try Self.spawn([path] + arguments, output: ends[1])
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

  private static func spawn(_ command: [String], output: CInt) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    ctestspawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, environ)
    try #require(result == 0, "\(command[0]) did not start: error \(result)")
    return pid
  }
}
