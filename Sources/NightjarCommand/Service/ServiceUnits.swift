/// The two systemd units of a user's daemon: the socket, which is there first and starts the daemon, and the daemon.
///
/// The daemon stays in the service's own cgroup and keeps every app in a leaf below it, which `Delegate=yes` allows;
/// with `KillMode=process` systemd ends the daemon alone, and the next one adopts the apps (systemd.kill(5),
/// systemd.resource-control(5)). Clients that call while no daemon runs wait in the socket's queue. A daemon that
/// cannot start, as while its disk is not mounted, is retried without limit. One that is slow to start is waited for,
/// however long it takes (`TimeoutStartSec=infinity`): to check a large database, or to sweep after a crash, may take
/// more than systemd's minute and a half, and the next daemon would begin the same again.
struct ServiceUnits: Hashable, Sendable {
  static let socketName = "nightjar.socket"
  static let daemonName = "nightjar.service"
  static let names = [socketName, daemonName]

  /// The absolute path of `nightjard`.
  let daemon: String
  /// The path of the socket; nil for the default in the runtime folder.
  let socket: String?
  /// Variables that the daemon needs to find its home.
  let variables: [String: String]

  /// Each unit's text, by its name.
  var texts: [String: String] { [Self.socketName: socketText, Self.daemonName: serviceText] }

  /// The longest path of a socket that systemd binds, in bytes: the kernel's address holds no more.
  private static let socketBytesMax = 107

  /// Why systemd could not serve this home by these units, and what to do, in words; nil if it can.
  var obstacle: String? {
    if let path = ([daemon] + variables.values).first(where: Self.hasControl) {
      return "The path \(path) has a control character in it, such as a tab or a line feed, which no unit of "
        + "systemd can hold; nothing was done. Choose a path without any, for a home with --home."
    }
    if let socket, socket.utf8.count > Self.socketBytesMax {
      return "The socket's path may have \(Self.socketBytesMax) bytes under systemd, and \(socket) has "
        + "\(socket.utf8.count); nothing was done. Name a home with a shorter path with --home."
    }
    return nil
  }

  private static let header =
    "# Nightjar's, as `nightjar service install` writes it and `nightjar service uninstall` removes it.\n"

  /// Whether a unit's text was written by this program.
  static func wrote(_ text: String) -> Bool { text.hasPrefix(header) }

  /// The variables that a unit's text passes to its daemon.
  static func variables(in text: String) -> [String: String] {
    var variables: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix(environmentKey) {
      let word = unquoted(line.dropFirst(environmentKey.count))
      guard let sign = word.firstIndex(of: "=") else { continue }
      variables[String(word[..<sign])] = String(word[word.index(after: sign)...])
    }
    return variables
  }

  private var socketText: String {
    """
    \(Self.header)[Unit]
    Description=Nightjar's socket, which starts the daemon
    Documentation=man:nightjard(8)

    [Socket]
    ListenStream=\(socket.map(Self.escaped) ?? "%t/nightjar/nightjar.sock")
    SocketMode=0600
    DirectoryMode=0700

    [Install]
    WantedBy=sockets.target

    """
  }

  private var serviceText: String {
    """
    \(Self.header)[Unit]
    Description=Nightjar, which moves files for apps and wakes them
    Documentation=man:nightjard(8)
    Requires=nightjar.socket
    After=nightjar.socket
    StartLimitIntervalSec=0

    [Service]
    Type=notify
    ExecStart=\(Self.quoted(daemon))
    \(environment)KillMode=process
    Delegate=yes
    Restart=on-failure
    RestartSec=5
    TimeoutStartSec=infinity

    [Install]
    WantedBy=default.target
    Also=nightjar.socket

    """
  }

  private var environment: String {
    variables.sorted { $0.key < $1.key }
      .map { Self.environmentKey + Self.quoted("\($0.key)=\($0.value)") + "\n" }.joined()
  }

  /// A word quoted for systemd: specifiers begin with a percent sign, escapes with a backslash, and in a command
  /// variables with a dollar sign, which no path of ours contains.
  private static func quoted(_ text: String) -> String {
    let word = escaped(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
    return word.contains { $0 == " " || $0 == "\\" || $0 == "'" } ? "\"\(word)\"" : word
  }

  /// Whether a character in it would end a word or a line of a unit, or is one that systemd refuses.
  private static func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }

  /// The word without its quoting.
  private static func unquoted(_ text: Substring) -> String {
    var (word, isEscaped) = ("", false)
    for character in text {
      if isEscaped || !"\\\"".contains(character) { word.append(character) }
      isEscaped = !isEscaped && character == "\\"
    }
    return word.replacing("%%", with: "%")
  }

  private static let environmentKey = "Environment="
}
