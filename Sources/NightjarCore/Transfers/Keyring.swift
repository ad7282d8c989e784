import NightjarModel

/// What a session wants to be asked, and what its app has decided for all of its transfers.
///
/// The decisions hold secrets and live in memory only: after a restart of the daemon the app is asked again.
struct Keyring: Sendable {
  private struct Entry: Sendable {
    var answered: Answered
    var number: Int
  }

  var asks: Asks
  private let countMax: Int
  /// Oldest first.
  private var entries: [Entry] = []
  /// How many decisions were taken in; an attempt that began at a lower count does not know the latest.
  private(set) var count = 0

  init(asks: Asks, countMax: Int) { (self.asks, self.countMax) = (asks, countMax) }

  var answers: [Answered] { entries.map(\.answered) }

  /// Whether there is a decision that an attempt which began at `count` did not know.
  func knows(_ subject: Challenge.Subject, since count: Int) -> Bool {
    entries.contains { $0.answered.subject == subject && $0.number > count }
  }

  /// Takes in a decision, in place of an older one about the same.
  mutating func keep(_ answered: Answered) {
    entries.removeAll { $0.answered.subject == answered.subject }
    if entries.count >= countMax { entries.removeFirst() }
    count += 1
    entries.append(Entry(answered: answered, number: count))
  }

  /// Forgets a decision that has proven wrong.
  mutating func forget(_ subject: Challenge.Subject) { entries.removeAll { $0.answered.subject == subject } }

  /// Forgets all decisions.
  mutating func forgetAll() { entries = [] }
}
