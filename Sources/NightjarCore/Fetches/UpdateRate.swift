import NightjarHabits
import NightjarModel

/// How often the content of an app changes, learned from what its fetches have brought.
///
/// A fetch that brings something shows that there was at least one change since the one before; how many there were is
/// estimated by the rate so far (expectation and maximisation for a Poisson process, one step for each fetch). Each
/// observation takes a hundredth of their weight from those before. A pause of more than a week counts as a week, so
/// that a single one, of a device that was off or whose clock was wrong, does not outweigh all others.
public struct UpdateRate: Hashable, Sendable {
  /// The changes estimated to have been seen.
  public private(set) var changes: Double
  /// The hours in which they were seen, always above zero.
  public private(set) var hours: Double
  /// The fetches whose outcomes were learned from; older ones count less, as with the others.
  public private(set) var observations: Double

  /// The estimate before the first fetch: three changes a day, with the weight of a single change.
  public init() { (changes, hours, observations) = (1, 8, 0) }

  /// A rate as it was saved; nil for values that cannot have been learned.
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

  /// Learns from whether a fetch found something new, `pause` after the content was last brought up to date.
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
