public import Varlink

/// The methods about what a person allows, and about notifications.
extension ControlInterface {
  /// What an installed app is allowed to do. It may be launched to refresh its content only if the setting for all apps
  /// allows it, too.
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
    /// What is shown above the body.
    public var title: String?
    public var body: String
    /// The title of the button that opens the app; null for no button.
    public var action: String?
    public var sounds: Bool
    public var firedAt: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(
      id: Int64, app: String, title: String? = nil, body: String, action: String? = nil, sounds: Bool, firedAt: Int64
    ) {
      self.id = id
      self.app = app
      self.title = title
      self.body = body
      self.action = action
      self.sounds = sounds
      self.firedAt = firedAt
    }
  }

  /// The settings: whether content may be refreshed in the background at all, and what each app is allowed, by name.
  public enum ListSettings: WireMethod {
    public static let name = "dev.nightjar.Control.ListSettings"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var backgroundRefresh: Bool
      /// Whether the machine's administrator forbids it all the same; null means no.
      public var restricted: Bool?
      public var apps: [Settings]

      /// Fills in every field; what may be null is null unless given.
      public init(backgroundRefresh: Bool, restricted: Bool? = nil, apps: [Settings]) {
        (self.backgroundRefresh, self.restricted, self.apps) = (backgroundRefresh, restricted, apps)
      }
    }
  }

  /// Changes what an app is allowed; null leaves a setting as it is. Without an app, `backgroundRefresh` is the setting
  /// for all apps, which applies beside each app's own; the others are changed for every app.
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

  /// The notifications in the notification centre, the newest first, at most 10000.
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

  /// Opens the app of a notification: the app is told which one was tapped, and the notification is removed. Answers
  /// when the app runs.
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

  /// Removes a notification from the notification centre.
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
