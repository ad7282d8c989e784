import Dispatch
import NIOCore
import Synchronization

/// Touches the files of one mount, one call after the other, on a thread that nothing else waits for.
///
/// The thread exists while there is work. Work may never return; then nothing behind it begins. How long it has made no
/// progress tells a file system that does not answer from one that is busy.
public final class FileLane: Sendable {
  private let queue: DispatchQueue
  private let underWay: DispatchGroup
  /// When the present work began or last made progress; nil while there is none.
  private let heard = Mutex<NIODeadline?>(nil)

  init(_ label: String, in underWay: DispatchGroup) {
    (queue, self.underWay) = (DispatchQueue(label: label), underWay)
  }

  /// Queues work, and returns at once.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    queue.async(group: underWay) { [self] in
      heard.withLock { $0 = .now() }
      work()
      heard.withLock { $0 = nil }
    }
  }

  /// Notes progress of the present work; called by that work.
  public func moved() { heard.withLock { if $0 != nil { $0 = .now() } } }

  /// How long the present work has made no progress; nil while there is none.
  var silence: Duration? {
    heard.withLock { $0 }.map { .nanoseconds((.now() - $0).nanoseconds) }
  }

  /// Whether the present work has made no progress for at least `patience`.
  public func isSilent(for patience: Duration) -> Bool { silence.map { $0 >= patience } ?? false }
}
