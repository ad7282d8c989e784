/// A queue ordered by time, the earliest first; entries of the same time come in the order in which they were added.
struct Heap<Element: Sendable>: Sendable {
  private var entries: [(at: Int64, place: Int, element: Element)] = []
  private var count = 0

  /// When the first is due.
  var next: Int64? { entries.first?.at }

  mutating func insert(_ element: Element, at time: Int64) {
    count += 1
    entries.append((time, count, element))
    var child = entries.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the first.
  mutating func pop() -> (at: Int64, element: Element)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return (first.at, first.element) }
    entries[0] = last
    sink()
    return (first.at, first.element)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && precedes(child, least) {
        least = child
      }
      guard least != parent else { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    (entries[a].at, entries[a].place) < (entries[b].at, entries[b].place)
  }
}
