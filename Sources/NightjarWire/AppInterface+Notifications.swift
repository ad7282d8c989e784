public import Varlink

extension AppInterface {
  /// A local notification. `key` is 32 random hexadecimal digits; scheduling a key that is known changes nothing.
  /// `info` is the app's own, in base64.
  public struct Notification: Codable, Hashable, Sendable {
    public var key: String
    /// When it is due, in milliseconds since 1970; at once if null or past.
    public var at: Int64?
    /// The name of a time zone, and how many seconds its clocks are ahead of UTC at that time. With them it is due at a
    /// local time: when the clocks where the device is then show what the zone's clocks show at `at`. Without them it
    /// is due at `at` itself.
    public var zone: String?
    public var offset: Int64?
    public var interval: Interval?
    /// How many intervals there are from one repetition to the next; null for one.
    public var every: Int64?
    /// The identifier of a calendar, kept for the app; and the days of the repetitions if the Gregorian calendar's
    /// interval does not yield them: days since 1970 in the zone, or in UTC, in ascending order. After the last it is
    /// not repeated.
    public var calendar: String?
    public var days: [Int64]?
    /// What is shown above the body; it is only shown with one.
    public var title: String?
    public var body: String?
    public var action: String?
    /// Default true.
    public var hasAction: Bool?
    public var launchImage: String?
    public var sound: String?
    /// The number on the app's icon from then on; null or 0 leaves it as it is.
    public var badge: Int64?
    public var info: String?
    /// The app's name for it. Scheduling a notification cancels all others of that name, those that are shown, too.
    public var identifier: String?

    /// The interval of its repetitions; null for none.
    public enum Interval: String, Codable, Hashable, Sendable, CaseIterable {
      case second, minute, hour, day, week, month, quarter, year
    }

    /// Fills in the name; everything else is null.
    public init(key: String) { self.key = key }
  }

  /// A notification of the app that lies in the notification centre. `firedAt` is in milliseconds since 1970.
  public struct ShownNotification: Codable, Hashable, Sendable {
    public var notification: Notification
    public var firedAt: Int64

    /// Fills in every field.
    public init(notification: Notification, firedAt: Int64) {
      (self.notification, self.firedAt) = (notification, firedAt)
    }
  }

  /// A notification for the app's delegate: it was fired while the app was in the foreground, or a person opened the
  /// app by tapping it. Sent again on every new connection until the app calls TakeNotification.
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

  /// What a person allows the app, the number on its icon, the device's power supply, and whether it is locked.
  public struct Standing: Codable, Hashable, Sendable {
    /// Whether it may be launched to refresh its content.
    public var backgroundRefresh: Bool
    /// Whether its notifications are shown, make a sound, and change the number on its icon.
    public var alerts: Bool
    public var sounds: Bool
    public var badges: Bool
    public var badge: Int64
    /// Whether the machine's administrator forbids refreshing; null means no.
    public var refreshRestricted: Bool?
    /// The battery's charge in percent; null if there is no battery or its charge is unknown.
    public var battery: Int64?
    /// Where the power comes from.
    public var power: Power?
    /// Whether the battery is being charged.
    public var charging: Bool?
    /// Whether the person saves power.
    public var lowPower: Bool?
    /// Whether the device is locked; null while that is unknown, which is not to be taken for a change.
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

  /// Schedules notifications, in place of all that are scheduled if `replace` is set; those without a time are fired at
  /// once. One that replaces itself unchanged goes on: it is not fired again for times it was fired for. If there are
  /// more than 64, the soonest are kept; more than 4096 in one call are refused. They survive reboots, until they are
  /// fired or cancelled.
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

  /// Cancels the notifications with these keys, those with one of `identifiers`, and all that equal one of `like` in
  /// everything but the key; without any of these, all of the app's. They are no longer fired, and no longer shown.
  /// `only` keeps it to those that are scheduled, or to those that are shown: a repeated one may be both.
  public enum CancelNotifications: WireMethod {
    public static let name = "dev.nightjar.App.CancelNotifications"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var keys: [String]?
      public var like: [Notification]?
      public var identifiers: [String]?
      public var only: Place?

      /// Where notifications are.
      public enum Place: String, Codable, Hashable, Sendable, CaseIterable {
        case scheduled, shown
      }

      /// Fills in every field; what may be null is null unless given.
      public init(
        keys: [String]? = nil, like: [Notification]? = nil, identifiers: [String]? = nil, only: Place? = nil
      ) {
        (self.keys, self.like, self.identifiers, self.only) = (keys, like, identifiers, only)
      }
    }

    public typealias Reply = Nothing
  }

  /// The notifications that the app has scheduled, the soonest first, and those that are shown, the newest first.
  public enum ListNotifications: WireMethod {
    public static let name = "dev.nightjar.App.ListNotifications"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var notifications: [Notification]
      public var shown: [ShownNotification]?

      /// Fills in every field; what may be null is null unless given.
      public init(notifications: [Notification], shown: [ShownNotification]? = nil) {
        (self.notifications, self.shown) = (notifications, shown)
      }
    }
  }

  /// Sets the number on the app's icon. 0 removes it, and the app's notifications from the screen.
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

  /// Says that the app's delegate has received a notification: it is not sent again. With `show` one that was fired
  /// while the app was in the foreground is shown all the same, without its sound if `silent` is set.
  public enum TakeNotification: WireMethod {
    public static let name = "dev.nightjar.App.TakeNotification"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64
      public var show: Bool?
      public var silent: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64, show: Bool? = nil, silent: Bool? = nil) {
        (self.number, self.show, self.silent) = (number, show, silent)
      }
    }

    public typealias Reply = Nothing
  }
}
