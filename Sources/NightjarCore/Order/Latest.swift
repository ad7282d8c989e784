/// The latest of what comes one after the other, oldest first. Where one goes with each that comes, those behind are moved up
/// once for many.
struct Latest<Element: Sendable>: Sendable {
  /// The elements, behind those that have gone already.
  private var all: [Element] = []
  private var goneCount = 0

  var elements: ArraySlice<Element> { all[goneCount...] }
  var count: Int { all.count - goneCount }
  var last: Element? { elements.last }

  /// An element by its index among ``elements``, where it lies.
  subscript(index: Int) -> Element {
    get { all[index] }
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
