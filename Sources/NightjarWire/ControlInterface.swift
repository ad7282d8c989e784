/// The types of `dev.nightjar.Control`, as its interface file declares them.
public enum ControlInterface {
  /// The interface's name.
  public static let name = "dev.nightjar.Control"

  /// An app. `path` is its bundle's folder, and null for a program that registered itself.
  public struct App: Codable, Hashable, Sendable {
    /// What it is doing.
    public enum State: String, Codable, Hashable, Sendable {
      case notRunning, launching, foreground, background, suspended, attached, ending
    }

    public var id: String
    public var name: String
    public var path: String?
    public var state: State
    /// Its first process or, where that is gone, one that is attached.
    public var pid: Int64?
    /// The process that its life began with, also once it is gone and others of the app live on; null while it does not
    /// run.
    public var leader: Int64?
    public var transfers: Int64
    /// Events that it has not acknowledged.
    public var waiting: Int64
    /// Why these are not delivered just now, in words; null when none wait.
    public var verdict: String?
    /// How its last life ended, worded to follow its name (such as `exited 0`); null if the daemon saw no end.
    public var lastEnd: String?
    /// Whether that was a crash; null if the daemon saw no end.
    public var crashed: Bool?
    /// The number of the view that it shows; null while it shows none.
    public var view: Int64?
    /// The number of the snapshot to show while it is launched; null if there is none or it must not be seen.
    public var snapshot: Int64?
    /// Its rank in the switcher, higher for an app that was used later; null if it is not in the switcher.
    public var recent: Int64?
    /// The number on its icon; null for none.
    public var badge: Int64?
    /// The background modes that it declares (`UIBackgroundModes`).
    public var modes: [String]?
    /// Whether it may be launched to refresh its content, by its own setting and by the setting for all apps.
    public var backgroundRefresh: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(
      id: String, name: String, path: String? = nil, state: State, pid: Int64? = nil, transfers: Int64, waiting: Int64,
      verdict: String? = nil, lastEnd: String? = nil, crashed: Bool? = nil, badge: Int64? = nil,
      modes: [String]? = nil, backgroundRefresh: Bool? = nil
    ) {
      self.id = id
      self.name = name
      self.path = path
      self.state = state
      self.pid = pid
      self.transfers = transfers
      self.waiting = waiting
      self.verdict = verdict
      (self.lastEnd, self.crashed) = (lastEnd, crashed)
      (self.badge, self.modes, self.backgroundRefresh) = (badge, modes, backgroundRefresh)
    }
  }

  /// A transfer. `count` is the number of bytes moved, `verdict` a sentence about what it does or waits for.
  public struct Transfer: Codable, Hashable, Sendable {
    /// What it is doing.
    public enum State: String, Codable, Hashable, Sendable {
      case queued, running, waiting, asking, suspended, delivering, succeeded, failed
    }

    public var id: Int64
    public var app: String
    public var session: String?
    public var task: Int64?
    public var direction: WireDirection
    public var url: String
    public var label: String
    public var state: State
    public var count: Int64
    public var expected: Int64?
    public var attempts: Int64
    public var status: Int64?
    public var failure: FailureMessage?
    public var destination: String?
    public var file: String?
    public var verdict: String
    /// Higher goes first within one app, 0 to 1.
    public var priority: Double?
    public var options: WireOptions?
    /// The file with the body of the server's answer to an upload that has ended; null if there was no body.
    public var answer: String?

    /// Fills in every field; what may be null is null unless given.
    public init(
      id: Int64, app: String, session: String? = nil, task: Int64? = nil, direction: WireDirection, url: String,
      label: String, state: State, count: Int64, expected: Int64? = nil, attempts: Int64, status: Int64? = nil,
      failure: FailureMessage? = nil, destination: String? = nil, file: String? = nil, verdict: String,
      priority: Double? = nil, options: WireOptions? = nil, answer: String? = nil
    ) {
      self.id = id
      self.app = app
      self.session = session
      self.task = task
      self.direction = direction
      self.url = url
      self.label = label
      self.state = state
      self.count = count
      self.expected = expected
      self.attempts = attempts
      self.status = status
      self.failure = failure
      self.destination = destination
      self.file = file
      self.verdict = verdict
      self.priority = priority
      self.options = options
      self.answer = answer
    }
  }

}
