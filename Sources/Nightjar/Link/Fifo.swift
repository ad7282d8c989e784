/// A queue: in at the back, out at the front, both in constant time on average. It holds some of what is out of it until
/// more is, or it is empty.
struct Fifo<Element> {
  private var items: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count - head }

  /// The elements, oldest first.
  var elements: ArraySlice<Element> { items[head...] }

  /// The element that came last.
  var last: Element? { isEmpty ? nil : items.last }

  mutating func append(_ element: Element) { items.append(element) }

  /// Puts another element in the place of the one that came last.
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
