import NightjarClient
import NightjarWire

/// The daemon as a service of this user: its units on the disk, and their state in systemd. There is only one service,
/// for one home.
struct Service: Sendable {
  let context: Context
  let systemd: Systemd
  /// The requested home.
  let home: ServiceHome
  private let folder: UnitFolder
  private let environment: [String: String]

  /// - Throws: `CommandError` with what to do instead if no systemd answers; otherwise as ``find(_:)``.
  init(_ context: Context) async throws(CommandError) {
    guard let service = try await Self.find(context) else { throw CommandError(.refused, Systemd.instead) }
    self = service
  }

  /// The service; nil if no systemd of this user answers.
  ///
  /// - Throws: `CommandError` if only a socket is known.
  static func find(_ context: Context) async throws(CommandError) -> Service? {
    guard let environment = try context.home.environment else {
      throw CommandError(.usage, "NIGHTJAR_SOCKET names a socket only; unset it, or name a home with --home.")
    }
    let home = try ServiceHome(environment: environment)
    guard let systemd = await Systemd(environment: context.surroundings.environment) else { return nil }
    return Service(context, systemd, home, environment)
  }

  private init(_ context: Context, _ systemd: Systemd, _ home: ServiceHome, _ environment: [String: String]) {
    (self.context, self.systemd, self.home, self.environment) = (context, systemd, home, environment)
    folder = UnitFolder(environment: environment)
  }

  /// The home of the installed service; nil if no service is installed or its home is unknown.
  ///
  /// The package's units exist for all users, and count once they are enabled or run.
  func installedHome() async throws(CommandError) -> ServiceHome? {
    var text = folder.text(of: ServiceUnits.daemonName)
    if text == nil, try await systemd.isInUse(ServiceUnits.daemonName) {
      text = folder.packagedText(of: ServiceUnits.daemonName)
    }
    return text.flatMap { try? ServiceHome(unit: $0, environment: environment) }
  }

  /// The installed service's home, if it is not the requested one.
  func otherHome() async throws(CommandError) -> ServiceHome? {
    guard let installed = try await installedHome(), !installed.isSame(as: home) else { return nil }
    return installed
  }

  /// The process id of a daemon that serves this home and is not the service's own; nil if there is none.
  ///
  /// - Parameter other: The installed service's home, if it is not this one.
  func stranger(besides other: ServiceHome?) async throws -> Int64? {
    if other == nil {
      guard try await systemd.property("ActiveState", of: ServiceUnits.daemonName) != "active" else { return nil }
      // A socket that systemd holds would start the daemon only to answer.
      guard try await systemd.property("ActiveState", of: ServiceUnits.socketName) != "active" else { return nil }
    }
    guard let connection = try? context.connect() else { return nil }
    return try await connection.call(ControlInterface.Status.self).pid
  }

  // MARK: Installing

  /// Writes the units for this home and the daemon beside this program, enables them, and starts or restarts them.
  ///
  /// - Returns: The files that were written; none if the package's units are identical.
  /// - Throws: `CommandError`. If the units could not serve this home, nothing was changed.
  func install() async throws(CommandError) -> [String] {
    let units = try units()
    let before = folder.texts
    let written = try folder.write(units)
    try await systemd.order("daemon-reload")
    try await makeWay(insteadOf: before)
    for name in ServiceUnits.names { try await systemd.order("enable", "--now", name) }
    return written
  }

  private func units() throws(CommandError) -> ServiceUnits {
    guard let daemon = context.surroundings.daemonProgram else {
      throw CommandError(.failed, "There is no nightjard beside this program; a service needs one.")
    }
    let isApart = home.variables["NIGHTJAR_HOME"] != nil
    let socket = try isApart ? context.home.socket : nil
    let units = ServiceUnits(daemon: daemon, socket: socket, variables: home.variables)
    if let obstacle = units.obstacle { throw CommandError(.refused, obstacle) }
    return units
  }

  /// Stops or restarts units whose text has changed: systemd would leave the old ones running, and count that as
  /// started.
  private func makeWay(insteadOf before: [String: String]) async throws(CommandError) {
    let after = folder.texts
    let changed = ServiceUnits.names.filter { after[$0] != before[$0] }
    let runs = try await systemd.isUp(ServiceUnits.daemonName)
    let listens = try await systemd.isUp(ServiceUnits.socketName)
    if changed.contains(ServiceUnits.socketName), runs || listens {
      // Both: a socket is not started while its daemon runs.
      try await systemd.order("stop", ServiceUnits.daemonName, ServiceUnits.socketName)
    } else if changed.contains(ServiceUnits.daemonName), runs {
      try await systemd.order("restart", ServiceUnits.daemonName)  // The socket stays, so callers wait.
    }
  }

  // MARK: Uninstalling

  /// - Throws: `CommandError` if the installed service is somebody else's, or belongs to another home: neither must be
  ///   affected.
  func checkOwn(purges: Bool) async throws(CommandError) {
    try folder.checkOwn()
    guard let other = try await otherHome() else { return }
    let words =
      "The service is of the home \(other.name), and not of \(home.name), which you asked for; nothing was done. "
      + "To uninstall it: \(other.uninstalling)."
    let folders = home.folders.joined(separator: ", ")
    let rest = " What \(home.name) keeps lies in \(folders); end its daemon and remove them."
    throw CommandError(.refused, purges ? words + rest : words)
  }

  /// Stops and disables what is installed, and removes the units that were written here.
  ///
  /// - Returns: The files that were removed.
  /// - Throws: `CommandError` if a unit could not be stopped; then the files stay.
  func uninstall() async throws(CommandError) -> [String] {
    let installed = folder.texts
    for name in ServiceUnits.names.reversed() {
      if installed[name] != nil {
        try await systemd.order("disable", "--now", name)
      } else if try await systemd.isUp(name) {
        try await systemd.order("stop", name)  // Its file was deleted by hand.
      }
    }
    let removed = folder.remove()
    try await systemd.order("daemon-reload")
    return removed
  }
}
