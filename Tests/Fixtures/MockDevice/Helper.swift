import CTestSpawn
import Glibc

/// What a test needs of the machine and does not find there.
public struct Missing: Error, CustomStringConvertible {
  /// What is missing, and what installs it.
  public let description: String

  init(_ what: String) { description = "\(what)\nThe tests need it: scripts/prepare test installs it." }
}

/// A program that pretends something, started by a test and ended by it, by its process id.
final class Helper: Sendable {
  let pid: pid_t

  /// Starts a program, found by `PATH`; what it says goes to a file.
  init(_ command: [String], environment: [String: String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    ctestspawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
    guard result == 0 else { throw Missing("\(command[0]) does not start: \(String(cString: strerror(result)))") }
    self.pid = pid
  }

  /// Waits for its end; its status, or 128 and more for a signal.
  func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  func kill() {
    _ = Glibc.kill(pid, SIGKILL)
    _ = end()
  }

  /// A folder of one's own.
  static func folder() -> String {
    var template = Array("/tmp/nightjar-mock-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return "/nowhere" }
    return String(cString: made)
  }

  static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    return String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
  }
}
