import Glibc
import NightjarClient

/// Starts the `nightjard` that lies beside this program, for commands whose work would otherwise be refused.
struct DaemonStarter: Sendable {
  let context: Context

  private static let patience = Duration.seconds(15)

  /// A connection to the daemon, which is started if none runs.
  ///
  /// - Throws: The `ClientError` of a connection if no daemon runs and none can be started; `CommandError` if the one that
  ///   was started ended again or does not answer.
  func connection() async throws -> DaemonConnection {
    do { return try context.connect() } catch let error as ClientError where error.code == .noDaemon {
      guard let program = context.surroundings.daemonProgram, let environment = context.home.environment,
        let log = try context.home.prepareLog()
      else { throw error }
      let daemon = try DetachedProcess(program, environment: environment, log: log)
      context.notice("No daemon was running; started \(program) as process \(daemon.id). It keeps its log in \(log).")
      return try await connection(to: daemon, log: log)
    }
  }

  private func connection(to daemon: DetachedProcess, log: String) async throws -> DaemonConnection {
    let deadline = context.surroundings.time.now() + Self.patience
    while true {
      do { return try context.connect() } catch let error as ClientError where error.code == .noDaemon {
        // Another command may have started one at the same moment, and ours found the home locked: that one is waited for.
        guard daemon.runs || context.home.isTaken else { return try connectionOfAnother(log) }
        guard context.surroundings.time.now() < deadline else {
          throw CommandError(.noDaemon, "The daemon was started and does not answer yet; its log is \(log).")
        }
        try await context.surroundings.time.sleep(.milliseconds(50))
      }
    }
  }

  private func connectionOfAnother(_ log: String) throws -> DaemonConnection {
    do { return try context.connect() } catch let error as ClientError where error.code == .noDaemon {
      throw CommandError(.noDaemon, "The daemon was started and ended again at once; \(log) says why.")
    }
  }
}
