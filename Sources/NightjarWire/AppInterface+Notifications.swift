public import Varlink

extension AppInterface {
  /// A local notification. `key` is 32 random hexadecimal digits; scheduling a key that is known changes nothing. `info`
  /// is the app's own, in base64.
  public struct Notification: Codable, Hashable, Sendable {
    public var key: String
    /// When it is due, in milliseconds since 1970; at once if null or past.
    public var at: Int64?
    /// The name of a time zone, and how many seconds its clocks are ahead of UTC at that time. With them it is due when the
    /// clock shows, wherever the device is then, what it shows there at `at`. Without, `at` itself counts.
    public var zone: String?
    public var offset: Int64?
    public var interval: Interval?
    /// The identifier of a calendar, kept for the app; and the days of the repetitions if they are not an interval of the
    /// Gregorian calendar apart: days since 1970 in the zone, or in UTC, each later than the one before. The last is the end.
    public var calendar: String?
    public var days: [Int64]?
    public var body: String?
    public var action: String?
    /// Default true.
    public var hasAction: Bool?
    public var launchImage: String?
    public var sound: String?
    /// The number on the app's icon from then on; null or 0 leaves it as it is.
    public var badge: Int64?
    public var info: String?

    /// After what it is repeated.
    public enum Interval: String, Codable, Hashable, Sendable, CaseIterable {
      case second, minute, hour, day, week, month, quarter, year
    }

    /// Fills in the name; everything else is null.
    public init(key: String) { self.key = key }
  }

  /// A notification for the app's delegate: it was fired while the app was in the foreground, or a person has opened the app
  /// by it. Told again over a new connection until TakeNotification says that it was taken.
  public struct Notified: Codable, Hashable, Sendable {
    public var number: Int64
    public var notification: Notification
    public var tapped: Bool

    /// Fills in every field.
    public init(number: Int64, notification: Notification, tapped: Bool) {
      self.number = number
      self.notification = notification
      self.tapped = tapped
    }
  }

  /// What a person allows the app, the number on its icon, what the device has of power, and whether it is locked.
  public struct Standing: Codable, Hashable, Sendable {
    /// Whether it may be launched to refresh its content.
    public var backgroundRefresh: Bool
    /// Whether its notifications are shown, make a sound, and change the number on its icon.
    public var alerts: Bool
    public var sounds: Bool
    public var badges: Bool
    public var badge: Int64
    /// Whether refreshing is forbidden by whoever looks after the machine; null means no.
    public var refreshRestricted: Bool?
    /// How full the battery is, in percent; null where there is none, or nobody knows.
    public var battery: Int64?
    /// Where the power comes from.
    public var power: Power?
    /// Whether the battery is being charged.
    public var charging: Bool?
    /// Whether the person saves power.
    public var lowPower: Bool?
    /// Whether the device is locked; null while nobody knows, which tells of no change.
    public var locked: Bool?

    /// Where the device's power comes from.
    public enum Power: String, Codable, Hashable, Sendable {
      case external, battery
    }

    /// Fills in every field but those of the device.
    public init(backgroundRefresh: Bool, alerts: Bool, sounds: Bool, badges: Bool, badge: Int64) {
      self.backgroundRefresh = backgroundRefresh
      (self.alerts, self.sounds, self.badges) = (alerts, sounds, badges)
      self.badge = badge
    }
  }

  /// Schedules notifications, in the place of all that are scheduled if `replace` is set; those without a time are fired at
  /// once. One that was listed and replaces itself unchanged goes on: what it was fired for it is not fired for again. Of more
  /// than 64 the soonest are kept. They stay until they were fired or cancelled, over reboots.
  public enum ScheduleNotifications: WireMethod {
    public static let name = "dev.nightjar.App.ScheduleNotifications"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var notifications: [Notification]
      public var replace: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(notifications: [Notification], replace: Bool? = nil) {
        self.notifications = notifications
        self.replace = replace
      }
    }

    public typealias Reply = Nothing
  }

  /// Cancels the notifications of these keys, and all that equal one of `like`, whose own keys do not count; without either, all
  /// of the app's. They are not fired any more, and not shown.
  public enum CancelNotifications: WireMethod {
    public static let name = "dev.nightjar.App.CancelNotifications"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var keys: [String]?
      public var like: [Notification]?

      /// Fills in every field; what may be null is null unless given.
      public init(keys: [String]? = nil, like: [Notification]? = nil) { (self.keys, self.like) = (keys, like) }
    }

    public typealias Reply = Nothing
  }

  /// The notifications that the app has scheduled, the soonest first.
  public enum ListNotifications: WireMethod {
    public static let name = "dev.nightjar.App.ListNotifications"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var notifications: [Notification]

      /// Fills in every field.
      public init(notifications: [Notification]) { self.notifications = notifications }
    }
  }

  /// Sets the number on the app's icon. 0 takes it off, and the app's notifications off the screen.
  public enum SetBadge: WireMethod {
    public static let name = "dev.nightjar.App.SetBadge"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var count: Int64

      /// Fills in every field.
      public init(count: Int64) { self.count = count }
    }

    public typealias Reply = Nothing
  }

  /// The app's delegate has been told of a notification: it is not told again.
  public enum TakeNotification: WireMethod {
    public static let name = "dev.nightjar.App.TakeNotification"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64

      /// Fills in every field.
      public init(number: Int64) { self.number = number }
    }

    public typealias Reply = Nothing
  }
}
