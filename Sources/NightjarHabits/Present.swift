public import NightjarModel

/// What is foreseen at one moment: what concerns all apps is computed once.
public struct Present: Sendable {
  let habits: Habits
  /// Seconds of the device's life by then.
  let lived: Int64
  let halfHour: HalfHour
  let activity: Double

  init(_ habits: Habits, at time: LocalTime) {
    self.habits = habits
    lived = habits.lived(at: time)
    halfHour = HalfHour(Slot(time), of: habits.person)
    activity = habits.person.activity(ofStep: Activity.step(habits.idle(at: lived)))
  }

  /// Where an app is among those that are known; nil for an unknown one. It holds for these habits alone; who knows where it
  /// was before says so.
  public func place(of app: AppID, near place: Int? = nil) -> Int? {
    if let place, place < habits.apps.count, habits.apps[place].id == app { return place }
    return habits.places[app]
  }

  /// How long the app has not been in use; zero for an unknown one.
  public func sinceUse(_ place: Int?) -> Duration {
    guard let place, !habits.apps[place].isOpen else { return .zero }
    return .seconds(max(0, lived - habits.apps[place].used))
  }

  /// The forecast for an app.
  public func forecast(_ place: Int?) -> Forecast {
    guard let place else { return .unknown }
    return habits.forecast(place, lived: lived, halfHour, activity: activity)
  }
}

extension Habits {
  /// What is foreseen at a time of now or later, if nothing happens until then.
  public func present(at time: LocalTime) -> Present { Present(self, at: time) }
}
