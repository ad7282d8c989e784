import Synchronization

/// The output of an app from a moment on.
struct AppOutput: Sendable {
  private let path: String
  private let start: GrowingFile.Mark
  private let watch: FolderWatch

  /// Notes where the log ends now.
  init(from path: String) throws(CommandError) {
    self.path = path
    start = GrowingFile.Mark(endOf: path)
    watch = try FolderWatch(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  /// Prints what the app writes until its life is over, to the last line, and returns how it ended.
  func follow(_ life: AppLife, _ context: Context) async throws -> AppLife.End {
    let verdict = Verdict()
    let waiting = Task {
      do { verdict.settle(.success(try await life.end())) } catch { verdict.settle(.failure(error)) }
      watch.lookAgain()
    }
    defer { waiting.cancel() }
    return try await printOn(context, until: verdict)
  }

  /// The result of waiting for the app's end.
  private final class Verdict: Sendable {
    private let state = Mutex<Result<AppLife.End, any Error>?>(nil)

    var end: Result<AppLife.End, any Error>? { state.withLock { $0 } }

    func settle(_ end: Result<AppLife.End, any Error>) { state.withLock { $0 = end } }
  }

  private func printOn(_ context: Context, until verdict: Verdict) async throws -> AppLife.End {
    var file = GrowingFile(path)
    var cutter = context.logCutter
    try file.open(after: start)
    try file.readOn { context.printLog(cutter.pieces(after: $0)) }
    for await _ in watch.changes {
      let end = verdict.end
      try file.readOn { context.printLog(cutter.pieces(after: $0)) }
      if let end {
        context.printLog(cutter.last())
        return try end.get()
      }
      try context.console.checkOutput()
    }
    throw CancellationError()
  }
}
