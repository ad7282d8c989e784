/// For how long the forecast for an app stays the same: until another half hour begins, more is learned, the app or the
/// device is used, or the time since either was passes to the next step.
package struct Steadiness: Sendable {
  fileprivate let revision: Int
  fileprivate let slot: Int
  fileprivate let activity: Double
  /// Until when the app is or was in use; the end of time for an unknown one.
  fileprivate let usedUntil: Int64
  /// The second of the device's life at which it ends.
  fileprivate let end: Int64

  /// Not for a moment.
  package static let none = Steadiness(revision: 0, slot: 0, activity: 0, usedUntil: 0, end: .min)
}

extension Present {
  /// For how long the forecast for an app stays the same.
  package func steadiness(_ place: Int?) -> Steadiness {
    Steadiness(
      revision: habits.revision.number, slot: halfHour.slot.index, activity: activity,
      usedUntil: usedUntil(place), end: end(place))
  }

  /// Whether the forecast for an app is still the same.
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
