/// What a person allows an app.
public struct AppSettings: Hashable, Sendable {
  /// Whether it may be launched to refresh its content (Background App Refresh).
  public var refreshes = true
  /// Whether its notifications are shown.
  public var alerts = true
  /// Whether they make a sound.
  public var sounds = true
  /// Whether its icon shows a number.
  public var badges = true

  /// Everything is allowed.
  public init() {}
}

/// What a person changes of settings; what is nil stays as it is.
public struct SettingsChange: Hashable, Sendable {
  /// See ``AppSettings/refreshes``.
  public var refreshes: Bool?
  /// See ``AppSettings/alerts``.
  public var alerts: Bool?
  /// See ``AppSettings/sounds``.
  public var sounds: Bool?
  /// See ``AppSettings/badges``.
  public var badges: Bool?

  /// A change of what is given.
  public init(refreshes: Bool? = nil, alerts: Bool? = nil, sounds: Bool? = nil, badges: Bool? = nil) {
    (self.refreshes, self.alerts, self.sounds, self.badges) = (refreshes, alerts, sounds, badges)
  }
}

extension AppSettings {
  /// The settings after a change.
  public func changed(by change: SettingsChange) -> AppSettings {
    var settings = self
    settings.refreshes = change.refreshes ?? refreshes
    settings.alerts = change.alerts ?? alerts
    settings.sounds = change.sounds ?? sounds
    settings.badges = change.badges ?? badges
    return settings
  }
}

/// The device's power, as far as an app is told.
public struct PowerView: Hashable, Sendable {
  /// How full the battery is, in percent; nil where there is none, or it is unknown.
  public var battery: Int?
  /// Where the power comes from.
  public var power: Conditions.Power
  /// Whether the battery is being charged.
  public var isCharging: Bool
  /// Whether the person saves power.
  public var isLowPower: Bool

  /// The power by some conditions.
  public init(_ conditions: Conditions = Conditions()) {
    (battery, power) = (conditions.battery, conditions.power)
    (isCharging, isLowPower) = (conditions.isCharging, conditions.isLowPower)
  }
}

/// What an app is told of its own standing, and of the device that it runs on.
public struct Standing: Hashable, Sendable {
  /// What it is allowed; refreshing only if no setting for all apps forbids it.
  public var settings: AppSettings
  /// Whether refreshing is forbidden by the machine's administrator, and not by the person.
  public var isRefreshRestricted: Bool
  /// The number that its icon shows.
  public var badge: Int
  /// The device's power.
  public var power: PowerView
  /// Whether the device is locked; nil while unknown.
  public var isLocked: Bool?

  /// A standing.
  public init(
    settings: AppSettings, isRefreshRestricted: Bool = false, badge: Int, power: PowerView = PowerView(),
    isLocked: Bool? = nil
  ) {
    (self.settings, self.isRefreshRestricted, self.badge) = (settings, isRefreshRestricted, badge)
    (self.power, self.isLocked) = (power, isLocked)
  }
}
