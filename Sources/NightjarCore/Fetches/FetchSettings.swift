import NightjarModel

/// The parameters of fetch decisions; the daemon's configuration sets some of them.
public struct FetchSettings: Hashable, Sendable {
  /// How many fetches an app is granted in a day, on the average of all apps that want any and may have them.
  public var perAppAndDay: Double
  /// The energy that all fetches may take in a day, as far as it comes from a battery: an estimate, in joules.
  public var joulesPerDay: Double
  /// The bytes that all fetches may move in a day over networks that cost money.
  public var expensiveBytesPerDay: Double

  /// The least time between two fetches of an app, even if it asks for less.
  public var intervalMin: Duration
  /// What part of the threshold is enough for an app to join a window that is open anyway.
  public var joinFactor = 0.45
  /// How long the traffic of an app that comes to the foreground lasts.
  public var openingTraffic = Duration.seconds(2)
  /// For how long the radio is up after the device was used: that traffic, and LTE's tail (``Radio/lte``).
  public var radioUp = Duration.seconds(14)
  /// From this age of its content on an app joins every window, and from half as much again it opens one.
  public var neglectMax = Duration.hours(48)
  /// How much the threshold is raised on battery, and on a network that costs money.
  public var (batteryFactor, expensiveFactor) = (1.5, 2.0)
  /// How much it is lowered on the charger and a network that costs nothing.
  public var chargingFactor = 0.7
  /// How full the battery must be, in percent, unless it is charging.
  public var batteryMin: Int
  /// The rule is asked again at multiples of this, so that apps are fetched together.
  public var tick = Duration.minutes(5)
  /// The longest time until the next look.
  public var lookMax = Duration.hours(6)

  /// Takes from the limits what they say of fetches; everything else is the same for all.
  public init(_ limits: Limits = Limits()) {
    perAppAndDay = Double(limits.fetchesPerAppAndDay)
    joulesPerDay = Double(limits.fetchJoulesPerDay)
    expensiveBytesPerDay = Double(limits.fetchExpensiveBytesPerDay)
    (intervalMin, batteryMin) = (limits.fetchIntervalMin, limits.batteryMin)
  }
}
