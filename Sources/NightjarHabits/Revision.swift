/// Counts the changes of the value that holds it, without being part of that value: any two are equal.
struct Revision: Hashable, Sendable {
  private(set) var number = 0

  mutating func advance() { number += 1 }

  static func == (a: Revision, b: Revision) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
