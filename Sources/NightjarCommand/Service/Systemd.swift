import FoundationEssentials
import Glibc

/// The systemd of this user, over its own tools.
struct Systemd: Sendable {
  private let systemctl: Tool
  private let loginctl: Tool?

  /// Nil if no service manager of this user answers; ``instead`` says what to do then.
  init?(environment: [String: String]) async {
    guard let systemctl = try? Tool("systemctl", environment: environment, remedy: ""),
      let answer = try? await systemctl.output(of: ["--user", "show", "--property=Version"], isQuiet: true),
      answer.status == 0
    else { return nil }
    self.systemctl = systemctl
    loginctl = try? Tool("loginctl", environment: environment, remedy: "")
  }

  /// What to do without a service manager.
  static let instead = """
    No systemd of yours answers on this machine, so there is no service to set up. Without one, `nightjar download`, \
    `upload`, `run` and `home` start the daemon when it is needed. For transfers to go on after a restart of the \
    machine, have it started with your session: put the line `nightjard &` into ~/.profile, or `@reboot nightjard` \
    into your crontab, with its full path unless a package has installed it.
    """

  /// Runs `systemctl --user`.
  ///
  /// - Throws: `CommandError` if it fails; it has printed the reason itself.
  func order(_ words: String...) async throws(CommandError) {
    let status = try await systemctl.run(["--user", "--quiet"] + words)
    guard status == 0 else {
      throw CommandError(.failed, "`systemctl --user \(words.joined(separator: " "))` ended with \(status).")
    }
  }

  /// The value of a unit's property, such as `active`.
  func property(_ name: String, of unit: String) async throws(CommandError) -> String {
    let answer = try await systemctl.output(
      of: ["--user", "show", "--value", "--property=\(name)", unit], isQuiet: true)
    return String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Whether a unit runs, or is about to.
  func isUp(_ unit: String) async throws(CommandError) -> Bool {
    let state = try await property("ActiveState", of: unit)
    return ["active", "activating", "reloading"].contains(state)
  }

  /// Whether a unit runs, or is enabled to.
  func isInUse(_ unit: String) async throws(CommandError) -> Bool {
    if try await isUp(unit) { return true }
    return Self.isEnabled(try await property("UnitFileState", of: unit))
  }

  /// Whether the state of a unit's file means that it starts automatically.
  static func isEnabled(_ state: String) -> Bool { state.hasPrefix("enabled") }

  /// Lets this user's services run without a session.
  ///
  /// - Returns: Whether that was allowed.
  func enableLingering() async throws(CommandError) -> Bool {
    guard let loginctl else { return false }
    return try await loginctl.run(["enable-linger"]) == 0
  }

  /// Whether this user's services run without a session; nil if unknown.
  func lingers() async throws(CommandError) -> Bool? {
    guard let loginctl else { return nil }
    let answer = try await loginctl.output(of: ["show-user", "--value", "--property=Linger", Self.user], isQuiet: true)
    guard answer.status == 0 else { return nil }
    return String(decoding: answer.bytes, as: UTF8.self).hasPrefix("yes")
  }

  private static var user: String { "\(getuid())" }
}
