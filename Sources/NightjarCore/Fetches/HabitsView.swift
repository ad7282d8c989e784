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
    /// How likely it is to be opened within half an hour, 0 to 1, in each half hour of a weekday: 48 from midnight on.
    public var weekday: [Double]
    /// The same of a day of the weekend.
    public var weekend: [Double]
    /// How likely it is to be opened within the next half hour, 0 to 1.
    public var probability: Double
    /// Visits that were seen since it was first opened, or since its habits were forgotten.
    public var launches: Int64
    /// Bytes that its habits take up.
    public var byteCount: Int
  }
}
