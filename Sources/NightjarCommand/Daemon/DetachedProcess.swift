import Glibc

/// A process in a session of its own that outlives this one: no terminal, no inherited files, no blocked or ignored
/// signals.
struct DetachedProcess: Sendable {
  /// Its process id.
  let id: pid_t
  private let log: String
  /// The length of the log before this process wrote to it.
  private let logStart: Int

  /// Starts a program. Its output is appended to a log, which only its owner may read. A log that has grown too long is
  /// first renamed to `<log>.1`, replacing an older one.
  init(
    _ program: String, _ arguments: [String] = [], environment: [String: String], log: String
  ) throws(CommandError) {
    if Self.size(log) > Self.logMax { rename(log, log + ".1") }
    (self.log, logStart) = (log, Self.size(log))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    Self.redirect(&actions, to: log)
    Self.keepFilesToOurselves()
    let (id, failure) = Spawning.start([program] + arguments, environment, &actions, flags: Self.newSession)
    if let failure { throw CommandError(.noDaemon, "\(program) could not be started: \(failure).") }
    self.id = id
  }

  /// Whether it has not ended.
  var runs: Bool {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == 0
  }

  /// Reaps the process if it has ended. True, and only the first time, if it was ended by a signal that is no request
  /// to end.
  func reapsCrash() -> Bool {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return false }
    let signal = status & 0x7F
    return signal != 0 && ![SIGTERM, SIGINT, SIGHUP].contains(signal)
  }

  /// Whether it has added nothing to its log, as on a full disk.
  var isSilent: Bool { Self.size(log) <= logStart }

  /// The last error in its log that says why it ended; nil if there is none.
  var complaint: String? {
    let file = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var end = [UInt8](repeating: 0, count: Self.complaintRoom)
    let count = pread(file, &end, end.count, off_t(max(logStart, Self.size(log) - end.count)))
    let lines = String(decoding: end.prefix(max(0, count)), as: UTF8.self).split(whereSeparator: \.isNewline)
    let said = lines.last { $0.hasPrefix(Self.complaintMark) }?.dropFirst(Self.complaintMark.count)
    return said.map { String($0.prefix(Self.complaintMax)) }
  }

  private static let logMax = 8 << 20
  private static let complaintMark = "Error: "  // As ArgumentParser has it.
  private static let complaintRoom = 16_384
  private static let complaintMax = 1000  // Characters.

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_size : 0
  }

  private static func redirect(_ actions: inout posix_spawn_file_actions_t, to log: String) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, S_IRUSR | S_IWUSR)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
  }

  /// Marks every descriptor but the three standard ones close-on-exec, whoever opened it.
  private static func keepFilesToOurselves() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let descriptor = Int32(name), descriptor > STDERR_FILENO { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  private static let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which glibc shows only to GNU sources.
}
