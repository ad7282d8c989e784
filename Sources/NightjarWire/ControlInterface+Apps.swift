/// The methods about the daemon and its apps.
extension ControlInterface {
  /// The daemon's state: its version and process, its places, how many apps, transfers and events it holds, and what it
  /// must do without on this machine.
  public enum Status: WireMethod {
    public static let name = "dev.nightjar.Control.Status"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var version: String
      public var pid: Int64
      public var home: String
      public var socket: String
      public var apps: Int64
      public var transfers: Int64
      public var running: Int64
      public var waiting: Int64
      public var online: Bool
      public var degraded: [String]
      public var device: Device?

      /// Fills in every field; what may be null is null unless given.
      public init(
        version: String, pid: Int64, home: String, socket: String, apps: Int64, transfers: Int64, running: Int64,
        waiting: Int64, online: Bool, degraded: [String], device: Device? = nil
      ) {
        self.version = version
        self.pid = pid
        self.home = home
        self.socket = socket
        self.apps = apps
        self.transfers = transfers
        self.running = running
        self.waiting = waiting
        self.online = online
        self.degraded = degraded
        self.device = device
      }
    }

  }

  /// All installed apps and registered programs, by name.
  public enum ListApps: WireMethod {
    public static let name = "dev.nightjar.Control.ListApps"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var apps: [App]

      /// Fills in every field; what may be null is null unless given.
      public init(apps: [App]) {
        self.apps = apps
      }
    }

  }

  /// Installs the bundle at an absolute path, or upgrades the app of the same identifier; its container and transfers
  /// stay.
  public enum Install: WireMethod {
    public static let name = "dev.nightjar.Control.Install"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var path: String

      /// Fills in every field; what may be null is null unless given.
      public init(path: String) {
        self.path = path
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var app: App

      /// Fills in every field; what may be null is null unless given.
      public init(app: App) {
        self.app = app
      }
    }

  }

  /// Ends the app, cancels its transfers, and removes it with its container.
  public enum Uninstall: WireMethod {
    public static let name = "dev.nightjar.Control.Uninstall"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String

      /// Fills in every field; what may be null is null unless given.
      public init(app: String) {
        self.app = app
      }
    }

    public typealias Reply = Nothing
  }

  /// Launches an app into the foreground, as a person does. Answers when it runs. With `backgroundFetch` it is launched
  /// into the background instead, to refresh its content, and must not run yet. An app that already runs comes to the
  /// foreground, without the arguments.
  public enum Launch: WireMethod {
    public static let name = "dev.nightjar.Control.Launch"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String
      public var arguments: [String]
      public var backgroundFetch: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String, arguments: [String], backgroundFetch: Bool? = nil) {
        self.app = app
        self.arguments = arguments
        self.backgroundFetch = backgroundFetch
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var pid: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(pid: Int64) {
        self.pid = pid
      }
    }

  }

  /// The app in the foreground leaves it, as when a person presses the home button: it may finish what it has begun,
  /// and is suspended then. `app` is null if there was none.
  public enum Leave: WireMethod {
    public static let name = "dev.nightjar.Control.Leave"

    public typealias Parameters = Nothing

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var app: String?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String? = nil) {
        self.app = app
      }
    }

  }

  /// Ends a running app: it is asked to exit, and killed if it has not within 5 seconds.
  public enum Terminate: WireMethod {
    public static let name = "dev.nightjar.Control.Terminate"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String

      /// Fills in every field; what may be null is null unless given.
      public init(app: String) {
        self.app = app
      }
    }

    public typealias Reply = Nothing
  }

  /// Everything that changes, as it changes: first every transfer that has not ended, then `current` once, then
  /// changes. Call with `more`. Progress is thinned out; a reader that is too slow is disconnected. Exactly one field
  /// of each reply is set.
  public enum Monitor: WireMethod {
    public static let name = "dev.nightjar.Control.Monitor"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var transfer: Transfer?
      public var removed: Int64?
      public var app: App?
      public var current: Bool?
      public var device: Device?
      public var notice: Notice?
      public var noticeRemoved: Int64?
      public var appRemoved: String?
      public var fetch: FetchDecision?
      public var trouble: String?

      /// Fills in every field; what may be null is null unless given.
      public init(
        transfer: Transfer? = nil, removed: Int64? = nil, app: App? = nil, current: Bool? = nil, device: Device? = nil,
        notice: Notice? = nil, noticeRemoved: Int64? = nil, appRemoved: String? = nil, fetch: FetchDecision? = nil,
        trouble: String? = nil
      ) {
        self.transfer = transfer
        self.removed = removed
        self.app = app
        self.current = current
        self.device = device
        (self.notice, self.noticeRemoved, self.appRemoved) = (notice, noticeRemoved, appRemoved)
        (self.fetch, self.trouble) = (fetch, trouble)
      }
    }

  }

  /// The log that an app's output is written to at present.
  public enum LogPath: WireMethod {
    public static let name = "dev.nightjar.Control.LogPath"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String

      /// Fills in every field; what may be null is null unless given.
      public init(app: String) {
        self.app = app
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var path: String

      /// Fills in every field; what may be null is null unless given.
      public init(path: String) {
        self.path = path
      }
    }

  }
}
