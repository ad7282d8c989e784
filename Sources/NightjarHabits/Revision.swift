/// Counts the changes of the value that it lies in, and is no part of it: any two are equal.
struct Revision: Hashable, Sendable {
  private(set) var number = 0

  mutating func advance() { number += 1 }

  static func == (a: Revision, b: Revision) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
