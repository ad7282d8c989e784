import NIOPosix
import Synchronization

/// File work that is done together: whatever comes while a file thread is under way goes with its next round.
///
/// To wake a thread costs more than to sync or to remove a small file, and a round can share what serves all of it.
final class Convoy<Item: Sendable>: Sendable {
  /// Does one round; `isActive` is false once the file threads have been shut down.
  typealias Work = @Sendable (_ items: [Item], _ isActive: Bool) -> Void

  private struct State: Sendable {
    var waiting: [Item] = []
    /// Threads that are under way.
    var threads = 0
    /// Whether one of them has yet to take what waits, so that no other is needed.
    var isStarting = false
  }

  private let files: NIOThreadPool
  private let threadsMax: Int
  private let work: Work
  private let state = Mutex(State())

  /// - Parameter threadsMax: How many rounds may be under way at a time.
  init(on files: NIOThreadPool, threadsMax: Int, work: @escaping Work) {
    (self.files, self.threadsMax, self.work) = (files, threadsMax, work)
  }

  /// Takes something in; it is done soon.
  func add(_ item: Item) {
    let mustStart = state.withLock { state in
      state.waiting.append(item)
      guard !state.isStarting, state.threads < threadsMax else { return false }
      (state.isStarting, state.threads) = (true, state.threads + 1)
      return true
    }
    if mustStart { start() }
  }

  private func start() {
    files.submit { [self] pool in
      let isActive = if case .active = pool { true } else { false }
      var round = take(isFirst: true)
      while let items = round {
        work(items, isActive)
        round = take(isFirst: false)
      }
    }
  }

  private func take(isFirst: Bool) -> [Item]? {
    state.withLock { state in
      if isFirst { state.isStarting = false }
      guard !state.waiting.isEmpty else {
        state.threads -= 1
        return nil
      }
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
