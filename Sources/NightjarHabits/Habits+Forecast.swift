public import NightjarModel

extension Habits {
  /// How likely an app is to be opened within half an hour of a time, which may lie in the future: then nothing is taken
  /// to happen until then.
  public func forecast(_ app: AppID, at time: LocalTime) -> Forecast {
    guard let place = places[app] else { return .unknown }
    return forecast(place, at: time, HalfHour(Slot(time), of: person))
  }

  /// The learned day of an app: how likely it is to be opened within half an hour, in each half hour of a weekday or of a
  /// day of the weekend. Empty if nobody has ever opened it.
  public func day(of app: AppID, isWeekend: Bool) -> [Double] {
    guard let place = places[app] else { return [] }
    let first = isWeekend ? Slot.perDay : 0
    return (0..<Slot.perDay).map { HalfHour(Slot(index: first + $0), of: person).histogram(of: apps[place]) }
  }

  private func forecast(_ place: Int, at time: LocalTime, _ halfHour: HalfHour) -> Forecast {
    let then = lived + min(max(0, time.seconds - (latest?.seconds ?? time.seconds)), Self.jumpMax)
    let gap = apps[place].isOpen ? 0 : then - apps[place].used
    let (histogram, hazard) = expectation(place, halfHour, Gap.step(gap))
    let activity = person.activity(ofStep: Activity.step(idle(at: then)))
    return Forecast(histogram: histogram, hazard: hazard, activity: activity)
  }
}
