import NightjarClient

/// Retries while the daemon is away: tells a person, waits longer each time, and goes on when it is back.
struct Persistence: Sendable {
  let context: Context
  let board: ProgressBoard
  /// The daemon, if this command has started it.
  var started: StartedDaemon?

  /// How often the daemon may go away during one command.
  static let outagesMax = 1000
  private static let delayMin = Duration.milliseconds(100)
  private static let delayMax = Duration.seconds(5)
  private static let patience = Duration.seconds(900)

  /// Does something over a connection; if the daemon goes away meanwhile, repeats it over a new one, which takes the
  /// place of the old one. The deed must be repeatable.
  ///
  /// - Throws: What `deed` throws, except `lost`. That, or `noDaemon`, only if the daemon was away for 15 minutes or
  ///   went away a thousand times.
  func insist<Result: Sendable>(
    over connection: inout DaemonConnection, _ deed: @Sendable (DaemonConnection) async throws -> Result
  ) async throws -> Result {
    for _ in 0..<Self.outagesMax {
      do { return try await deed(connection) } catch { connection = try await self.connection(after: error) }
    }
    return try await deed(connection)
  }

  /// A new connection after an old one ended with an error.
  ///
  /// - Throws: The error, unless it says that the daemon went away; otherwise as ``insist(over:_:)``.
  func connection(after error: any Error) async throws -> DaemonConnection {
    try Task.checkCancellation()
    guard let outage = error as? ClientError, outage.code.isOutage else { throw error }
    board.notice("The daemon went away. Transfers are kept and go on when it is back; waiting for it.")
    let connection = try await reconnect()
    board.notice("The daemon is back.")
    return connection
  }

  /// Tries until a daemon answers.
  private func reconnect() async throws -> DaemonConnection {
    let time = context.surroundings.time
    let deadline = time.now() + Self.patience
    var delay = Self.delayMin
    while true {
      try await time.sleep(delay)
      do { return try context.connect() } catch let error as ClientError where error.code.isOutage {
        guard time.now() < deadline else { throw error }
        if let process = try started?.revive() { board.notice("Started it again, as process \(process.id).") }
        delay = min(delay * 2, Self.delayMax)
      }
    }
  }
}

extension ClientError.Code {
  /// Whether the daemon is away and may come back.
  fileprivate var isOutage: Bool { self == .lost || self == .noDaemon }
}
