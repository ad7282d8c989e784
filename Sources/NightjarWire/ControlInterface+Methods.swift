extension ControlInterface {
  /// How the daemon is: its version and process, where it lives, what it holds, and what it must do without here.
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

      /// Fills in every field; what may be null is null unless given.
      public init(
        version: String, pid: Int64, home: String, socket: String, apps: Int64, transfers: Int64, running: Int64,
        waiting: Int64, online: Bool, degraded: [String]
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

  /// Installs the bundle at an absolute path, or upgrades the app of the same identifier; its container and transfers stay.
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

  /// Launches an app into the foreground, as a person does. Answers when it runs.
  public enum Launch: WireMethod {
    public static let name = "dev.nightjar.Control.Launch"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String
      public var arguments: [String]

      /// Fills in every field; what may be null is null unless given.
      public init(app: String, arguments: [String]) {
        self.app = app
        self.arguments = arguments
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

  /// Ends a running app: asked to first, killed if it does not go within 5 seconds.
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

  /// The transfers with a number above `after` (from the first if null), at most `limit` (500 if null), of one app or of all.
  public enum ListTransfers: WireMethod {
    public static let name = "dev.nightjar.Control.ListTransfers"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String?
      public var after: Int64?
      public var limit: Int64?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String? = nil, after: Int64? = nil, limit: Int64? = nil) {
        self.app = app
        self.after = after
        self.limit = limit
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var transfers: [Transfer]
      public var complete: Bool

      /// Fills in every field; what may be null is null unless given.
      public init(transfers: [Transfer], complete: Bool) {
        self.transfers = transfers
        self.complete = complete
      }
    }

  }

  /// One transfer.
  public enum ShowTransfer: WireMethod {
    public static let name = "dev.nightjar.Control.ShowTransfer"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var transfer: Transfer

      /// Fills in every field; what may be null is null unless given.
      public init(transfer: Transfer) {
        self.transfer = transfer
      }
    }

  }

  /// What a transfer does or waits for, one sentence after the other, the most important first.
  public enum Why: WireMethod {
    public static let name = "dev.nightjar.Control.Why"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var sentences: [String]

      /// Fills in every field; what may be null is null unless given.
      public init(sentences: [String]) {
        self.sentences = sentences
      }
    }

  }

  /// Suspends a transfer: its connection is given up, what it has is kept.
  public enum Pause: WireMethod {
    public static let name = "dev.nightjar.Control.Pause"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

    public typealias Reply = Nothing
  }

  /// Lets a suspended transfer go on, or one that waits try again at once.
  public enum Resume: WireMethod {
    public static let name = "dev.nightjar.Control.Resume"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

    public typealias Reply = Nothing
  }

  /// Cancels a transfer, or removes one that has ended from the list. What was delivered stays.
  public enum Cancel: WireMethod {
    public static let name = "dev.nightjar.Control.Cancel"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

    public typealias Reply = Nothing
  }

  /// Queues a download that the daemon delivers itself, to an absolute path. A file that stands there is replaced only if
  /// `overwrite` is set. `key` is 32 random hexadecimal digits; a repetition of the same key is answered like the first.
  public enum Download: WireMethod {
    public static let name = "dev.nightjar.Control.Download"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var key: String
      public var url: String
      public var headers: [WireHeader]
      public var destination: String
      public var overwrite: Bool

      /// Fills in every field; what may be null is null unless given.
      public init(key: String, url: String, headers: [WireHeader], destination: String, overwrite: Bool) {
        self.key = key
        self.url = url
        self.headers = headers
        self.destination = destination
        self.overwrite = overwrite
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

  }

  /// Queues an upload of the file at an absolute path.
  public enum Upload: WireMethod {
    public static let name = "dev.nightjar.Control.Upload"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var key: String
      public var url: String
      public var method: String
      public var headers: [WireHeader]
      public var file: String

      /// Fills in every field; what may be null is null unless given.
      public init(key: String, url: String, method: String, headers: [WireHeader], file: String) {
        self.key = key
        self.url = url
        self.method = method
        self.headers = headers
        self.file = file
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var id: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(id: Int64) {
        self.id = id
      }
    }

  }

  /// Everything that changes, as it changes: first every transfer that has not ended, then `current` once, then changes.
  /// Call with `more`. Progress is thinned out; a reader that is too slow is disconnected.
  /// Exactly one field of each reply is set.
  public enum Monitor: WireMethod {
    public static let name = "dev.nightjar.Control.Monitor"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var transfer: Transfer?
      public var removed: Int64?
      public var app: App?
      public var current: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(transfer: Transfer? = nil, removed: Int64? = nil, app: App? = nil, current: Bool? = nil) {
        self.transfer = transfer
        self.removed = removed
        self.app = app
        self.current = current
      }
    }

  }

  /// Where an app's output is kept: the file that grows now.
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
