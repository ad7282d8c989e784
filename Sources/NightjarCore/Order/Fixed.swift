/// An immutable value in a box that all its holders share, so that a large one is not copied along with them.
final class Fixed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension Fixed: Equatable where Value: Equatable {
  static func == (a: Fixed, b: Fixed) -> Bool { a === b || a.value == b.value }
}

extension Fixed: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
