import FoundationEssentials
import Glibc

/// The systemd of this user, over its own tools.
struct Systemd: Sendable {
  private let systemctl: Tool
  private let loginctl: Tool?

  /// - Throws: `CommandError` with what to do instead, where no service manager of this user answers.
  init(environment: [String: String]) async throws(CommandError) {
    guard let systemctl = try? Tool("systemctl", environment: environment, remedy: ""),
      let answer = try? await systemctl.output(of: ["--user", "show", "--property=Version"], isQuiet: true),
      answer.status == 0
    else { throw CommandError(.refused, Self.instead) }
    self.systemctl = systemctl
    loginctl = try? Tool("loginctl", environment: environment, remedy: "")
  }

  private static let instead = """
    No systemd of yours answers on this machine, so there is no service to set up. Without one, `nightjar download`, \
    `upload` and `run` start the daemon when it is needed. For transfers to go on after a restart of the machine, have it \
    started with your session: put the line `nightjard &` into ~/.profile, or `@reboot nightjard` into your crontab.
    """

  /// Runs `systemctl --user`.
  ///
  /// - Throws: `CommandError` if it fails; it has said why by then.
  func order(_ words: String...) async throws(CommandError) {
    let status = try await systemctl.run(["--user", "--quiet"] + words)
    guard status == 0 else {
      throw CommandError(.failed, "`systemctl --user \(words.joined(separator: " "))` ended with \(status).")
    }
  }

  /// What a property of a unit is, such as `active`.
  func property(_ name: String, of unit: String) async throws(CommandError) -> String {
    let answer = try await systemctl.output(
      of: ["--user", "show", "--value", "--property=\(name)", unit], isQuiet: true)
    return String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Lets this user's services run without a session.
  ///
  /// - Returns: Whether that was allowed.
  func enableLingering() async throws(CommandError) -> Bool {
    guard let loginctl else { return false }
    return try await loginctl.run(["enable-linger"]) == 0
  }

  /// Whether this user's services run without a session; nil where nobody knows.
  func lingers() async throws(CommandError) -> Bool? {
    guard let loginctl else { return nil }
    let answer = try await loginctl.output(of: ["show-user", "--value", "--property=Linger", Self.user], isQuiet: true)
    guard answer.status == 0 else { return nil }
    return String(decoding: answer.bytes, as: UTF8.self).hasPrefix("yes")
  }

  private static var user: String { "\(getuid())" }
}
