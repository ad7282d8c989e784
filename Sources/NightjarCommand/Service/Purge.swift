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
  /// - Returns: The folders that are gone.
  /// - Throws: `CommandError` while a daemon serves it; then nothing of it is gone.
  func remove() async throws -> [String] {
    do throws(PlatformError) { return try home.remove() } catch { throw Self.refusal(error) }
  }

  private static func refusal(_ error: PlatformError) -> CommandError {
    guard case .locked(by: let holder?) = error.code else { return CommandError(.refused, "\(error.detail).") }
    return CommandError(
      .refused,
      "A daemon still serves this home, as process \(holder), so nothing of it was removed. End it (kill \(holder)), "
        + "and purge again.")
  }
}
