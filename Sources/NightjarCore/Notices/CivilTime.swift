import NightjarModel

/// What people go by: which day it is, and how far clocks are from UTC. Apps are told when either changes, which UIKit
/// calls a significant time change.
struct CivilTime: Sendable {
  /// Two of them differ if there was a significant change in between.
  struct Mark: Hashable, Sendable {
    /// By number, from 1 January 1970.
    var day: Int64
    /// Seconds ahead of UTC.
    var offset: Int64
  }

  private(set) var mark: Mark
  /// When the next day begins or clocks change for the season, if nobody sets them; later than the time that was taken
  /// in last.
  private(set) var next: Timestamp?

  init(at wall: Timestamp, _ rules: ZoneRules) {
    mark = Mark(wall, rules)
    next = Self.next(after: wall, rules)
  }

  /// Takes in the time. Returns whether there was a significant change since the last time.
  mutating func advance(to wall: Timestamp, _ rules: ZoneRules) -> Bool {
    let now = Mark(wall, rules)
    if let next, now == mark, wall < next { return false }
    defer { (mark, next) = (now, Self.next(after: wall, rules)) }
    return now != mark
  }

  /// Has what comes next foreseen anew: clocks go by other rules.
  mutating func obeyOthers() { next = nil }

  /// Until clocks change, the day goes on as it would without. Asked for midnight, a zone whose clocks are set back at
  /// midnight would name one that has passed.
  private static func next(after wall: Timestamp, _ rules: ZoneRules) -> Timestamp? {
    let rest = rules.reading(at: wall).restOfDay
    return earliest(Timestamp(milliseconds: wall.milliseconds + rest), rules.nextChange(after: wall))
  }
}

extension CivilTime.Mark {
  fileprivate init(_ wall: Timestamp, _ rules: ZoneRules) {
    (day, offset) = (rules.reading(at: wall).dayNumber, rules.offset(at: wall))
  }
}
