extension AppInterface {
  /// How a session behaves; what is left out has Apple's default.
  public struct SessionOptions: Codable, Hashable, Sendable {
    /// Whether the app is launched into the background to be told. Default true.
    public var sendsLaunchEvents: Bool?
    /// The questions that the session wants to be asked; none by default.
    public var asks: Asks?
    /// Whether the app was told to handle the session's events over an earlier connection and has not called
    /// FinishEvents yet: it gets the right to run for that again. Default false.
    public var handlesEvents: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(sendsLaunchEvents: Bool? = nil, asks: Asks? = nil, handlesEvents: Bool? = nil) {
      self.sendsLaunchEvents = sendsLaunchEvents
      self.asks = asks
      self.handlesEvents = handlesEvents
    }
  }

  /// A task to queue. `file` is the absolute path of what an upload sends; `body` is the small body of a download's
  /// request, in base64. `key` is 32 random hexadecimal digits; a call that repeats a task with its key is answered
  /// like the first, and one that uses the key for another app, session, task or URL with InvalidRequest (`key`).
  /// `task` is from 1 to 2147483647, and free in the session.
  public struct NewTask: Codable, Hashable, Sendable {
    public var key: String
    public var task: Int64
    public var direction: WireDirection
    public var method: String
    public var url: String
    public var headers: [WireHeader]
    public var label: String?
    public var file: String?
    public var body: String?
    public var priority: Double?
    public var requestTimeoutMs: Int64?
    public var resourceTimeoutMs: Int64?
    /// Whether the task is queued without being started.
    public var suspended: Bool?
    public var options: WireOptions?
    /// The token of the remnant of an earlier task. If that is gone, the task begins at the first byte.
    public var remnant: String?
    /// The absolute path to which the daemon delivers a download, before the task ends. The file gets the permissions
    /// that the daemon's umask leaves of 0666, and in a setgid folder the folder's group.
    public var destination: String?
    /// Whether an existing file at the destination is replaced. Default false.
    public var overwrite: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(
      key: String, task: Int64, direction: WireDirection, method: String, url: String, headers: [WireHeader],
      label: String? = nil, file: String? = nil, body: String? = nil, priority: Double? = nil,
      requestTimeoutMs: Int64? = nil, resourceTimeoutMs: Int64? = nil, suspended: Bool? = nil,
      options: WireOptions? = nil, remnant: String? = nil, destination: String? = nil, overwrite: Bool? = nil
    ) {
      self.key = key
      self.task = task
      self.direction = direction
      self.method = method
      self.url = url
      self.headers = headers
      self.label = label
      self.file = file
      self.body = body
      self.priority = priority
      self.requestTimeoutMs = requestTimeoutMs
      self.resourceTimeoutMs = resourceTimeoutMs
      self.suspended = suspended
      self.options = options
      self.remnant = remnant
      self.destination = destination
      self.overwrite = overwrite
    }
  }

  /// A task that has not been acknowledged as ended.
  public struct Task: Codable, Hashable, Sendable {
    /// What it is doing.
    public enum State: String, Codable, Hashable, Sendable {
      case running, suspended, ended
    }

    public var task: Int64
    public var key: String
    public var direction: WireDirection
    public var method: String
    public var url: String
    public var headers: [WireHeader]
    public var label: String
    public var file: String?
    public var priority: Double
    public var state: State
    public var count: Int64
    public var expected: Int64?
    public var options: WireOptions?
    public var response: Response?
    public var destination: String?

    /// Fills in every field; what may be null is null unless given.
    public init(
      task: Int64, key: String, direction: WireDirection, method: String, url: String, headers: [WireHeader],
      label: String, file: String? = nil, priority: Double, state: State, count: Int64, expected: Int64? = nil,
      options: WireOptions? = nil, response: Response? = nil, destination: String? = nil
    ) {
      self.task = task
      self.key = key
      self.direction = direction
      self.method = method
      self.url = url
      self.headers = headers
      self.label = label
      self.file = file
      self.priority = priority
      self.state = state
      self.count = count
      self.expected = expected
      self.options = options
      self.response = response
      self.destination = destination
    }
  }

  /// What a task that was cancelled or failed has left: a later task of the same app and URL can resume from it, once,
  /// within 30 days. `offset` bytes are safe: those of a download with the daemon, those of an upload with the server.
  public struct Remnant: Codable, Hashable, Sendable {
    public var token: String
    public var offset: Int64
    public var length: Int64?

    /// Fills in every field; what may be null is null unless given.
    public init(token: String, offset: Int64, length: Int64? = nil) {
      self.token = token
      self.offset = offset
      self.length = length
    }
  }

  /// A finished file in the staging area, and its size, modification time (nanoseconds since 1970) and inode when it
  /// was synced. A file that no longer looks like this must not be used: say so with ReportDamage.
  public struct StagedFile: Codable, Hashable, Sendable {
    public var path: String
    public var size: Int64
    public var modified: Int64
    public var inode: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(path: String, size: Int64, modified: Int64, inode: Int64) {
      self.path = path
      self.size = size
      self.modified = modified
      self.inode = inode
    }
  }

  /// The final answer of a server, after redirects.
  public struct Response: Codable, Hashable, Sendable {
    public var url: String
    public var status: Int64
    public var headers: [WireHeader]

    /// Fills in every field; what may be null is null unless given.
    public init(url: String, status: Int64, headers: [WireHeader]) {
      self.url = url
      self.status = status
      self.headers = headers
    }
  }
}
