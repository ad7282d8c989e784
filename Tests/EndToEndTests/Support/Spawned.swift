import CTestSpawn
import Patience
import Foundation

/// A process that a test started. What it says is appended to a file; it ends with this object at the latest.
final class Spawned {
  let pid: pid_t
  private let said: String
  private let saidBefore: Int
  private var status: Int32?

  /// Starts a program with these variables and no others, a file as its standard input and, as descriptor 3, perhaps a
  /// socket.
  init(
    _ command: [String], environment: [String: String], input: String = "/dev/null", output: String,
    socket: Int32? = nil
  ) throws {
    said = output
    saidBefore = Files.bytes(output).count
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o666)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
    ctestspawn_close_from(&actions, socket == nil ? 3 : 4)
    pid = try Self.spawn(command, environment.map { "\($0.key)=\($0.value)" }, &actions)
  }

  deinit { crash() }

  /// Everything that it has said so far.
  var text: String { String(decoding: Files.bytes(said).dropFirst(saidBefore), as: UTF8.self) }

  /// How it ended: its status, or 128 and the number of the signal; nil while it runs.
  var end: Int32? {
    if status == nil {
      var raw: Int32 = 0
      if waitpid(pid, &raw, WNOHANG) == pid { status = Self.meaning(of: raw) }
    }
    return status
  }

  /// Waits for its end.
  func ended() async throws -> Int32 {
    do { return try await eventually("the end of process \(pid)") { end } } catch let error as NeverHappened {
      throw NeverHappened(description: "\(error); it said: \(text)")
    }
  }

  func send(_ signal: Int32) { if end == nil { kill(pid, signal) } }

  /// Kills it, and returns when it is gone.
  func crash() {
    guard end == nil else { return }
    kill(pid, SIGKILL)
    wait()
  }

  /// Holds the thread until it has ended, which must be soon.
  @discardableResult
  func wait() -> Int32 {
    if let end { return end }
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) == -1, errno == EINTR {}
    status = Self.meaning(of: raw)
    return Self.meaning(of: raw)
  }

  private static func meaning(of raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F }

  private static func spawn(
    _ command: [String], _ variables: [String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = command.map { strdup($0) } + [nil]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, environment)
    guard result == 0 else {
      throw NeverHappened(description: "\(command[0]) did not start: \(String(cString: strerror(result)))")
    }
    return pid
  }
}
