public import Foundation
import Synchronization

extension NotificationCenter {
  /// Returns the notifications of this name as they are posted, which Foundation on Linux lacks.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: UIApplication.didEnterBackgroundNotification) {
  ///   draft.save()
  /// }
  /// ```
  ///
  /// What is posted from this call on waits until it is asked for; if more than 1,024 wait, the oldest are left out.
  /// The sequence does not end by itself: the loop ends when its task is cancelled. Nothing is observed any more once
  /// the sequence and its iterators are released.
  ///
  /// - Parameter object: The object whose notifications are wanted; nil for those of every object.
  public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications {
    Notifications { [self] in posted(name, object) }
  }

  /// The notifications of one name, as they are posted (Apple's `NotificationCenter.Notifications`).
  ///
  /// The first iterator has those that were posted since the sequence was made, each later one those since it was made
  /// itself.
  public final class Notifications: AsyncSequence, Sendable {
    public typealias Element = Notification
    public typealias Failure = Never

    private let observe: @Sendable () -> AsyncStream<Posted>
    /// What is observed from the beginning, until the first iterator takes it.
    private let first: Mutex<AsyncStream<Posted>?>

    fileprivate init(_ observe: @escaping @Sendable () -> AsyncStream<Posted>) {
      self.observe = observe
      first = Mutex(observe())
    }

    public func makeAsyncIterator() -> Iterator {
      let posted = first.withLock { $0.take() } ?? observe()
      return Iterator(posted.makeAsyncIterator())
    }

    /// The notifications, one at a time.
    public struct Iterator: AsyncIteratorProtocol {
      private let posted: AsyncStream<Posted>.Iterator

      fileprivate init(_ posted: AsyncStream<Posted>.Iterator) { self.posted = posted }

      /// The next notification; nil once the task is cancelled.
      public func next() async -> Notification? { await next(isolation: #isolation) }

      /// The next notification; nil once the task is cancelled.
      public func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        var posted = posted  // The same for every copy.
        return await posted.next(isolation: actor)?.notification
      }
    }
  }

  /// Observes until the stream and its iterators are released, or the task that waits is cancelled.
  private func posted(_ name: Notification.Name, _ object: (any AnyObject & Sendable)?) -> AsyncStream<Posted> {
    let (stream, posted) = AsyncStream.makeStream(
      of: Posted.self, bufferingPolicy: .bufferingNewest(LinkLimits.notificationsMax))
    let observer = Observer(token: addObserver(forName: name, object: object, queue: nil) { posted.yield(Posted($0)) })
    posted.onTermination = { [self] _ in removeObserver(observer.token) }
    return stream
  }
}

/// A notification on the way to a task.
// Unchecked: as with any observer, what posts it on one thread answers for what is read of it on another.
private struct Posted: @unchecked Sendable {
  let notification: Notification

  init(_ notification: Notification) { self.notification = notification }
}

/// What the center knows an observer by.
// Unchecked: nothing but the center looks into it, which has a lock of its own.
private struct Observer: @unchecked Sendable {
  let token: any NSObjectProtocol
}
