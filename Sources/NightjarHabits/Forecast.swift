/// How likely an app is to be used within half an hour, and what that follows from.
public struct Forecast: Hashable, Sendable {
  /// How likely the app is to be opened within the next half hour, from 0 to 1.
  public var probability: Double
  /// How likely it is by the time of the day and the kind of day alone.
  public var histogram: Double
  /// The factor for the time that has passed since the app was used.
  public var hazard: Double
  /// The factor for how long ago the device was in use.
  public var activity: Double

  /// A forecast of these parts; the probability is their product, kept apart from certainty either way.
  public init(histogram: Double, hazard: Double, activity: Double) {
    (self.histogram, self.hazard, self.activity) = (histogram, hazard, activity)
    probability = min(max(histogram * hazard * activity, 1e-5), 0.95)
  }

  /// How many times an hour the app would be opened if the next half hour went on for ever.
  public var rate: Double { -2 * Curves.ln(1 - probability) }

  /// The forecast for an app that was never opened: next to nothing.
  public static let unknown = Forecast(histogram: 0, hazard: 1, activity: 1)
}
