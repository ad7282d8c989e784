import NightjarWire

/// The background tasks of this process, by their numbers.
struct TaskBook: Sendable {
  /// An expiration handler, called when the time is nearly up.
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

  /// Ends a task; false if there was none.
  mutating func end(_ number: Int64) -> Bool { entries.removeValue(forKey: number) != nil }

  /// Forgets a task that the daemon has refused. Returns its expiration handler, unless it was returned before.
  mutating func refuse(_ number: Int64) -> Expiry? { entries.removeValue(forKey: number)?.expiry }

  /// The tasks, oldest first.
  var numbers: [Int64] { entries.keys.sorted() }

  /// Takes the expiration handler of a task that has not ended; nil the second time.
  mutating func expire(_ number: Int64) -> Expiry? {
    defer { entries[number]?.expiry = nil }
    return entries[number]?.expiry
  }

  /// The calls that begin the tasks over a new line.
  var openings: [Call] {
    entries.sorted { $0.key < $1.key }.map { .beginTask(.init(task: $0.key, name: $0.value.name)) }
  }
}
