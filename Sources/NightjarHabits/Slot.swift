/// A half hour of the day, on a weekday or at the weekend: 96 of them make up what is learned of a person's days.
struct Slot: Hashable, Sendable {
  /// 0 to 47 are those of a weekday, 48 to 95 those of the weekend.
  let index: Int

  init(index: Int) { self.index = index }

  /// The half hour in which a time lies.
  init(_ time: LocalTime) { index = (time.isWeekend ? Self.perDay : 0) + Int(time.secondOfDay / Self.length) }

  /// 0 for a weekday, 1 for the weekend.
  var kind: Int { index < Self.perDay ? 0 : 1 }

  /// The half hour before this one, and the one after it, on the same kind of day.
  var before: Int { index % Self.perDay == 0 ? index + Self.perDay - 1 : index - 1 }
  var after: Int { index % Self.perDay == Self.perDay - 1 ? index + 1 - Self.perDay : index + 1 }

  /// The same half hour on the other kind of day.
  var other: Slot { Slot(index: (index + Self.perDay) % Self.count) }

  /// A quantity of this half hour, plus half of the quantities of the one before and the one after it.
  func smooth(_ quantity: (Int) -> Double) -> Double {
    quantity(index) + (quantity(before) + quantity(after)) / 2
  }

  static let length: Int64 = 1800
  static let perDay = 48
  static let count = 96
}
