import Foundation
import NightjarModel
import NightjarWire

/// The identity of this process for the daemon, and the paths of its files, read from the environment once.
///
/// A launched app has `NIGHTJAR_APP` and a container as its home (`CFFIXED_USER_HOME`). Any other process is a program:
/// it attaches under a name, and its files are in the state folder of the user, or of `NIGHTJAR_HOME`.
package struct Place: Hashable, Sendable {
  /// The daemon's socket.
  var socket: DaemonSocket
  /// The folder of the sessions' outboxes.
  var sessions: String
  /// The folder of delivered files while the delegate has them.
  var temporary: String
  /// The file of the key that resume data is sealed with.
  var resumeKey: String
  /// The name to attach under, and the command to start the program again; nil for a launched app.
  var program: AppInterface.Program?
}

extension Place {
  /// The place of an app without a daemon, with its files in one folder.
  package init(alone folder: String) {
    self.init(
      socket: DaemonSocket(own: ""), sessions: folder + "/sessions", temporary: folder + "/tmp",
      resumeKey: folder + "/sessions/resume-key")
  }
}

extension Place {
  /// Reads the place from the environment.
  ///
  /// - Parameter registered: What the program has registered, if it did.
  init(environment: [String: String], registered: AppInterface.Program?, executable: String) {
    socket = SocketRule.socket(environment: environment)
    resumeKey = Self.resumeKey(environment: environment)
    if registered == nil, let container = Self.container(environment) {
      (sessions, temporary) = (Self.sessions(in: container), container + "/tmp/nightjar")
      return
    }
    let program = registered ?? Self.program(environment: environment, executable: executable)
    let folder = Self.folder(program.name, environment)
    (sessions, temporary, self.program) = (folder + "/sessions", folder + "/tmp", program)
  }

  /// The file of the key that resume data is sealed with: a launched app's own, and one for all programs of a user. A
  /// program may use resume data before its name is known.
  static func resumeKey(environment: [String: String]) -> String {
    let folder = container(environment).map(sessions(in:)) ?? SocketRule.state(environment: environment)
    return folder + "/resume-key"
  }

  private static func container(_ environment: [String: String]) -> String? {
    environment["NIGHTJAR_APP"].flatMap { _ in environment["CFFIXED_USER_HOME"] }
  }

  private static func sessions(in container: String) -> String { container + "/Library/State/nightjar" }

  /// A program that has not registered: it has the name it was relaunched under, or else its executable's. A name of
  /// digits alone cannot be taken any more, but belongs to a program that has its things under it.
  private static func program(environment: [String: String], executable: String) -> AppInterface.Program {
    let name = environment["NIGHTJAR_APP"] ?? (executable as NSString).lastPathComponent
    let allowed = name.unicodeScalars.map { AppID.isValid("a\($0)") ? Character($0) : "-" }.prefix(120)
    let valid = String(allowed)
    let isTaken = environment["NIGHTJAR_APP"] == valid || hasFolder(valid, environment)
    let isUsable = AppID.mayBeTaken(valid) || AppID.isValid(valid) && isTaken
    return AppInterface.Program(name: isUsable ? valid : "program" + valid)
  }

  private static func hasFolder(_ name: String, _ environment: [String: String]) -> Bool {
    FileManager.default.fileExists(atPath: folder(name, environment))
  }

  /// The folder of a program's things.
  private static func folder(_ name: String, _ environment: [String: String]) -> String {
    SocketRule.state(environment: environment) + "/programs/" + name
  }
}

/// The rule for the path of the daemon's socket: `NIGHTJAR_SOCKET`; else `run/nightjar.sock` in `NIGHTJAR_HOME`; else
/// `nightjar/nightjar.sock` in a runtime folder (`XDG_RUNTIME_DIR`) that exists and is ours; else `run/nightjar.sock`
/// in the state folder.
///
/// The daemon binds it by the same rule, though perhaps in another environment: see `DaemonSocket`.
enum SocketRule {
  static func socket(environment: [String: String]) -> DaemonSocket {
    if let socket = environment["NIGHTJAR_SOCKET"], !socket.isEmpty { return DaemonSocket(own: socket) }
    if let home = home(environment) { return DaemonSocket(own: home + "/run/nightjar.sock") }
    let fallback = state(environment: environment) + "/run/nightjar.sock"
    guard let folder = environment["XDG_RUNTIME_DIR"], isUsable(folder) else { return DaemonSocket(own: fallback) }
    return DaemonSocket(own: trimmed(folder) + "/nightjar/nightjar.sock", other: fallback)
  }

  /// The state folder: `state` in `NIGHTJAR_HOME`, else `nightjar` in `XDG_STATE_HOME` or `~/.local/state`.
  static func state(environment: [String: String]) -> String {
    if let home = home(environment) { return home + "/state" }
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return trimmed(folder) + "/nightjar" }
    return trimmed(environment["HOME"] ?? "") + "/.local/state/nightjar"
  }

  private static func home(_ environment: [String: String]) -> String? {
    environment["NIGHTJAR_HOME"].flatMap { $0.isEmpty ? nil : trimmed($0) }
  }

  private static func trimmed(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func isUsable(_ folder: String) -> Bool {
    var status = stat()
    guard folder.hasPrefix("/"), lstat(folder, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }
}
