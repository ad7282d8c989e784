import NightjarModel

/// A time in which memory is short, and how far the daemon is in making room.
struct Shortage: Sendable {
  enum Phase: Hashable, Sendable {
    /// Nothing is being done.
    case over
    /// The room was asked what apps take up; its answer is due by then.
    case measuring(by: Age)
    /// An app was ended; memory is measured again then.
    case waiting(until: Age)
  }

  private(set) var phase = Phase.over
  /// Counts what was asked of the room: an answer to an earlier question is late.
  private(set) var question = 0
  /// How many apps are ended whatever is measured: the one that the report of pressure calls for.
  private(set) var owed = 0
  /// The app that was ended last, and until when its end is waited for.
  private(set) var victim: (life: AppLifeID, patience: Age)?
  /// When apps were told last.
  var toldAt: Age?

  var isOver: Bool { phase == .over }

  /// When it must be looked at again.
  var due: Age? {
    switch phase {
    case .over: nil
    case .measuring(let by): by
    case .waiting(let until): until
    }
  }

  /// Room has to be made.
  mutating func call() { owed = 1 }

  mutating func measure(by: Age) {
    question += 1
    phase = .measuring(by: by)
  }

  /// Postpones what is waited for by a time in which nothing was carried out and nobody listened.
  mutating func postpone(by lost: Duration) {
    switch phase {
    case .over: break
    case .measuring(let by): phase = .measuring(by: by + lost)
    case .waiting(let until):
      phase = .waiting(until: until + lost)
      victim = victim.map { ($0.life, $0.patience + lost) }
    }
  }

  /// An answer has come. False if it is late.
  mutating func answered(_ question: Int) -> Bool {
    guard case .measuring = phase, question == self.question else { return false }
    return true
  }

  mutating func end(_ victim: AppLifeID, until: Age, patience: Age) {
    (phase, owed, self.victim) = (.waiting(until: until), 0, (victim, patience))
  }

  /// Waits on: the app that was ended is not gone yet.
  mutating func wait(until: Age) { phase = .waiting(until: until) }

  mutating func finish() { (phase, owed, victim) = (.over, 0, nil) }
}
