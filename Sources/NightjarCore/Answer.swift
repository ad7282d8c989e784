public import NightjarModel

/// What a client's call is answered with.
public enum Answer: Hashable, Sendable {
  /// It is done, and durable.
  case done
  /// A transfer is queued under this number.
  case accepted(TransferID)
  /// A transfer is queued under this number, and goes on there.
  indirect case resumed(TransferID, ResumePoint)
  /// A task is cancelled, and this is left of it.
  indirect case left(Remnant?)
  /// The client is attached to this life of its app; the number is what it confirms once it is in the background.
  /// It comes with what the app is allowed, and with the notification by which a person has opened it.
  indirect case attached(
    life: Int, isBackground: Bool, transition: Int64? = nil, standing: Standing? = nil, noticed: Message.Noticed? = nil)
  /// A session is open.
  case session(nextTask: Int, taskCount: Int)
  /// Part of a list of transfers, and whether it is the last.
  case transfers([TransferView], isComplete: Bool)
  /// All apps.
  case apps([AppView])
  /// An app as it stands.
  indirect case app(AppView)
  /// What has happened to an app, oldest first.
  case history([HistoryEntry])
  /// The app runs.
  case launched(pid: Int32)
  /// These apps were told that memory is short.
  case warned([AppID])
  /// This app has left the foreground; nil if none was there.
  case leftForeground(AppID?)
  /// How everything stands.
  indirect case status(StatusView)
  /// What the device is like.
  indirect case device(DeviceView)
  /// The notifications that an app has scheduled, the soonest first.
  case scheduled([NoticeRequest])
  /// What a person allows.
  case settings(SettingsView)
  /// What lies in the notification centre, the newest first.
  case notices([Banner])
  /// The tasks that an app has asked for and that have not begun, by identifier.
  case requests([BackgroundRequest])
  /// What came of a fetch or a task, and what it has cost.
  case fetched(FetchOutcome, FetchCost)
  /// How it stands with fetches.
  indirect case fetches(FetchesView)
  /// An app as it stands, and how it stands with its fetches if it may have any.
  indirect case explained(AppView, FetchesView.Entry?)
  /// What was learned of when apps are used.
  case habits(HabitsView)
  /// What was decided about fetches, oldest first.
  case decisions([FetchDecision])
  /// It cannot be done.
  case refused(Refusal)
}

/// Why a call cannot be done; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
  /// The app has no attachment.
  case notAttached(AppID)
  /// A program's name cannot be used.
  case nameRefused(String, reason: String)
  /// Another live process holds the session.
  case sessionInUse(String, pid: Int32)
  /// The session is not open.
  case sessionNotOpen(String)
  /// The session has no such task.
  case noSuchTask(String, task: Int)
  /// The session still has tasks.
  case sessionHasTasks(String, count: Int)
  /// A field of the request cannot be used.
  case invalid(field: String, reason: String)
  /// A limit is reached.
  case limitReached(what: String, limit: Int)
  /// There is no such app.
  case noSuchApp(AppID)
  /// There is no such transfer.
  case noSuchTransfer(TransferID)
  /// There is no such notification.
  case noSuchNotice(NoticeID)
  /// The app is a program that is neither launched nor ended by hand.
  case notABundle(AppID)
  /// The app does not run.
  case notRunning(AppID)
  /// The app is not in the foreground.
  case notInForeground(AppID)
  /// The app does not declare this background mode.
  case notDeclared(AppID, mode: String)
  /// The app is not refreshed; the code is that of an obstacle, or another word that dev.nightjar.Control lists.
  case fetchRefused(AppID, code: String, reason: String)
  /// The app could not be brought up.
  case launchFailed(AppID, LaunchFailure)
  /// What was asked does not fit the transfer's state.
  case wrongState(TransferID, state: String, reason: String)
}

/// A transfer as it looks from outside.
public struct TransferView: Hashable, Sendable {
  /// In one word.
  public enum State: String, Hashable, Sendable {
    /// Waits for its turn.
    case queued
    /// Bytes move, or are about to.
    case running
    /// Waits for something that will come.
    case waiting
    /// Its app is asked something.
    case asking
    /// Somebody suspended it.
    case suspended
    /// The finished file is on its way to its destination, or waits for that.
    case delivering
    /// The server answered to the last byte.
    case succeeded
    /// It will not be tried again.
    case failed
  }

  /// Its number.
  public var id: TransferID
  /// What was asked for.
  public var request: TransferRequest
  /// In one word.
  public var state: State
  /// Bytes moved.
  public var count: Int64
  /// The whole length, where it is known.
  public var expected: Int64?
  /// Attempts begun.
  public var attempts: Int
  /// The server's final answer, once there is one.
  public var response: Response?
  /// The finished file, once there is one.
  public var file: StagedFile?
  /// Why it failed, or failed last.
  public var failure: TransferFailure?
  /// Why it does not go on just now.
  public var verdict: Verdict
  /// How long it is still kept, once it is over; then it is removed, collected or not.
  public var keptFor: Duration?
}

/// An app as it looks from outside.
public struct AppView: Hashable, Sendable {
  /// In one word.
  public enum State: String, Hashable, Sendable {
    /// No process of it runs.
    case notRunning
    /// It was started and has not attached yet.
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
  /// In one word.
  public var state: State
  /// Its leader's process id, while it runs.
  public var pid: Int32?
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
    /// It has not acknowledged so many events that it was sent.
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

/// What a person allows.
public struct SettingsView: Hashable, Sendable {
  /// Whether apps may be launched to refresh their content at all.
  public var refreshes: Bool
  /// Whether whoever looks after the machine forbids that all the same.
  public var isRestricted: Bool
  /// Each installed app's own settings.
  public var apps: [Entry]

  /// The settings of one app.
  public struct Entry: Hashable, Sendable {
    /// The app.
    public var app: AppID
    /// What it is allowed.
    public var settings: AppSettings
  }
}

/// How everything stands, in numbers.
public struct StatusView: Hashable, Sendable {
  /// Apps and programs known.
  public var apps: Int
  /// Transfers that are remembered.
  public var transfers: Int
  /// Transfers under way.
  public var running: Int
  /// Events that apps have not acknowledged.
  public var waiting: Int
  /// What the device is like.
  public var device: DeviceView
}

/// What the device is like, and what of that is only simulated.
public struct DeviceView: Hashable, Sendable {
  /// The conditions that transfers obey.
  public var conditions: Conditions
  /// What a person has put in the place of the sensors.
  public var simulated: SimulatedConditions
  /// Who tells of them.
  public var sources = SignalSources()
}
