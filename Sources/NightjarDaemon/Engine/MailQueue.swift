import NightjarCore
import NightjarModel

/// What waits in a ``Mailbox``, oldest first.
///
/// Progress of one transfer is kept once: a newer report replaces an older one unless another fact of that transfer
/// lies between. So the queue is bounded by the deeds under way, however long nothing is taken from it.
struct MailQueue: Sendable {
  private var items: [Mailbox.Item] = []
  /// How many of ``items`` have been taken.
  private var takenCount = 0
  /// The number of the first of ``items``, counting from the first item ever queued.
  private var firstNumber = 0
  /// Bytes of request bodies in the waiting items.
  private(set) var bodyBytes = 0
  /// Where a transfer's last item is, if that reports progress.
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

  /// Takes the oldest items, at most `max`, and stops once their bodies reach `bodyBytesMax` together.
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
  /// Bytes of the request body that the item carries.
  fileprivate var bodyBytes: Int {
    guard case .event(.asked(.enqueue(let request, _, _), _, _)) = self else { return 0 }
    return request.body.count
  }
}
