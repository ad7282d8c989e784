import NightjarClient
import NightjarWire

/// One life of an app, to be waited for.
struct AppLife: Sendable {
  /// How it ended.
  struct End: Hashable, Sendable {
    /// What it did, worded to follow the app's name.
    var words: String
    var isCrash: Bool

    /// An end that was not observed.
    static let unseen = End(words: "has ended", isCrash: false)
  }

  let app: String
  let pid: Int64
  let context: Context

  /// Waits until this life is over. The daemon may come and go meanwhile: the app lives on without it.
  func end() async throws -> End {
    let persistence = Persistence(context: context, board: ProgressBoard(context.surroundings, wantsBars: false))
    var connection = try context.connect()
    return try await persistence.insist(over: &connection) { connection in
      // The stream begins before the look, so that nothing in between is missed.
      for try await change in try connection.replies(to: ControlInterface.Monitor.self) {
        if change.current == true, let end = try await look() { return end }
        if let end = change.app.flatMap(end) { return end }
      }
      throw ClientError(.lost, "The daemon has said its last word.")
    }
  }

  private func look() async throws -> End? {
    let apps = try await context.connect().call(ControlInterface.ListApps.self).apps
    guard let app = apps.first(where: { $0.id == app }) else { return End(words: "was uninstalled", isCrash: false) }
    return end(app)
  }

  private func end(_ app: ControlInterface.App) -> End? { app.id == self.app ? app.end(ofLife: pid) : nil }
}

extension ControlInterface.App {
  /// The process that lives are told apart by: the first or, of a daemon that does not say, the one that it shows.
  var first: Int64? { leader ?? pid }

  /// How the life of a process has ended; nil while it goes on. That may be as another process, or without any to show:
  /// the first is gone, and others of the app live on.
  func end(ofLife process: Int64) -> AppLife.End? {
    guard ![leader, pid].contains(process), pid != nil || state == .notRunning else { return nil }
    return AppLife.End(words: lastEnd ?? "has ended", isCrash: crashed ?? false)
  }
}
