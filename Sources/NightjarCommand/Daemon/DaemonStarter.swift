import Glibc
import NightjarClient

/// Starts the `nightjard` that lies beside this program, for commands whose work would otherwise be refused.
struct DaemonStarter: Sendable {
  let context: Context

  private static let patience = Duration.seconds(15)

  /// A connection to the daemon, and the daemon that was started if none ran.
  ///
  /// - Throws: The `ClientError` of a connection if no daemon runs and none can be started; `CommandError` if the one
  ///   that was started ended again or does not answer.
  func connection() async throws -> (DaemonConnection, StartedDaemon?) {
    do { return (try context.connect(), nil) } catch let error as ClientError where error.code == .noDaemon {
      guard let program = context.surroundings.daemonProgram, let environment = try context.home.environment,
        let log = try context.home.prepareLog()
      else { throw error }
      let start: StartedDaemon.Start = { () throws(CommandError) -> DetachedProcess in
        try DetachedProcess(program, environment: environment, log: log)
      }
      let daemon = try start()
      let news = "No daemon was running; started \(program) as process \(daemon.id). It keeps its log in \(log)."
      return try await connection(to: daemon, news, log: log, again: start)
    }
  }

  /// Waits for the daemon. Ours exits if another one holds the home. If another command has just started that one, this
  /// waits for it; if it was about to end, ours is started once more. A person is told of ours once it holds the home.
  private func connection(
    to first: DetachedProcess, _ firstNews: String, log: String, again: @escaping StartedDaemon.Start
  ) async throws -> (DaemonConnection, StartedDaemon?) {
    let deadline = context.surroundings.time.now() + Self.patience
    var (daemon, news, wasTaken, isSecond) = (first, Optional(firstNews), false, false)
    while true {
      let (connection, holder) = (try connectionIfAny(), try context.home.holder)
      if holder == daemon.id, let words = news {
        context.notice(words)
        news = nil
      }
      if let connection { return (connection, StartedDaemon(daemon, start: again)) }
      if let holder, holder != daemon.id { wasTaken = true }
      if try !daemon.runs && context.home.holder == nil {
        guard wasTaken && !isSecond else { return (try connectionOfAnother(than: daemon, log), nil) }
        (daemon, isSecond) = (try again(), true)
        news = "The daemon that held the home has ended; started ours once more as process \(daemon.id)."
      }
      guard context.surroundings.time.now() < deadline else {
        if !daemon.runs { return (try connectionOfAnother(than: daemon, log), nil) }
        throw CommandError(.noDaemon, "The daemon was started and does not answer yet; its log is \(log).")
      }
      try await context.surroundings.time.sleep(.milliseconds(50))
    }
  }

  private func connectionIfAny() throws -> DaemonConnection? {
    do { return try context.connect() } catch let error as ClientError where error.code == .noDaemon { return nil }
  }

  private func connectionOfAnother(than daemon: DetachedProcess, _ log: String) throws -> DaemonConnection {
    if let connection = try connectionIfAny() { return connection }
    if try context.home.certainHolder != nil { return try context.connect() }  // Says what to do about that one.
    let complaint = daemon.complaint.map { " It said: \($0)" } ?? ""
    let why = daemon.isSilent ? "\(log) has no room for why: run `nightjard` to see it." : "\(log) says why."
    throw CommandError(.noDaemon, "The daemon was started and ended again at once; \(why)\(complaint)")
  }
}
