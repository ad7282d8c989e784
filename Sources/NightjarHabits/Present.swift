public import NightjarModel

/// The forecasts of one moment; what all apps share is computed once.
public struct Present: Sendable {
  let habits: Habits
  /// Seconds of the device's life by then.
  let lived: Int64
  let halfHour: HalfHour
  let activity: Double

  init(_ habits: Habits, at time: LocalTime) {
    self.habits = habits
    lived = habits.lived(at: time)
    halfHour = habits.halfHour(Slot(time))
    activity = habits.activity(at: lived)
  }

  /// The place of an app among those that are known; nil for an unknown one. It holds for these habits alone. `place`
  /// is tried first: where the app was before, if the caller knows.
  public func place(of app: AppID, near place: Int? = nil) -> Int? {
    if let place, place < habits.apps.count, habits.apps[place].id == app { return place }
    return habits.places[app]
  }

  /// How long the app has not been in use; zero for an unknown one.
  public func sinceUse(_ place: Int?) -> Duration {
    .seconds(place.map { max(0, habits.apps[$0].pause(at: lived)) } ?? 0)
  }

  /// The forecast for an app.
  public func forecast(_ place: Int?) -> Forecast {
    guard let place else { return .unknown }
    return habits.forecast(place, lived: lived, halfHour, activity: activity)
  }
}

extension Habits {
  /// The forecasts at a time, now or later, if nothing happens until then.
  public func present(at time: LocalTime) -> Present { Present(self, at: time) }
}
