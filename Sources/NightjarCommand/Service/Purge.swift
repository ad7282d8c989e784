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

  /// How long a daemon lets an app end by itself before it kills it, and a little.
  private static let patience = Duration.seconds(7)

  /// Ends the apps that run, while there is a daemon that can, and waits until they have ended, though not for ever.
  ///
  /// Nothing but that becomes of them: should the home stay after all, their transfers go on. What the daemon launches again
  /// meanwhile, such as an app that has yet to be told something, is left to who removes the home.
  ///
  /// - Returns: Those that have ended.
  /// - Throws: `CommandError` if one runs on.
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
        break  // A daemon that ends leaves its apps to who removes the home.
      }
    }
    return Self.names(asked, without: running)
  }

  private func runningApps(_ connection: DaemonConnection) async throws -> [ControlInterface.App] {
    try await connection.call(ControlInterface.ListApps.self).apps.filter { $0.path != nil && $0.isUp }
  }

  /// What is said of an app that has gone meanwhile is no news.
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

  /// Removes the home, once no daemon serves it.
  ///
  /// - Returns: The folders that are gone, and what of others stays.
  /// - Throws: `CommandError` while a daemon serves it; then nothing of it is gone.
  func remove() async throws -> Home.Removal {
    do throws(PlatformError) { return try home.remove() } catch { throw Self.refusal(error) }
  }

  /// Removes the home where no systemd ends its daemon: it is asked to end, and waited for, though not for ever.
  ///
  /// - Returns: The folders that are gone, and what of others stays.
  /// - Throws: `CommandError` while a daemon serves it still; then nothing of it is gone.
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

  /// Asks the daemon to end. The lock's file alone could name a process of somebody else's by now, so the daemon has to
  /// say itself that it is the one.
  ///
  /// - Returns: Its process id; nil if nobody was asked.
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
  /// Whether a process of it is there, or about to be.
  fileprivate var isUp: Bool { pid != nil || state != .notRunning }
  /// Whether this is the same app, and not launched anew. One that had no process at first may have one by now.
  fileprivate func isSameLife(as later: Self) -> Bool { id == later.id && (pid == nil || pid == later.pid) }
}
