import NightjarHabits
import NightjarModel

/// How often the content of an app changes, learned from what its fetches have brought.
///
/// That a fetch brings something says that there was at least one change since the one before; how many there were is
/// taken to be what the rate so far would have (expectation and maximisation for a Poisson process, one step for each
/// fetch). Each observation takes a hundredth of their weight from those before; a pause of more than a week counts as a
/// week, so that no single one, of a device that was off or whose clock was wrong, outweighs all others.
public struct UpdateRate: Hashable, Sendable {
  /// Changes that are taken to have been seen.
  public private(set) var changes: Double
  /// The hours in which they were, at least a little more than none.
  public private(set) var hours: Double
  /// Fetches whose outcome was learned from; it forgets as the others do.
  public private(set) var observations: Double

  /// What is believed before the first fetch: three changes a day, worth as much as one of them.
  public init() { (changes, hours, observations) = (1, 8, 0) }

  /// What was saved; nil for what nothing can have been learned to be.
  public init?(changes: Double, hours: Double, observations: Double) {
    let parts = [changes, hours, observations]
    guard parts.allSatisfy({ $0 >= 0 && $0 <= 1e9 }), hours > 0 else { return nil }
    (self.changes, self.hours, self.observations) = (changes, hours, observations)
  }

  /// Changes in an hour; at most one each minute.
  public var perHour: Double { min(changes / hours, 60) }

  /// How far it is known, from 0 to 1: a half after two fetches.
  public var confidence: Double { observations / (observations + 2) }

  /// How likely there is something new after so many hours.
  public func isNew(after hours: Double) -> Double { 1 - Curves.exp(-perHour * max(0, hours)) }

  /// A fetch found something new, or did not, so long after the content was brought up to date before.
  public mutating func learn(isNew: Bool, after pause: Duration) {
    let passed = min(max(pause.inSeconds / 3600, 1e-3), Self.hoursMax)
    let expected = perHour * passed
    let found = !isNew ? 0 : expected < 1e-9 ? 1 : expected / self.isNew(after: passed)
    changes = changes * Self.memory + found
    hours = hours * Self.memory + passed
    observations = observations * Self.memory + 1
  }

  private static let memory = 0.99
  private static let hoursMax = 24.0 * 7
}
