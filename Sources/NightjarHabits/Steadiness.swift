/// For how long the forecast for an app stays as it is: until another half hour begins, more is learned, the device is used
/// or was not for longer, the app is used, or was not for longer.
package struct Steadiness: Sendable {
  fileprivate let revision: Int
  fileprivate let slot: Int
  fileprivate let activity: Double
  /// Until when the app is or was in use; the end of time for an unknown one.
  fileprivate let usedUntil: Int64
  /// Before which second of the device's life.
  fileprivate let end: Int64

  /// Not for a moment.
  package static let none = Steadiness(revision: 0, slot: 0, activity: 0, usedUntil: 0, end: .min)
}

extension Present {
  /// For how long the forecast for an app stays as it is.
  package func steadiness(_ place: Int?) -> Steadiness {
    Steadiness(
      revision: habits.revision.number, slot: halfHour.slot.index, activity: activity,
      usedUntil: usedUntil(place), end: end(place))
  }

  /// Whether the forecast for an app is the one that it was.
  package func isSteady(_ place: Int?, _ steadiness: Steadiness) -> Bool {
    lived < steadiness.end && steadiness.revision == habits.revision.number && steadiness.slot == halfHour.slot.index
      && steadiness.activity == activity && steadiness.usedUntil == usedUntil(place)
  }

  private func usedUntil(_ place: Int?) -> Int64 { place.map { habits.apps[$0].usedUntil } ?? .max }

  private func end(_ place: Int?) -> Int64 {
    guard let place, let end = Gap.end(ofStep: Gap.step(habits.apps[place].pause(at: lived))) else { return .max }
    return habits.apps[place].usedUntil + end
  }
}
