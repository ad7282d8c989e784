public import Logging
public import ServiceLifecycle

/// Why the daemon cannot run; the detail says what to do.
public struct DaemonError: Error, Sendable, CustomStringConvertible {
  /// What a person can read.
  public let detail: String

  public var description: String { detail }
}

/// The daemon: the rooms, wired to the supervisor.
///
/// It may be killed at any moment. What was accepted is committed, apps live on, and the next daemon in the same home
/// goes on from there.
public struct Daemon: Service, CustomStringConvertible {
  /// The version, as `nightjar status` and `GetInfo` show it.
  public static let version = "0.1.0"

  private let settings: DaemonSettings
  private let logger: Logger

  /// The name alone: the service group logs this value, and the settings hold the environment and passwords.
  public var description: String { "nightjard" }

  /// Creates a daemon; nothing is opened or changed before ``run()``.
  public init(_ settings: DaemonSettings, logger: Logger) { (self.settings, self.logger) = (settings, logger) }

  /// Runs until graceful shutdown is asked for.
  ///
  /// - Throws: ``DaemonError``, before anything was accepted or when the database is unusable.
  public func run() async throws {
    let house = try House(settings, logger: logger)
    try house.open()
    let failure = await withTaskCancellationOrGracefulShutdownHandler {
      await house.live()
    } onCancelOrGracefulShutdown: {
      house.stop()
    }
    await house.close()
    if let failure { throw failure }
  }
}
