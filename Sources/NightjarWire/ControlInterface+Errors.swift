extension ControlInterface {
  /// There is no app of this name; `nightjar apps` lists them.
  public struct NoSuchApp: WireFailure {
    public static let name = "dev.nightjar.Control.NoSuchApp"

    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) {
      self.app = app
    }
  }

  /// There is no transfer of this number; `nightjar transfers` lists them.
  public struct NoSuchTransfer: WireFailure {
    public static let name = "dev.nightjar.Control.NoSuchTransfer"

    public var id: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(id: Int64) {
      self.id = id
    }
  }

  /// The notification centre has no notification of this number; `nightjar notifications` lists them.
  public struct NoSuchNotice: WireFailure {
    public static let name = "dev.nightjar.Control.NoSuchNotice"

    public var id: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(id: Int64) {
      self.id = id
    }
  }

  /// The bundle cannot be installed.
  public struct BundleRefused: WireFailure {
    public static let name = "dev.nightjar.Control.BundleRefused"

    public var path: String
    public var reason: String

    /// Fills in every field; what may be null is null unless given.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The app could not be launched.
  public struct LaunchFailed: WireFailure {
    public static let name = "dev.nightjar.Control.LaunchFailed"

    public var app: String
    public var code: String
    public var detail: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String, code: String, detail: String) {
      self.app = app
      self.code = code
      self.detail = detail
    }
  }

  /// The app is a program that the daemon neither launches by hand nor ends.
  public struct NotABundle: WireFailure {
    public static let name = "dev.nightjar.Control.NotABundle"

    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) {
      self.app = app
    }
  }

  /// The app does not run.
  public struct NotRunning: WireFailure {
    public static let name = "dev.nightjar.Control.NotRunning"

    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) {
      self.app = app
    }
  }

  /// The app is not in the foreground.
  public struct NotInForeground: WireFailure {
    public static let name = "dev.nightjar.Control.NotInForeground"

    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) {
      self.app = app
    }
  }

  /// The call does not fit the transfer's state, such as pausing one that has ended.
  public struct WrongState: WireFailure {
    public static let name = "dev.nightjar.Control.WrongState"

    public var id: Int64
    public var state: String
    public var reason: String

    /// Fills in every field; what may be null is null unless given.
    public init(id: Int64, state: String, reason: String) {
      self.id = id
      self.state = state
      self.reason = reason
    }
  }

  /// A parameter cannot be used.
  public struct InvalidRequest: WireFailure {
    public static let name = "dev.nightjar.Control.InvalidRequest"

    public var field: String
    public var reason: String

    /// Fills in every field; what may be null is null unless given.
    public init(field: String, reason: String) {
      self.field = field
      self.reason = reason
    }
  }

  /// A limit is reached: `what` it counts, and how high it is.
  public struct LimitReached: WireFailure {
    public static let name = "dev.nightjar.Control.LimitReached"

    public var what: String
    public var limit: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(what: String, limit: Int64) {
      self.what = what
      self.limit = limit
    }
  }

  /// The database cannot be written, for example because its disk is full, and nothing is done until it can. If
  /// pending, the call is carried out then, unless the daemon ends first; otherwise it was not accepted.
  public struct CannotSave: WireFailure {
    public static let name = "dev.nightjar.Control.CannotSave"

    public var reason: String
    public var pending: Bool

    /// Fills in every field.
    public init(reason: String, pending: Bool) { (self.reason, self.pending) = (reason, pending) }
  }

  /// The app may not be refreshed, or cannot be just now; the interface file lists the codes.
  public struct FetchRefused: WireFailure {
    public static let name = "dev.nightjar.Control.FetchRefused"

    public var app: String
    public var code: String
    public var reason: String

    /// Fills in every field.
    public init(app: String, code: String, reason: String) {
      (self.app, self.code, self.reason) = (app, code, reason)
    }
  }
}
