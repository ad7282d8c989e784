/// The latest of a series of elements, oldest first. Dropped ones are removed from the front of the array many at a
/// time.
struct Latest<Element: Sendable>: Sendable {
  /// The elements, after those that are dropped already.
  private var all: [Element] = []
  private var goneCount = 0

  var elements: ArraySlice<Element> { all[goneCount...] }
  var count: Int { all.count - goneCount }
  var last: Element? { elements.last }

  /// An element by its index in ``elements``, read and changed in place.
  subscript(index: Int) -> Element {
    _read { yield all[index] }
    _modify { yield &all[index] }
  }

  mutating func append(_ element: Element) { all.append(element) }

  mutating func insert(_ element: Element, at index: Int) { all.insert(element, at: index) }

  /// Lets the oldest go until there are no more than so many.
  mutating func trim(to max: Int) {
    goneCount += Swift.max(count - max, 0)
    guard goneCount > Swift.max(max / 4, 8) else { return }
    all.removeFirst(goneCount)
    goneCount = 0
  }
}
