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

  /// A program that is no bundle. `relaunch` is the command that starts it again when an event waits and it is not
  /// attached, of at most 64 KiB in all; without one, events wait until it attaches again.
  public struct Program: Codable, Hashable, Sendable {
    public var name: String
    public var relaunch: [String]?

    /// Fills in every field; what may be null is null unless given.
    public init(name: String, relaunch: [String]? = nil) {
      self.name = name
      self.relaunch = relaunch
    }
  }

  /// The first event of every attachment. An app that is in the background confirms this by calling Entered with the
  /// number `transition` within 30 seconds, or is killed.
  public struct Attached: Codable, Hashable, Sendable {
    public var app: String
    public var life: Int64
    public var background: Bool
    public var transition: Int64?
    /// What a person allows the app; null for a program that is no bundle.
    public var standing: Standing?
    /// The notification by which a person launched it; it also comes as an event.
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

  /// The app has left the foreground: within 5 seconds, do what must be done before it is suspended, then confirm by
  /// calling Entered with this number. Background tasks may run for `remainingMs` more, not counting sleep.
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

  /// Memory is short: free what can be recreated. Sent to running apps, at most every five seconds. If that does not
  /// help, apps are ended, suspended ones first and without notice.
  public struct MemoryWarning: Codable, Hashable, Sendable {
    /// Fills in every field; what may be null is null unless given.
    public init() {}
  }

  /// A day has begun, or clocks were changed for the season, for another time zone or to another day. A suspended app
  /// is told when it runs again, once for all that has happened.
  public struct SignificantTimeChange: Codable, Hashable, Sendable {
    /// Fills in every field; what may be null is null unless given.
    public init() {}
  }

  /// Work of a session has ended, or its running tasks have: open the session again and its events follow. After the
  /// last one the app calls FinishEvents; until then it may run. An app in the background is killed if it has not
  /// called it after 30 seconds, or acknowledges nothing for 30 seconds; that counts as a crash caused by these events.
  public struct HandleEvents: Codable, Hashable, Sendable {
    public var session: String

    /// Fills in every field; what may be null is null unless given.
    public init(session: String) {
      self.session = session
    }
  }

  /// Bytes moved; for an upload, bytes sent. Never repeated, and lost while the app is not attached.
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

  /// An interim answer of a server: any status of 1xx except 101 (RFC 9110, section 15.2), such as 103 Early Hints.
  /// Never repeated, and lost while the app is not attached. Only the first eight of an attempt are sent, without those
  /// that say from where an upload resumes.
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

  /// A task has ended: with a response (and a file, for downloads and for uploads that were answered with a body), or
  /// with a failure. With a failure `response` is the head of the answer whose body came in the last attempt, as far as
  /// the daemon remembers it; no file comes with it. Sent again after every crash until its number is acknowledged.
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
    /// Where the file was delivered, for a download with a destination.
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

  /// All waiting events of a session have been sent: the delegate is told `urlSessionDidFinishEvents` after them.
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

}
