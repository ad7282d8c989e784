import NightjarCore
import NightjarModel

/// What waits in a ``Mailbox``, oldest first.
///
/// How far a transfer is counts once: a later word takes the place of the one before while nothing else of that transfer has
/// come in between. So the queue is no longer than there are deeds under way, however long nobody takes anything from it.
struct MailQueue: Sendable {
  private var items: [Mailbox.Item] = []
  /// How many of those were taken.
  private var takenCount = 0
  /// The number of the first of ``items``, among all that ever came.
  private var firstNumber = 0
  /// Bytes of the bodies in those that wait.
  private(set) var bodyBytes = 0
  /// Where the last word of a transfer is, if it was of how far it is.
  private var progress: [TransferID: Place] = [:]

  private struct Place: Sendable {
    var attempt: Int
    var number: Int
  }

  var count: Int { items.count - takenCount }

  mutating func append(_ item: Mailbox.Item) {
    bodyBytes += item.bodyBytes
    guard case .event(.transfer(let id, let attempt, let fact)) = item else { return items.append(item) }
    guard case .progressed = fact else {
      progress[id] = nil
      return items.append(item)
    }
    if let before = progress[id], before.attempt == attempt, before.number >= firstNumber + takenCount {
      items[before.number - firstNumber] = item
    } else {
      progress[id] = Place(attempt: attempt, number: firstNumber + items.count)
      items.append(item)
    }
  }

  /// Takes the oldest: no more than so many, and none after those whose bodies have so many bytes together.
  mutating func take(_ max: Int, bodyBytesMax: Int) -> [Mailbox.Item] {
    var (batch, taken) = ([Mailbox.Item](), 0)
    for item in items[takenCount...].prefix(max) where taken < bodyBytesMax {
      taken += item.bodyBytes
      batch.append(item)
    }
    takenCount += batch.count
    bodyBytes -= taken
    if takenCount > items.count / 2 { forgetTaken() }
    return batch
  }

  private mutating func forgetTaken() {
    items.removeFirst(takenCount)
    firstNumber += takenCount
    takenCount = 0
    if items.isEmpty { progress.removeAll(keepingCapacity: true) }
  }
}

extension Mailbox.Item {
  /// Bytes of the body that it brings.
  fileprivate var bodyBytes: Int {
    guard case .event(.asked(.enqueue(let request, _, _), _, _)) = self else { return 0 }
    return request.body.count
  }
}
