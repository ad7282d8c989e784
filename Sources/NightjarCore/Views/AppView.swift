public import NightjarModel

/// An app as it looks from outside.
public struct AppView: Hashable, Sendable {
  /// The state of an app in one word.
  public enum State: String, Hashable, Sendable {
    /// No process of it runs.
    case notRunning
    /// It was started and is not attached.
    case launching
    /// A person launched it.
    case foreground
    /// It runs, for a while, without being in the foreground.
    case background
    /// It is in memory and gets no processor time.
    case suspended
    /// A program that is attached.
    case attached
    /// It was asked to end.
    case ending
  }

  /// The app as it is installed.
  public var installed: InstalledApp
  /// Its state in one word.
  public var state: State
  /// The process to show, while it runs: its leader or, where that is gone, the first that is attached.
  public var pid: Int32?
  /// The process that its life began with, also once that is gone and others live on.
  public var leader: Int32?
  /// Transfers it owns.
  public var transfers: Int
  /// Events it has not acknowledged.
  public var waiting: Int
  /// Why it is not told just now; nil when nothing waits.
  public var verdict: Verdict?
  /// How its last life ended, to stand behind its name; nil where no end was seen since the daemon's start.
  public var lastEnd: String?
  /// Whether that was a crash.
  public var hasCrashed: Bool
  /// Why that life was ended, to stand behind its name; nil if it ended by itself.
  public var endReason: String?
  /// The process that traces it, while its deadlines stand still for that.
  public var tracer: Int32?
  /// What it runs for in the background.
  public var rights: [Right] = []
  /// Its place in the switcher.
  public var card = Card()
  /// The number of the view that it shows; nil while it shows none.
  public var view: Int64?
  /// Whether what it shows is hidden, because the device is locked.
  public var isHidden = false
  /// The number that its icon shows; 0 for none.
  public var badge = 0
  /// Whether it may be launched to refresh its content: by its own setting, and by that for all.
  public var refreshes = true

  /// A right to run in the background, and how long it lasts at most.
  public enum Right: Hashable, Sendable {
    /// It has yet to confirm that it is there.
    case entering(atMost: Duration)
    /// It handles the events of a session, whose completion handler is awaited.
    case handling(session: String, atMost: Duration)
    /// It refreshes its content or, if one is named, runs a task that it has asked for.
    case errand(request: String?, atMost: Duration)
    /// It has yet to acknowledge this many of the events that it was sent.
    case acknowledging(Int, atMost: Duration)
    /// Its background tasks go on; `names` are those of the first few.
    case tasks(names: String, atMost: Duration)

    /// How long it lasts at most.
    public var atMost: Duration {
      switch self {
      case .entering(let atMost), .handling(_, let atMost), .acknowledging(_, let atMost), .tasks(_, let atMost),
        .errand(_, let atMost):
        atMost
      }
    }
  }
}
