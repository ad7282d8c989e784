import Glibc
import NightjarClient
import NightjarPlatform
import NightjarWire

/// Everything that a home has, and its removal.
struct Purge: Sendable {
  private let context: Context
  private let home: Home

  init(_ context: Context) throws(CommandError) {
    self.context = context
    home = try DaemonHome.home(context.home.environment ?? [:])
  }

  /// The folders of the home.
  var folders: [String] { home.folders }

  /// A little more than the time after which the daemon kills an app that does not end.
  private static let patience = Duration.seconds(7)

  /// Ends the apps that run, while there is a daemon that can, and waits until they have ended, though not for ever.
  ///
  /// Apps are only ended: if the home stays after all, their transfers go on. Apps that the daemon launches again
  /// meanwhile, as for a waiting wake, are left to the removal of the home.
  ///
  /// - Returns: The apps that have ended.
  /// - Throws: `CommandError` if an app does not end.
  func endApps() async throws -> [String] {
    guard let connection = try? context.connect() else { return [] }
    let time = context.surroundings.time
    let deadline = time.now() + Self.patience
    let asked = try await runningApps(connection)
    for app in asked { await end(app, connection) }
    var running = asked
    while !running.isEmpty {
      if time.now() >= deadline { throw Self.refusal(running, of: asked) }
      try await time.sleep(.milliseconds(50))
      do {
        let last = running
        running = try await runningApps(connection).filter { app in last.contains { $0.isSameLife(as: app) } }
      } catch is ClientError {
        break  // The daemon has ended: its apps are left to the removal of the home.
      }
    }
    return Self.names(asked, without: running)
  }

  private func runningApps(_ connection: DaemonConnection) async throws -> [ControlInterface.App] {
    try await connection.call(ControlInterface.ListApps.self).apps.filter { $0.path != nil && $0.isUp }
  }

  /// Ends an app. An error is ignored: the app may have gone meanwhile.
  private func end(_ app: ControlInterface.App, _ connection: DaemonConnection) async {
    _ = try? await connection.call(ControlInterface.Terminate.self, .init(app: app.id))
  }

  private static func refusal(_ running: [ControlInterface.App], of asked: [ControlInterface.App]) -> CommandError {
    let stuck = running.map { app in app.pid.map { "\(app.id) (process \($0))" } ?? app.id }
    let ended = names(asked, without: running)
    return CommandError(
      .refused,
      "These apps do not end, so nothing was removed: \(stuck.joined(separator: ", ")). End them, and purge again."
        + (ended.isEmpty ? "" : " These have ended: \(ended.joined(separator: ", "))."))
  }

  private static func names(_ apps: [ControlInterface.App], without others: [ControlInterface.App]) -> [String] {
    apps.map(\.id).filter { id in !others.contains { $0.id == id } }.sorted()
  }

  /// Asks the daemon to end, unless systemd has ended it, waits for that for a limited time, and removes the home.
  ///
  /// - Returns: The folders that were removed, and the foreign files that stay.
  /// - Throws: `CommandError` if a daemon still serves it; then nothing is removed.
  func endDaemonAndRemove() async throws -> Home.Removal {
    let time = context.surroundings.time
    let daemon = await endDaemon()
    let deadline = time.now() + Self.daemonPatience
    while true {
      do throws(PlatformError) { return try home.remove() } catch {
        guard let daemon, error.code == .locked(by: daemon), time.now() < deadline else { throw Self.refusal(error) }
      }
      try await time.sleep(.milliseconds(50))
    }
  }

  /// Asks the daemon to end. The process id in the lock file could be reused by now, so the daemon itself is asked for
  /// it.
  ///
  /// - Returns: Its process id; nil if no daemon was asked.
  private func endDaemon() async -> Int32? {
    guard let holder = HomeLock.holder(of: home),
      let status = try? await context.connect().call(ControlInterface.Status.self),
      status.pid == Int64(holder), kill(holder, SIGTERM) == 0
    else { return nil }
    return holder
  }

  /// How long a daemon may take to end.
  private static let daemonPatience = Duration.seconds(10)

  private static func refusal(_ error: PlatformError) -> CommandError {
    guard case .locked(by: let holder?) = error.code else { return CommandError(.refused, "\(error.detail).") }
    return CommandError(
      .refused,
      "A daemon still serves this home, as process \(holder), so nothing of it was removed. End it (kill \(holder)), "
        + "and purge again.")
  }
}

extension ControlInterface.App {
  /// Whether it has a process, or is about to.
  fileprivate var isUp: Bool { pid != nil || state != .notRunning }
  /// Whether this is the same app, and not relaunched. One that had no process at first may have one by now.
  fileprivate func isSameLife(as later: Self) -> Bool { id == later.id && (first == nil || first == later.first) }
}
