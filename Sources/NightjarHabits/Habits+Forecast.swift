public import NightjarModel

extension Habits {
  /// How likely an app is to be opened within half an hour of a time. If that lies in the future, nothing is assumed to
  /// happen until then.
  public func forecast(_ app: AppID, at time: LocalTime) -> Forecast {
    guard let place = places[app] else { return .unknown }
    return forecast(place, lived: lived(at: time), halfHour(Slot(time)))
  }

  /// The learned day of an app: how likely it is to be opened within half an hour, in each half hour of a weekday or of
  /// a day of the weekend. Empty if it was never opened.
  public func day(of app: AppID, isWeekend: Bool) -> [Double] {
    guard let place = places[app] else { return [] }
    let first = isWeekend ? Slot.perDay : 0
    let (uses, ticks) = (apps[place].uses, apps[place].ticks)
    let mean = AppHabits.mean(apps[place].total, ticks, weight)
    return (0..<Slot.perDay).map { halfHour(Slot(index: first + $0)).histogram(uses, ticks, mean: mean) }
  }

  func forecast(_ place: Int, lived then: Int64, _ halfHour: HalfHour) -> Forecast {
    forecast(place, lived: then, halfHour, activity: activity(at: then))
  }

  /// The part of a half hour's forecasts that all apps share.
  func halfHour(_ slot: Slot) -> HalfHour { HalfHour(slot, of: person, weight: weight) }

  /// The factor for how long the device will not have been used at a time, now or later.
  func activity(at time: Int64) -> Double { person.activity(ofStep: Activity.step(idle(at: time)), weight: weight) }

  func forecast(_ place: Int, lived then: Int64, _ halfHour: HalfHour, activity: Double) -> Forecast {
    let (_, histogram, hazard) = expectation(place, halfHour, Gap.step(apps[place].pause(at: then)))
    return Forecast(histogram: histogram, hazard: hazard, activity: activity)
  }

  /// Where a time of now or later lies on the line of ``lived``.
  func lived(at time: LocalTime) -> Int64 {
    guard let latest, time.seconds > latest.seconds else { return lived }
    let passed = time.seconds.subtractingReportingOverflow(latest.seconds)
    return lived + (passed.overflow ? Self.jumpMax : min(passed.partialValue, Self.jumpMax))
  }
}
