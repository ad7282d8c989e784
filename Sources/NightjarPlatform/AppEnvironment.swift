import NightjarModel

/// What an app finds in its environment.
///
/// Only the variables named here are passed on from the daemon's own environment, so that nothing that is meant for the
/// daemon alone (a token, a password, a proxy with one) reaches every app.
struct AppEnvironment {
  private static let kept: Set<String> = [
    "PATH", "LANG", "LANGUAGE", "TZ", "TZDIR", "TERM", "USER", "LOGNAME", "SHELL", "LD_LIBRARY_PATH",
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "PULSE_SERVER", "PIPEWIRE_REMOTE", "SSL_CERT_FILE",
    "SSL_CERT_DIR",
  ]
  private static let ofTheUser: Set<String> = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "NIGHTJAR_HOME",
  ]

  /// For a bundle: every folder it may ask for lies in its container.
  static func ofBundle(in container: Container, daemon: [String: String]) -> [String: String] {
    let own = [
      "CFFIXED_USER_HOME": container.path, "HOME": container.path, "TMPDIR": container.temporary,
      "XDG_CONFIG_HOME": container.preferences, "XDG_DATA_HOME": container.support,
      "XDG_CACHE_HOME": container.caches, "XDG_STATE_HOME": container.state,
    ]
    return passedOn(daemon, Self.kept).merging(own) { $1 }
  }

  /// For a program that is no bundle: the user's own folders.
  static func ofProgram(daemon: [String: String]) -> [String: String] {
    passedOn(daemon, kept.union(ofTheUser))
  }

  /// What tells an app who it is and where the daemon is.
  static func identity(_ app: AppID, life: Int, home: Home) -> [String: String] {
    [
      "NIGHTJAR_SOCKET": home.socket, "NIGHTJAR_APP": app.rawValue, "NIGHTJAR_LIFE": "\(life)",
      "NIGHTJAR_GROUPS": home.groups,
    ]
  }

  private static func passedOn(_ daemon: [String: String], _ names: Set<String>) -> [String: String] {
    daemon.filter { names.contains($0.key) || $0.key.hasPrefix("LC_") }
  }
}
