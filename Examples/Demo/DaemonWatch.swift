import NightjarClient
import NightjarWire
import Synchronization

/// What the daemon tells of transfers and of the app, over its Monitor stream; kept when the daemon is gone.
final class DaemonWatch: Sendable {
  typealias Transfer = ControlInterface.Transfer

  /// What was last heard.
  struct Heard: Sendable {
    var transfers: [Int64: Transfer] = [:]
    /// The transfers that the daemon has dropped: they have ended, and the app has acknowledged their ends.
    var gone: Set<Int64> = []
    var app: ControlInterface.App?
    /// Whether everything there is has been heard from the daemon that now runs.
    var isCurrent = false

    /// The transfers in the order in which they were asked for.
    var inOrder: [Transfer] { transfers.values.sorted { $0.id < $1.id } }
    /// Bytes that have moved, of movies both ways.
    var bytes: Int64 { inOrder.filter { !$0.isThumbnail }.reduce(0) { $0 + $1.count } }
  }

  private let state = Mutex(Heard())

  var heard: Heard { state.withLock { $0 } }

  /// Listens to a daemon until it goes away.
  func listen(to connection: DaemonConnection) throws {
    let replies = try connection.replies(to: ControlInterface.Monitor.self)
    state.withLock { $0.isCurrent = false }
    Task.detached { [self] in
      do { for try await reply in replies { state.withLock { $0.take(reply) } } } catch {}
      state.withLock { $0.isCurrent = false }
    }
  }
}

extension DaemonWatch.Heard {
  fileprivate mutating func take(_ reply: ControlInterface.Monitor.Reply) {
    if let transfer = reply.transfer { transfers[transfer.id] = transfer }
    if let id = reply.removed { gone.insert(id) }
    if let app = reply.app { self.app = app }
    if reply.current == true { isCurrent = true }
  }
}

extension ControlInterface.Transfer {
  /// The last word of what the app calls it: the id of its video.
  var video: String { label.split(separator: " ").last.map(String.init) ?? "" }
  var isThumbnail: Bool { label.hasPrefix("thumbnail ") }
  var isUpload: Bool { direction == .upload }
}
