/// For how long the forecast for an app stays as it is: until another half hour begins, more is learned, the device is used
/// or was not for longer, the app is used, or was not for longer.
package struct Steadiness: Sendable {
  fileprivate let revision: Int
  fileprivate let slot: Int
  fileprivate let activity: Double
  /// When the app was used last; the end of time while it is open.
  fileprivate let used: Int64
  /// Before which second of the device's life.
  fileprivate let end: Int64
}

extension Present {
  /// For how long the forecast for an app stays as it is.
  package func steadiness(_ place: Int?) -> Steadiness {
    Steadiness(
      revision: habits.revision.number, slot: halfHour.slot.index, activity: activity, used: used(place),
      end: end(place))
  }

  /// Whether the forecast for an app is the one that it was.
  package func isSteady(_ place: Int?, _ steadiness: Steadiness) -> Bool {
    lived < steadiness.end && steadiness.revision == habits.revision.number && steadiness.slot == halfHour.slot.index
      && steadiness.activity == activity && steadiness.used == used(place)
  }

  private func used(_ place: Int?) -> Int64 {
    guard let place, !habits.apps[place].isOpen else { return .max }
    return habits.apps[place].used
  }

  private func end(_ place: Int?) -> Int64 {
    let used = used(place)
    guard used < .max, let end = Gap.end(ofStep: Gap.step(lived - used)) else { return .max }
    return used + end
  }
}
