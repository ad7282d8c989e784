import NightjarHabits
import NightjarModel

/// A time for which an app is certain to wait for the recorded reason: it need not be weighed meanwhile.
///
/// It ends whenever the entry of the app is recomputed; ``FetchWeighing/isResting(_:_:)`` tells whether anything else
/// that it follows from has changed.
struct Rest: Sendable {
  /// Nothing is certain.
  static let none = Rest(most: 0, until: .zero, steadiness: .none)

  /// The most that a fetch is worth meanwhile; zero if something else is in its way.
  let most: Double
  /// When it ends.
  let until: Age
  /// For how long the forecast stays as it is.
  let steadiness: Steadiness
}
