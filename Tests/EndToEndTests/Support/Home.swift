import Patience
import Foundation
import NightjarClient
import NightjarWire
import Varlink

/// A home with a daemon that may be killed and started again. Everything that runs in it ends with the test.
final class Home {
  let folder: String
  /// Variables for the daemon's settings, such as `NIGHTJAR_RETRY_DELAY_MIN`.
  var settings: [String: String]
  /// What the command line of every program of ours begins with.
  var prefix: [String] = []
  /// A socket that the daemon is handed; it must be told of it by variables.
  var listener: Int32?
  /// A folder whose programs come before those of the machine.
  var tools: String?
  private(set) var daemon: Spawned?
  private var line: DaemonConnection?
  private var commands = 0

  fileprivate init(_ settings: [String: String]) throws {
    folder = try Files.temporary()
    self.settings = settings
  }

  var path: String { folder + "/home" }
  var socket: String { path + "/run/nightjar.sock" }
  var database: String { path + "/state/nightjar.sqlite" }
  var staging: String { path + "/data/staging" }
  /// What all lives of the daemon have logged.
  var log: String { Files.text(folder + "/daemon.log") }

  /// The programs, beside the one that runs the tests. Absolute, since some are started in other folders.
  static let programs =
    (URL(filePath: CommandLine.arguments[0]).absoluteURL.path(percentEncoded: false) as NSString)
    .deletingLastPathComponent

  var environment: [String: String] {
    let inherited = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    // What this machine's own device is like is nobody's business here.
    let device = [
      "NIGHTJAR_SENSORS_BUS": "never", "NIGHTJAR_SENSORS_SYSFS": folder + "/sys", "NIGHTJAR_DESKTOP_BUS": "never",
    ]
    var environment = ["HOME": folder, "NIGHTJAR_HOME": path].merging(device) { $1 }.merging(inherited) { $1 }
    if let tools { environment["PATH"] = "\(tools):\(environment["PATH"] ?? "/usr/bin:/bin")" }
    return environment
  }

  /// Begins to listen where the daemon will, before there is one that is handed the socket; the caller closes it.
  func listen() throws -> Int32 {
    try Files.folder(path + "/run")
    let opened = try UnixSocket.listen(at: socket)
    listener = opened
    return opened
  }

  /// Starts a daemon, under a command that stands before its own if need be; does not wait for it.
  func spawnDaemon(under before: [String] = []) throws -> Spawned {
    try Spawned(
      before + prefix + [Self.programs + "/nightjard"], environment: environment.merging(settings) { $1 },
      output: folder + "/daemon.log", socket: listener)
  }

  /// Starts the daemon and waits until it serves.
  func start(under before: [String] = []) async throws {
    let daemon = try spawnDaemon(under: before)
    self.daemon = daemon
    try await eventually("the daemon serves") {
      if let end = daemon.end {
        throw NeverHappened(description: "the daemon ended with \(end):\n\(daemon.text)")
      }
      return daemon.text.contains("serves \(socket)")
    }
  }

  /// Kills the daemon as a crash would.
  func crash() {
    line = nil
    daemon?.crash()
  }

  /// Asks the daemon to stop.
  func stop() async throws -> Int32? {
    line = nil
    daemon?.send(SIGTERM)
    return try await daemon?.ended()
  }

  /// Calls the daemon.
  func call<Method: WireMethod>(_ method: Method.Type, _ parameters: Method.Parameters) async throws -> Method.Reply {
    do {
      let open = try line ?? DaemonConnection(to: socket)
      line = open
      return try await open.call(method, parameters)
    } catch let error as ClientError {
      if error.code == .lost { line = nil }
      throw error
    }
  }

  func call<Method: WireMethod>(_ method: Method.Type) async throws -> Method.Reply
  where Method.Parameters == Nothing { try await call(method, Nothing()) }

  /// Starts the command line.
  func command(_ arguments: [String], input: String = "/dev/null") throws -> Spawned {
    commands += 1
    return try Spawned(
      prefix + [Self.programs + "/nightjar"] + arguments, environment: environment, input: input,
      output: folder + "/command-\(commands).log")
  }

  /// Runs the command line to its end, and hands back what it said.
  @discardableResult
  func run(_ arguments: [String], input: String = "/dev/null") async throws -> String {
    let command = try command(arguments, input: input)
    let status = try await command.ended()
    guard status == 0 else {
      throw NeverHappened(description: "nightjar \(arguments) ended with \(status):\n\(command.text)")
    }
    return command.text
  }
}

/// Runs `body` in a home of its own, and leaves nothing behind.
func withHome(_ settings: [String: String] = [:], _ body: (Home) async throws -> Void) async throws {
  let home = try Home(settings)
  do {
    try await body(home)
  } catch {
    print("The daemon's last words:\n\(home.log.suffix(4000))")
    home.clear()
    throw error
  }
  home.clear()
}
