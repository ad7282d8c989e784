extension AppInterface {
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

  /// All waiting events of a session have been sent: the delegate is told `urlSessionDidFinishEvents` after them.
  public struct EventsFinished: Codable, Hashable, Sendable {
    public var session: String

    /// Fills in every field; what may be null is null unless given.
    public init(session: String) {
      self.session = session
    }
  }
}
