extension AppInterface {
  /// The caller runs in no app's cgroup and has attached under no name.
  public struct NotAnApp: WireFailure {
    public static let name = "dev.nightjar.App.NotAnApp"

    public var pid: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(pid: Int64) {
      self.pid = pid
    }
  }

  /// The app has no attachment yet: call Attach first.
  public struct NotAttached: WireFailure {
    public static let name = "dev.nightjar.App.NotAttached"

    public var app: String

    /// Fills in every field; what may be null is null unless given.
    public init(app: String) {
      self.app = app
    }
  }

  /// The name of a program is not 1 to 128 letters, digits, dots, hyphens and underscores that begin with a letter or
  /// digit; or it belongs to another app; or the process is attached under another name, over this connection or
  /// another that it has not closed.
  public struct NameRefused: WireFailure {
    public static let name = "dev.nightjar.App.NameRefused"

    public var name: String
    public var reason: String

    /// Fills in every field; what may be null is null unless given.
    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// Another live process holds the session.
  public struct SessionInUse: WireFailure {
    public static let name = "dev.nightjar.App.SessionInUse"

    public var session: String
    public var pid: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(session: String, pid: Int64) {
      self.session = session
      self.pid = pid
    }
  }

  /// The session is not open: call OpenSession first.
  public struct SessionNotOpen: WireFailure {
    public static let name = "dev.nightjar.App.SessionNotOpen"

    public var session: String

    /// Fills in every field; what may be null is null unless given.
    public init(session: String) {
      self.session = session
    }
  }

  /// The session has no such task.
  public struct NoSuchTask: WireFailure {
    public static let name = "dev.nightjar.App.NoSuchTask"

    public var session: String
    public var task: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(session: String, task: Int64) {
      self.session = session
      self.task = task
    }
  }

  /// The session still has tasks.
  public struct SessionHasTasks: WireFailure {
    public static let name = "dev.nightjar.App.SessionHasTasks"

    public var session: String
    public var count: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(session: String, count: Int64) {
      self.session = session
      self.count = count
    }
  }

  /// A field of a request cannot be used.
  public struct InvalidRequest: WireFailure {
    public static let name = "dev.nightjar.App.InvalidRequest"

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
    public static let name = "dev.nightjar.App.LimitReached"

    public var what: String
    public var limit: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(what: String, limit: Int64) {
      self.what = what
      self.limit = limit
    }
  }

  /// The app does not declare a background mode that the call needs; `hint` is the command that declares it.
  public struct NotDeclared: WireFailure {
    public static let name = "dev.nightjar.App.NotDeclared"

    public var mode: String
    public var hint: String

    /// Fills in every field; what may be null is null unless given.
    public init(mode: String, hint: String) { (self.mode, self.hint) = (mode, hint) }
  }
}
