public import Varlink

/// The methods about what a person allows, and about notifications.
extension ControlInterface {
  /// What an installed app is allowed. It may be launched to refresh its content only if that is allowed for all, too.
  public struct Settings: Codable, Hashable, Sendable {
    public var app: String
    public var backgroundRefresh: Bool
    /// Whether its notifications are shown, make a sound, and change the number on its icon.
    public var alerts: Bool
    public var sounds: Bool
    public var badges: Bool

    /// Fills in every field.
    public init(app: String, backgroundRefresh: Bool, alerts: Bool, sounds: Bool, badges: Bool) {
      self.app = app
      self.backgroundRefresh = backgroundRefresh
      (self.alerts, self.sounds, self.badges) = (alerts, sounds, badges)
    }
  }

  /// A notification that lies in the notification centre. `firedAt` is in milliseconds since 1970.
  public struct Notice: Codable, Hashable, Sendable {
    public var id: Int64
    public var app: String
    public var body: String
    /// What the button says that opens the app; null if there is to be none.
    public var action: String?
    public var sounds: Bool
    public var firedAt: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(id: Int64, app: String, body: String, action: String? = nil, sounds: Bool, firedAt: Int64) {
      self.id = id
      self.app = app
      self.body = body
      self.action = action
      self.sounds = sounds
      self.firedAt = firedAt
    }
  }

  /// What is allowed: refreshing content in the background for all apps, and everything for each, by name.
  public enum ListSettings: WireMethod {
    public static let name = "dev.nightjar.Control.ListSettings"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var backgroundRefresh: Bool
      /// Whether whoever looks after the machine forbids it all the same; null means no.
      public var restricted: Bool?
      public var apps: [Settings]

      /// Fills in every field; what may be null is null unless given.
      public init(backgroundRefresh: Bool, restricted: Bool? = nil, apps: [Settings]) {
        (self.backgroundRefresh, self.restricted, self.apps) = (backgroundRefresh, restricted, apps)
      }
    }
  }

  /// Changes what an app is allowed; what is null stays as it is. Without an app, `backgroundRefresh` is the setting for all
  /// of them, beside each one's own, and the others are changed for each.
  public enum ChangeSettings: WireMethod {
    public static let name = "dev.nightjar.Control.ChangeSettings"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String?
      public var backgroundRefresh: Bool?
      public var alerts: Bool?
      public var sounds: Bool?
      public var badges: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(
        app: String? = nil, backgroundRefresh: Bool? = nil, alerts: Bool? = nil, sounds: Bool? = nil,
        badges: Bool? = nil
      ) {
        self.app = app
        self.backgroundRefresh = backgroundRefresh
        (self.alerts, self.sounds, self.badges) = (alerts, sounds, badges)
      }
    }

    public typealias Reply = Nothing
  }

  /// What lies in the notification centre, the newest first.
  public enum ListNotices: WireMethod {
    public static let name = "dev.nightjar.Control.ListNotices"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var notices: [Notice]

      /// Fills in every field.
      public init(notices: [Notice]) { self.notices = notices }
    }
  }

  /// Opens the app of a notification by it: the app is told which, and the notification goes. Answers when the app runs.
  public enum TapNotice: WireMethod {
    public static let name = "dev.nightjar.Control.TapNotice"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field.
      public init(id: Int64) { self.id = id }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var pid: Int64

      /// Fills in every field.
      public init(pid: Int64) { self.pid = pid }
    }
  }

  /// Puts a notification away.
  public enum DismissNotice: WireMethod {
    public static let name = "dev.nightjar.Control.DismissNotice"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field.
      public init(id: Int64) { self.id = id }
    }

    public typealias Reply = Nothing
  }
}
