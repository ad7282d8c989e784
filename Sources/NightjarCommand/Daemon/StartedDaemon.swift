import Synchronization

/// A daemon that a command has started. If it is killed while the command waits for it, nothing else would restart it.
final class StartedDaemon: Sendable {
  typealias Start = @Sendable () throws(CommandError) -> DetachedProcess

  private struct State {
    var process: DetachedProcess
    var revivals = 0
  }

  private static let revivalsMax = 5
  private let state: Mutex<State>
  private let start: Start

  init(_ process: DetachedProcess, start: @escaping Start) {
    state = Mutex(State(process: process))
    self.start = start
  }

  /// Restarts it if it has crashed or was killed, a few times at most; not if it was asked to end.
  ///
  /// - Returns: The new process; nil if none was started.
  func revive() throws(CommandError) -> DetachedProcess? {
    try state.withLock { state throws(CommandError) -> DetachedProcess? in
      guard state.revivals < Self.revivalsMax, state.process.reapsCrash() else { return nil }
      state.revivals += 1
      state.process = try start()
      return state.process
    }
  }
}
