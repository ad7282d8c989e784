import Dispatch
import FoundationEssentials
import Glibc

/// A program of this machine that is run to its end, such as `swift`.
struct Tool: Sendable {
  /// Its absolute path.
  let path: String
  private let environment: [String: String]

  /// Looks for a program along `PATH`.
  ///
  /// - Throws: `CommandError` with the remedy if it is not there.
  init(_ name: String, environment: [String: String], remedy: String) throws(CommandError) {
    guard let path = Self.path(of: name, environment: environment) else {
      throw CommandError(.failed, "The program \(name) was not found along PATH; \(remedy).")
    }
    (self.path, self.environment) = (path, environment)
  }

  /// The path of a program along `PATH`; nil if there is none.
  static func path(of name: String, environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether a path is that of a file that may be run. Of a folder the same permission says that it may be entered.
  static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Runs it; its output goes to our standard error, so that results stay apart.
  ///
  /// - Returns: Its exit status; 128 and the number of the signal that ended it.
  func run(_ arguments: [String]) async throws(CommandError) -> Int32 {
    let id = try spawn(arguments, output: STDERR_FILENO)
    return await Self.offThread { Self.wait(for: id) }
  }

  /// Runs it and returns what it wrote to its standard output. `isQuiet` discards its standard error.
  func output(
    of arguments: [String], isQuiet: Bool = false
  ) async throws(CommandError) -> (status: Int32, bytes: Data) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CommandError(.failed, "There is no pipe to be had for \(path).") }
    let (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let id: pid_t
    do throws(CommandError) { id = try spawn(arguments, output: writing, isQuiet: isQuiet) } catch {
      for end in ends { close(end) }
      throw error
    }
    close(writing)
    return await Self.offThread {
      let bytes = Self.readAll(reading)
      close(reading)
      return (Self.wait(for: id), bytes)
    }
  }

  private static func offThread<Result: Sendable>(_ deed: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: deed()) }
    }
  }

  private static func wait(for id: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  private static func readAll(_ descriptor: Int32) -> Data {
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }

  private func spawn(_ arguments: [String], output: Int32, isQuiet: Bool = false) throws(CommandError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    let (id, failure) = Spawning.start([path] + arguments, environment, &actions)
    if let failure { throw CommandError(.failed, "\(path) could not be started: \(failure).") }
    return id
  }
}
