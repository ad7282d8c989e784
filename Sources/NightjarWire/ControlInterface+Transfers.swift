/// The methods about transfers.
extension ControlInterface {
  /// The transfers with a number above `after` (from the first if null), at most `limit` (500 if null), of one app or
  /// of all.
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

  /// What a transfer does or waits for, as sentences, the most important first.
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

  /// Why an app runs or does not, as sentences, the most important first.
  public enum WhyApp: WireMethod {
    public static let name = "dev.nightjar.Control.WhyApp"

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
      public var sentences: [String]

      /// Fills in every field; what may be null is null unless given.
      public init(sentences: [String]) {
        self.sentences = sentences
      }
    }

  }

  /// Suspends a transfer: its connection is closed, the bytes it has are kept.
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

  /// Resumes a suspended transfer, or has a waiting one retry at once.
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

  /// Queues a download that the daemon delivers itself, to an absolute path. An existing file is replaced only if
  /// `overwrite` is set, a folder or a device never. The file gets the permissions that the daemon's umask leaves of
  /// 0666, and in a setgid folder the folder's group. InvalidRequest (`destination`) if that, a folder that does not
  /// exist or that the daemon's user may not write into, or a name too long for it is seen at once. `key` is 32 random
  /// hexadecimal digits; a call that repeats it with the same URL and file is answered like the first, any other with
  /// InvalidRequest (`key`).
  public enum Download: WireMethod {
    public static let name = "dev.nightjar.Control.Download"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var key: String
      public var url: String
      public var headers: [WireHeader]
      public var destination: String
      public var overwrite: Bool
      public var options: WireOptions?
      public var priority: Double?

      /// Fills in every field; what may be null is null unless given.
      public init(
        key: String, url: String, headers: [WireHeader], destination: String, overwrite: Bool,
        options: WireOptions? = nil, priority: Double? = nil
      ) {
        self.key = key
        self.url = url
        self.headers = headers
        self.destination = destination
        self.overwrite = overwrite
        self.options = options
        self.priority = priority
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
      public var options: WireOptions?
      public var priority: Double?

      /// Fills in every field; what may be null is null unless given.
      public init(
        key: String, url: String, method: String, headers: [WireHeader], file: String, options: WireOptions? = nil,
        priority: Double? = nil
      ) {
        self.key = key
        self.url = url
        self.method = method
        self.headers = headers
        self.file = file
        self.options = options
        self.priority = priority
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
}
