import Foundation

/// Tidies up after a demo that could not: a process that outlives it, and ends what it has started if it was killed.
///
/// It listens at a pipe whose other end only the demo holds. A demo that ends in order says so; one that just goes,
/// killed or crashed, leaves the daemon, the server, the app and the folder to its heir.
final class Heir {
  /// The argument that makes this program an heir.
  static let argument = "--heir-of"
  private static let farewell = UInt8(ascii: ".")
  private static let ours: Set = ["nightjard", "videofarm-server", "VideoFarm"]

  private let pipe: Int32

  /// Starts an heir for a folder.
  init(of folder: String) throws {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw DemoError("there is no pipe to be had") }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard Self.start([CommandLine.arguments[0], Self.argument, folder], input: reading) else {
      close(writing)
      throw DemoError("no second process of the demo could be started")
    }
    pipe = writing
  }

  /// Says that nothing is left to tidy up.
  func dismiss() {
    var byte = Self.farewell
    _ = write(pipe, &byte, 1)
    close(pipe)
  }

  /// What the second process does: waits for the demo's end, and tidies up if that was not in order.
  static func serve(_ folder: String) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
    _ = setsid()
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) < 0, errno == EINTR {}
    guard byte != farewell else { return }
    for _ in 0..<100 where endAll(in: folder) > 0 { usleep(20_000) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Kills the demo's programs that were started for this folder, and tells how many there were.
  private static func endAll(in folder: String) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    let found = numbers.compactMap { ForeignProcess($0) }.filter { process in
      let place = "/proc/\(process.id)"
      let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: place + "/exe")) ?? ""
      guard ours.contains(URL(filePath: program).lastPathComponent) else { return false }
      return ["/environ", "/cmdline"].contains { name in
        FileManager.default.contents(atPath: place + name)?.range(of: Data(folder.utf8)) != nil
      }
    }
    for process in found { process.send(SIGKILL) }
    return found.count
  }

  private static func start(_ command: [String], input: Int32) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let words = command.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var id: pid_t = 0
    return posix_spawn(&id, "/proc/self/exe", &actions, nil, words, environ) == 0
  }
}
