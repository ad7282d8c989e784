/// The types of `dev.nightjar.App`, as its interface file declares them.
public enum AppInterface {
  /// The interface's name.
  public static let name = "dev.nightjar.App"

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

  /// A finished file in the staging area, and its size, modification time (nanoseconds since 1970) and inode when it was
  /// synced. A file that no longer looks like this must not be used: say so with ReportDamage.
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

  /// A program that is no bundle. `relaunch` is the command that starts it again when there is something to tell it and
  /// it is not attached; left out or empty, it is told when it attaches next.
  public struct Program: Codable, Hashable, Sendable {
    public var name: String
    public var relaunch: [String]?

    /// Fills in every field; what may be null is null unless given.
    public init(name: String, relaunch: [String]? = nil) {
      self.name = name
      self.relaunch = relaunch
    }
  }

  /// The first event of every attachment. An app that is in the background confirms that it knows by Entered under the
  /// number `transition`; one that does not within 30 seconds is killed.
  public struct Attached: Codable, Hashable, Sendable {
    public var app: String
    public var life: Int64
    public var background: Bool
    public var transition: Int64?
    /// What a person allows an app that is a bundle.
    public var standing: Standing?
    /// The notification by which a person has launched it; told as an event, too.
    public var notified: Notified?

    /// Fills in every field; what may be null is null unless given.
    public init(
      app: String, life: Int64, background: Bool, transition: Int64? = nil, standing: Standing? = nil,
      notified: Notified? = nil
    ) {
      self.app = app
      self.life = life
      self.background = background
      self.transition = transition
      (self.standing, self.notified) = (standing, notified)
    }
  }

  /// The app has left the foreground: confirm it by Entered under this number, within 5 seconds, when everything is done
  /// that must be done before it is suspended. Background tasks may go on for so many milliseconds, not counting sleep.
  public struct EnterBackground: Codable, Hashable, Sendable {
    public var number: Int64
    public var remainingMs: Int64

    /// Fills in every field; what may be null is null unless given.
    public init(number: Int64, remainingMs: Int64) {
      self.number = number
      self.remainingMs = remainingMs
    }
  }

  /// The app comes to the foreground.
  public struct EnterForeground: Codable, Hashable, Sendable {
    /// Fills in every field; what may be null is null unless given.
    public init() {}
  }

  /// The time of the app's background tasks is up in five seconds: end them.
  public struct ExpireTasks: Codable, Hashable, Sendable {
    /// Fills in every field; what may be null is null unless given.
    public init() {}
  }

  /// Memory is short: give back what can be made again. Told to apps that run, at most every five seconds. If that does not
  /// help, suspended apps are ended first, without hearing of it.
  public struct MemoryWarning: Codable, Hashable, Sendable {
    /// Fills in every field; what may be null is null unless given.
    public init() {}
  }

  /// Work of a session has ended, or its running tasks have: open the session again and its events follow. After the last
  /// one the app calls FinishEvents; until then it may run. An app in the background that has not called it after 30
  /// seconds, or has acknowledged nothing for so long, is killed, which counts as a crash of what it was being told.
  public struct HandleEvents: Codable, Hashable, Sendable {
    public var session: String

    /// Fills in every field; what may be null is null unless given.
    public init(session: String) {
      self.session = session
    }
  }

  /// Bytes moved. Never repeated, and lost when nobody listens. For an upload the count is of bytes sent.
  public struct Progressed: Codable, Hashable, Sendable {
    public var session: String
    public var task: Int64
    public var count: Int64
    public var expected: Int64?

    /// Fills in every field; what may be null is null unless given.
    public init(session: String, task: Int64, count: Int64, expected: Int64? = nil) {
      self.session = session
      self.task = task
      self.count = count
      self.expected = expected
    }
  }

  /// A server has said something before its answer: a status of 1xx but 101 (RFC 9110, section 15.2), such as 103 Early
  /// Hints. Never repeated, and lost when nobody listens. Told of the first eight of an attempt; where an upload goes on is
  /// left out.
  public struct Informed: Codable, Hashable, Sendable {
    public var session: String
    public var task: Int64
    public var response: Response

    /// Fills in every field; what may be null is null unless given.
    public init(session: String, task: Int64, response: Response) {
      self.session = session
      self.task = task
      self.response = response
    }
  }

  /// A task has ended: with a response (and a file, for downloads and for uploads that were answered with a body), or with
  /// a failure. Told again after every crash until its number is acknowledged.
  public struct Ended: Codable, Hashable, Sendable {
    public var number: Int64
    public var session: String
    public var task: Int64
    public var count: Int64
    public var expected: Int64?
    public var response: Response?
    public var file: StagedFile?
    public var failure: FailureMessage?
    public var metrics: WireMetrics?
    public var remnant: Remnant?
    /// Where the file of a download is that was to be delivered.
    public var destination: String?

    /// Fills in every field; what may be null is null unless given.
    public init(
      number: Int64, session: String, task: Int64, count: Int64, expected: Int64? = nil, response: Response? = nil,
      file: StagedFile? = nil, failure: FailureMessage? = nil, metrics: WireMetrics? = nil,
      remnant: Remnant? = nil, destination: String? = nil
    ) {
      self.number = number
      self.session = session
      self.task = task
      self.count = count
      self.expected = expected
      self.response = response
      self.file = file
      self.failure = failure
      self.metrics = metrics
      self.remnant = remnant
      self.destination = destination
    }
  }

  /// What a task has left that was cancelled or failed: a later one of the same app and URL goes on with it, once, within
  /// 30 days. `offset` bytes of it are safe: of a download with the daemon, of an upload with the server.
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

  /// All events of a session that waited have been sent: the delegate is told `urlSessionDidFinishEvents` after them.
  public struct EventsFinished: Codable, Hashable, Sendable {
    public var session: String

    /// Fills in every field; what may be null is null unless given.
    public init(session: String) {
      self.session = session
    }
  }

  /// How a session behaves; what is left out has Apple's default.
  public struct SessionOptions: Codable, Hashable, Sendable {
    /// Whether the app is launched into the background to be told. Default true.
    public var sendsLaunchEvents: Bool?
    /// What the session wants to be asked; by default nothing.
    public var asks: Asks?
    /// Whether the app was told on an earlier line to handle the session's events, and has not called FinishEvents yet: it has the
    /// right to run for that again. Default false.
    public var handlesEvents: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(sendsLaunchEvents: Bool? = nil, asks: Asks? = nil, handlesEvents: Bool? = nil) {
      self.sendsLaunchEvents = sendsLaunchEvents
      self.asks = asks
      self.handlesEvents = handlesEvents
    }
  }

  /// A task to queue. `file` is the absolute path of what an upload sends; `body` is the small body of a download's
  /// request, in base64. `key` is 32 random hexadecimal digits; a repetition of the same key is answered like the first. `task`
  /// is from 1 to 2147483647, and free in the session.
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
    /// The token of what an earlier task has left. If that is gone, the task begins at the first byte.
    public var remnant: String?
    /// The absolute path to which the daemon delivers what a download brings, before the task ends.
    public var destination: String?
    /// Whether a file that stands at the destination is replaced. Default false.
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
    /// What it does just now.
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

}
