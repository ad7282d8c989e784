import NightjarModel

/// What is due when: finds the next in constant time and moves an entry in logarithmic time, however many there are.
///
/// A binary heap in which a moved or dropped entry leaves its old place behind; such leftovers are skipped when they
/// come up, and swept when they outnumber what counts.
struct Agenda<Key: Hashable & Comparable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var due: Age
    var key: Key

    static func precedes(_ a: Entry, _ b: Entry) -> Bool { (a.due, a.key) < (b.due, b.key) }
  }

  private var heap: [Entry] = []
  private var dues: [Key: Age] = [:]

  var count: Int { dues.count }
  /// Entries and leftovers together.
  var heapCount: Int { heap.count }

  /// When the next entry is due.
  var next: Age? {
    mutating get {
      dropLeftovers()
      return heap.first?.due
    }
  }

  /// When an entry is due; nil if it is not there.
  func due(of key: Key) -> Age? { dues[key] }

  /// Puts an entry where it belongs, or takes it off with nil.
  mutating func set(_ key: Key, due: Age?) {
    guard dues[key] != due else { return }
    dues[key] = due
    if let due { push(Entry(due: due, key: key)) }
    if heap.count > 2 * dues.count + 64 { rebuild() }
  }

  /// Takes off the first entry that is due, earliest first, and among equals the lowest key.
  mutating func popDue(at now: Age) -> Key? {
    dropLeftovers()
    guard let first = heap.first, first.due <= now else { return nil }
    popFirst()
    dues[first.key] = nil
    return first.key
  }

  private mutating func dropLeftovers() {
    while let first = heap.first, dues[first.key] != first.due { popFirst() }
  }

  private mutating func rebuild() {
    heap = heap.filter { dues[$0.key] == $0.due }.sorted(by: Entry.precedes)
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard Entry.precedes(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func popFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if Entry.precedes(heap[child], heap[least]) { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
