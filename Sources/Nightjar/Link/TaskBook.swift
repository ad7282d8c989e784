import NightjarWire

/// The background tasks of this process, by their numbers.
struct TaskBook: Sendable {
  /// What is to be done when their time is nearly up.
  typealias Expiry = @MainActor @Sendable () -> Void

  private struct Entry: Sendable {
    let name: String
    var expiry: Expiry?
  }

  private var entries: [Int64: Entry] = [:]
  private var last: Int64 = 0

  mutating func begin(_ name: String, _ expiry: Expiry?) -> Int64 {
    last += 1
    entries[last] = Entry(name: name, expiry: expiry)
    return last
  }

  /// Whether there was such a task.
  mutating func end(_ number: Int64) -> Bool { entries.removeValue(forKey: number) != nil }

  /// Forgets a task that the daemon does not count; its expiration handler, unless it was given out.
  mutating func refuse(_ number: Int64) -> Expiry? { entries.removeValue(forKey: number)?.expiry }

  /// The tasks, oldest first.
  var numbers: [Int64] { entries.keys.sorted() }

  /// The expiration handler of a task that has not ended; it is given out once.
  mutating func expire(_ number: Int64) -> Expiry? {
    defer { entries[number]?.expiry = nil }
    return entries[number]?.expiry
  }

  /// What a new line is told of them.
  var openings: [Call] {
    entries.sorted { $0.key < $1.key }.map { .beginTask(.init(task: $0.key, name: $0.value.name)) }
  }
}
