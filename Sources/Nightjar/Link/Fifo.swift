/// A queue with amortized constant time at both ends. Some removed elements stay in memory until more are removed, or
/// the queue is empty.
struct Fifo<Element> {
  private var items: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count - head }

  /// The elements, oldest first.
  var elements: ArraySlice<Element> { items[head...] }

  /// The newest element.
  var last: Element? { isEmpty ? nil : items.last }

  mutating func append(_ element: Element) { items.append(element) }

  /// Replaces the newest element.
  mutating func replaceLast(with element: Element) { items[items.count - 1] = element }

  mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    defer {
      head += 1
      if isEmpty || head > 64 && head * 2 > items.count { drain() }
    }
    return items[head]
  }

  /// The element at a place counted from the front.
  subscript(place: Int) -> Element {
    get { items[head + place] }
    set { items[head + place] = newValue }
  }

  /// Changes every element that is still queued.
  mutating func forEach(_ change: (inout Element) -> Void) {
    for index in head..<items.count { change(&items[index]) }
  }

  /// Makes the queue hold these elements.
  mutating func replace(with elements: [Element]) { (items, head) = (elements, 0) }

  private mutating func drain() {
    items.removeFirst(head)
    head = 0
  }
}
