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

  /// Ends every app that runs, while there is a daemon that can, and waits until they have ended.
  ///
  /// - Returns: Those that have ended.
  func endApps() async throws -> [String] {
    guard let connection = try? context.connect() else { return [] }
    var asked: [String] = []
    for app in try await running(connection) {
      guard (try? await connection.call(ControlInterface.Terminate.self, .init(app: app))) != nil else { continue }
      asked.append(app)
    }
    let left = try await waitUntilEnded(asked, connection)
    return asked.filter { !left.contains($0) }
  }

  /// Waits for apps, though not for ever, and not without a daemon.
  ///
  /// - Returns: Those that run still.
  private func waitUntilEnded(_ apps: [String], _ connection: DaemonConnection) async throws -> [String] {
    let time = context.surroundings.time
    let deadline = time.now() + Self.patience
    var left = apps
    while true {
      do { left = try await running(connection).filter { apps.contains($0) } } catch is ClientError { return left }
      if left.isEmpty || time.now() >= deadline { return left }
      try await time.sleep(.milliseconds(50))
    }
  }

  private func running(_ connection: DaemonConnection) async throws -> [String] {
    try await connection.call(ControlInterface.ListApps.self).apps.filter { $0.path != nil && $0.pid != nil }.map(\.id)
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
