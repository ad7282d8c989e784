/// The forecasts for the coming hours, if nobody touches the device until then.
///
/// A forecast changes at certain times only: with the half hour of the day, and as the times since the app and the
/// device were used pass from step to step. So a caller that waits for a change knows when to look again.
public struct Outlook: Sendable {
  /// The forecasts at its start.
  public let start: Present
  /// How many seconds of its half hour have passed at the start.
  private let intoHour: Int64
  private let halfHours: [HalfHour]

  init(_ habits: Habits, at time: LocalTime, halfHours count: Int) {
    start = habits.present(at: time)
    intoHour = time.secondOfDay % Slot.length
    halfHours = (0..<Int64(count)).map { habits.halfHour(Slot(time.later(by: $0 * Slot.length))) }
  }

  /// The forecast for an app so many seconds later, and how many seconds after the start it changes next.
  public func forecast(_ place: Int?, after seconds: Int64) -> (forecast: Forecast, until: Int64) {
    let inHour = intoHour + seconds
    let hour = Int(inHour / Slot.length)
    let hourEnd = seconds + Slot.length - inHour % Slot.length
    guard let place, halfHours.indices.contains(hour) else { return (.unknown, hourEnd) }
    let (habits, then) = (start.habits, start.lived + seconds)
    let forecast = habits.forecast(place, lived: then, halfHours[hour])
    return (forecast, seconds + min(hourEnd - seconds, habits.pause(place, lived: then)))
  }
}

extension Habits {
  /// The forecasts from a time on, for so many half hours.
  public func outlook(at time: LocalTime, halfHours: Int = 50) -> Outlook {
    Outlook(self, at: time, halfHours: min(max(halfHours, 1), 1000))
  }

  /// How long a forecast stays the same within one half hour.
  fileprivate func pause(_ place: Int, lived then: Int64) -> Int64 {
    let gap = apps[place].pause(at: then)
    let step = Gap.end(ofStep: Gap.step(gap)).map { $0 - gap }
    let idle = idle(at: then)
    let activity = Activity.bounds.first { idle <= $0 }.map { $0 + 1 - idle }
    return max(1, min(step ?? .max, activity ?? .max))
  }
}
