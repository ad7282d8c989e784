public import NightjarModel

/// What a person allows.
public struct SettingsView: Hashable, Sendable {
  /// Whether apps may be launched to refresh their content at all.
  public var refreshes: Bool
  /// Whether the machine's administrator forbids that all the same.
  public var isRestricted: Bool
  /// Each installed app's own settings.
  public var apps: [Entry]

  /// The settings of one app.
  public struct Entry: Hashable, Sendable {
    /// The app.
    public var app: AppID
    /// What it is allowed.
    public var settings: AppSettings
  }
}
