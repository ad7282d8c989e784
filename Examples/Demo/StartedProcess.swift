import Foundation

/// A process that the demo has started, and will end by its id.
final class StartedProcess {
  let name: String
  let id: pid_t
  /// As wait(2) gives it, once it has ended.
  private(set) var status: Int32?

  /// Starts a program in a process group of its own, so that the terminal's Ctrl-C reaches the demo alone.
  init(_ path: String, _ arguments: [String], environment: [String: String], output: String, errors: String) throws {
    name = URL(filePath: path).lastPathComponent
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.beginAfresh(&attributes)
    id = try Self.spawn(path, arguments, environment, &actions, &attributes)
  }

  deinit { end(within: .zero) }

  /// Whether it has ended; its status is taken then.
  var hasEnded: Bool {
    if status != nil { return true }
    var found: Int32 = 0
    if waitpid(id, &found, WNOHANG) == id { status = found }
    return status != nil
  }

  /// Whether it ended by a signal.
  func wasKilled(by signal: Int32) -> Bool { status.map { $0 & 0x7F == signal } ?? false }

  /// Sends a signal, unless it has been reaped: then its number may be another's.
  func send(_ signal: Int32) { if !hasEnded { kill(id, signal) } }

  /// Asks it to end, waits, and kills it if it does not.
  func end(within patience: Duration) {
    send(SIGTERM)
    let deadline = ContinuousClock.now + patience
    while !hasEnded, ContinuousClock.now < deadline { usleep(5_000) }
    guard !hasEnded else { return }
    send(SIGKILL)
    var found: Int32 = 0
    if waitpid(id, &found, 0) == id { status = found }
  }

  private static func beginAfresh(_ attributes: inout posix_spawnattr_t) {
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
  ) throws -> pid_t {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, path, &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw DemoError("cannot start \(path): \(String(cString: strerror(failure)))") }
    return id
  }
}
