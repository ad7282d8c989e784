import NightjarCore
import NightjarModel

/// What waits in a ``Mailbox``, oldest first.
///
/// Progress of one transfer is kept once, and so is how much of it is safe: a newer report replaces an older one unless
/// another fact of that transfer lies between. So what the engine reports is bounded by the deeds under way, however
/// long nothing is taken from the queue.
struct MailQueue: Sendable {
  private var items: [Mailbox.Item] = []
  /// How many of ``items`` have been taken.
  private var takenCount = 0
  /// The number of the first of ``items``, counting from the first item ever queued.
  private var firstNumber = 0
  /// Bytes of request bodies in the waiting items.
  private(set) var bodyBytes = 0
  /// Where the last reports of a transfer's stand are, if it has reported nothing else since.
  private var stands: [TransferID: Stand] = [:]

  /// The numbers of the items with the last reports of an attempt.
  private struct Stand: Sendable {
    var attempt: Int
    var progress: Int?
    var checkpoint: Int?
  }

  var count: Int { items.count - takenCount }

  mutating func append(_ item: Mailbox.Item) {
    bodyBytes += item.bodyBytes
    guard case .event(.transfer(let id, let attempt, let fact)) = item else { return items.append(item) }
    var stand = stands[id].flatMap { $0.attempt == attempt ? $0 : nil } ?? Stand(attempt: attempt)
    switch fact {
    case .progressed: stand.progress = put(item, at: stand.progress)
    case .checkpointed: stand.checkpoint = put(item, at: stand.checkpoint)
    case .informed, .throttled, .measured, .finished, .failed, .unanswered, .asked, .stopped:
      stands[id] = nil
      return items.append(item)
    }
    stands[id] = stand
  }

  /// Puts an item in the place of an older one, if that has not been taken, or else at the end. Returns its number.
  private mutating func put(_ item: Mailbox.Item, at place: Int?) -> Int {
    if let place, place >= firstNumber + takenCount {
      items[place - firstNumber] = item
      return place
    }
    items.append(item)
    return firstNumber + items.count - 1
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
    if items.isEmpty { stands.removeAll(keepingCapacity: true) }
  }
}

extension Mailbox.Item {
  /// Bytes of the request body that the item carries.
  fileprivate var bodyBytes: Int {
    guard case .event(.called(.enqueue(let request, _, _), _, _)) = self else { return 0 }
    return request.body.count
  }
}
