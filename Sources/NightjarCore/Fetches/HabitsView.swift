public import NightjarModel

/// What was learned of when apps are used, as clients see it.
public struct HabitsView: Hashable, Sendable {
  /// The apps that a person was seen to use since their habits were last forgotten, by name.
  public var apps: [Entry]
  /// Bytes that the habits of the person, apart from those of each app, take up.
  public var byteCount: Int

  /// What was learned of one app.
  public struct Entry: Hashable, Sendable {
    /// The app as it is installed.
    public var installed: InstalledApp
    /// How likely it is to be used in each half hour of a weekday, and of a day of the weekend.
    public var weekday: [Double]
    public var weekend: [Double]
    /// How likely it is to be used within the next half hour.
    public var probability: Double
    /// Visits that were seen.
    public var launches: Int64
    /// Bytes that its habits take up.
    public var byteCount: Int
  }
}
