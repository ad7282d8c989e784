import NightjarHabits
import NightjarModel

/// That an app is certain to wait for the reason that was written down, for a while: it need not be weighed meanwhile.
///
/// It goes with what the app was seen as, whenever that is found anew; ``FetchWeighing/isResting(_:_:)`` says whether what
/// else it was found by has changed.
struct Rest: Sendable {
  /// Nothing is certain.
  static let none = Rest(most: 0, until: .zero, steadiness: .none)

  /// What a fetch is worth at most meanwhile; nothing if something else is in its way.
  let most: Double
  /// Before when.
  let until: Age
  /// And for how long what is foreseen stays as it is.
  let steadiness: Steadiness
}
