/// A half hour of the day, on a weekday or at the weekend: 96 of them make up what is learned of a person's days.
struct Slot: Hashable, Sendable {
  /// 0 to 47 are those of a weekday, 48 to 95 those of the weekend.
  let index: Int

  init(index: Int) { self.index = index }

  /// The half hour in which a time lies.
  init(_ time: LocalTime) { index = (time.isWeekend ? Self.perDay : 0) + Int(time.secondOfDay / 1800) }

  /// 0 for a weekday, 1 for the weekend.
  var kind: Int { index / Self.perDay }

  /// The half hours around this one on the same kind of day, this one in the middle, and how much each of them counts.
  var neighbours: [(slot: Int, weight: Double)] {
    let first = kind * Self.perDay
    let half = index - first + Self.perDay
    return Self.kernel.indices.map { (first + (half + $0 - Self.kernel.count / 2) % Self.perDay, Self.kernel[$0]) }
  }

  static let perDay = 48
  static let count = 96
  private static let kernel = [0.5, 1.0, 0.5]
}
