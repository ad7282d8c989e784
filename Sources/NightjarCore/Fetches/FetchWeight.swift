/// What a fetch is worth, with the parts that it follows from, and what it has to reach.
public struct FetchWeight: Hashable, Sendable {
  /// What it is worth.
  public var score: Double
  /// What it has to reach.
  public var threshold: Double
  /// That the app will be used within half an hour, 0 to 1.
  public var probability: Double
  /// How old its content is.
  public var age: Duration
  /// How often its content changes.
  public var updatesPerHour: Double
  /// How much of that a fetch would bring, 0 to 1.
  public var value: Double

  /// A weight of these parts.
  public init(
    score: Double, threshold: Double, probability: Double, age: Duration, updatesPerHour: Double, value: Double
  ) {
    (self.score, self.threshold, self.probability) = (score, threshold, probability)
    (self.age, self.updatesPerHour, self.value) = (age, updatesPerHour, value)
  }
}
