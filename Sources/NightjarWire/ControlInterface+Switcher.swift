public import Varlink

/// What apps show, and the app switcher.
extension ControlInterface {
  /// An app in the switcher. `snapshot` is the number of its snapshot; `hidden` says that it must not be seen just now.
  public struct Recent: Codable, Hashable, Sendable {
    public var app: String
    public var name: String
    public var state: App.State
    public var snapshot: Int64?
    public var hidden: Bool

    /// Fills in every field; what may be null is null unless given.
    public init(app: String, name: String, state: App.State, snapshot: Int64? = nil, hidden: Bool) {
      (self.app, self.name, self.state, self.snapshot, self.hidden) = (app, name, state, snapshot, hidden)
    }
  }

  /// Names an app.
  public struct NamedApp: Codable, Hashable, Sendable {
    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) { self.app = app }
  }

  /// The apps in the switcher: those that a person has used, the newest first.
  public enum ListRecents: WireMethod {
    public static let name = "dev.nightjar.Control.ListRecents"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var recents: [Recent]

      /// Fills in every field; what may be null is null unless given.
      public init(recents: [Recent]) { self.recents = recents }
    }
  }

  /// Removes an app from the switcher: it ends, its transfers are cancelled, its snapshot and the state that it would
  /// be restored to are removed, and nothing launches it until a person does.
  public enum RemoveRecent: WireMethod {
    public static let name = "dev.nightjar.Control.RemoveRecent"

    public typealias Parameters = NamedApp
    public typealias Reply = Nothing
  }

  /// The view that an app shows just now, and its number; null while it shows none. A newer view has a higher number.
  /// The HTML is the app's own: show it in a sandbox. `hidden`: there is a view, but it is withheld, since the device
  /// is locked and the app protected; null from a daemon that does not withhold views.
  public enum ShowView: WireMethod {
    public static let name = "dev.nightjar.Control.ShowView"

    public typealias Parameters = NamedApp
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var number: Int64?
      public var html: String?
      public var hidden: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64? = nil, html: String? = nil, hidden: Bool? = nil) {
        (self.number, self.html, self.hidden) = (number, html, hidden)
      }
    }
  }

  /// What an app showed when it was left, or when background work ended; null if there is none. `hidden`: there is a
  /// snapshot, but it is withheld, since the device is locked and the app protected.
  public enum ShowSnapshot: WireMethod {
    public static let name = "dev.nightjar.Control.ShowSnapshot"

    public typealias Parameters = NamedApp
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var number: Int64?
      public var html: String?
      public var hidden: Bool

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64? = nil, html: String? = nil, hidden: Bool) {
        (self.number, self.html, self.hidden) = (number, html, hidden)
      }
    }
  }

  /// Tells the app in the foreground what a person did in its view.
  public enum Act: WireMethod {
    public static let name = "dev.nightjar.Control.Act"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String
      public var action: String
      public var fields: [String: String]

      /// Fills in every field; what may be null is null unless given.
      public init(app: String, action: String, fields: [String: String] = [:]) {
        (self.app, self.action, self.fields) = (app, action, fields)
      }
    }

    public typealias Reply = Nothing
  }
}
