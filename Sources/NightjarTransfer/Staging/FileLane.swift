import Dispatch
import NIOCore
import Synchronization

/// Touches the files of one mount, one thing after the other, on a thread that nobody else waits for.
///
/// The thread is there while there is something to do. What is under way may never return; then nothing that comes after it
/// begins. How long that has lasted tells a file system that does not answer from one that is busy.
public final class FileLane: Sendable {
  private let queue: DispatchQueue
  private let underWay: DispatchGroup
  /// When what is under way began, or got on last; nil while nothing is.
  private let heard = Mutex<NIODeadline?>(nil)

  init(_ label: String, in underWay: DispatchGroup) {
    (queue, self.underWay) = (DispatchQueue(label: label), underWay)
  }

  /// Has something done. Returns at once.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    queue.async(group: underWay) { [self] in
      heard.withLock { $0 = .now() }
      work()
      heard.withLock { $0 = nil }
    }
  }

  /// What is under way has got on; for whoever does it.
  public func moved() { heard.withLock { if $0 != nil { $0 = .now() } } }

  /// For how long what is under way has not got on; nil while nothing is.
  var silence: Duration? {
    heard.withLock { $0 }.map { .nanoseconds((.now() - $0).nanoseconds) }
  }

  /// Whether nothing gets on any more, as far as somebody with so much patience can tell.
  public func isSilent(for patience: Duration) -> Bool { silence.map { $0 >= patience } ?? false }
}
