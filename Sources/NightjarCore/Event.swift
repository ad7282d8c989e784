public import NightjarModel

/// A fact that reaches the supervisor. It happened; the supervisor decides what follows from it.
public enum Event: Hashable, Sendable {
  /// An app or program asks for something.
  indirect case asked(AppCall, by: Caller, Ticket)
  /// A person or script asks for something.
  indirect case ordered(ControlCall, Ticket)
  /// A client attached: a bundle's process, or a program under its name.
  case attached(Attachment, Ticket)
  /// An attached client's connection has closed.
  case detached(ConnectionID)
  /// The engine reports on an attempt.
  indirect case transfer(TransferID, attempt: Int, TransferFact)
  /// The engine reports on a delivery.
  indirect case delivery(TransferID, attempt: Int, DeliveryFact)
  /// Linux reports on an app's life.
  case app(AppID, life: Int, AppFact)
  /// An app's life that an earlier daemon began goes on.
  case adopted(AppID, life: Int, pid: Int32, isFrozen: Bool)
  /// A bundle stands installed on the disk, newly, again, or as it was found at start.
  indirect case installed(InstalledApp, Ticket?)
  /// An app's bundle is gone from the disk.
  case uninstalled(AppID)
  /// The device's conditions have changed.
  case sensed(Conditions)
  /// Memory is short.
  case pressed(MemoryPressure)
  /// What was asked for under this number has been measured.
  case measured(question: Int, MemoryReading)
  /// Those who tell of the device's conditions are others now.
  case sourcesChanged(SignalSources)
  /// How clocks are set where the device is, at the start and whenever that changes.
  case located(ZoneRules)
  /// A notification was shown to whoever looks.
  case shown(NoticeID)
  /// All that was found at start has been reported: the work may begin.
  case started
  /// The daemon is about to end: what is reported is still remembered, and nothing is begun any more.
  case stopping
  /// The time that was asked for has come.
  case awoke
}

/// Who asks: a process of an app.
public struct Caller: Hashable, Sendable {
  /// The app or program.
  public var app: AppID
  /// Its process.
  public var pid: Int32

  /// A process of an app.
  public init(app: AppID, pid: Int32) { (self.app, self.pid) = (app, pid) }
}

/// A client that wants to be told.
public struct Attachment: Hashable, Sendable {
  /// Its connection.
  public var connection: ConnectionID
  /// Who it is.
  public var caller: Caller
  /// For a program that registers itself, the command that starts it again, or an empty one; nil for a bundle's process.
  public var relaunch: [String]?

  /// A client on a connection.
  public init(connection: ConnectionID, caller: Caller, relaunch: [String]? = nil) {
    (self.connection, self.caller, self.relaunch) = (connection, caller, relaunch)
  }
}

/// What an app or program asks for.
public enum AppCall: Hashable, Sendable {
  /// Open a session, and say what it wants to be asked; and whether the app is handling its events, which it was told over an
  /// earlier connection.
  case openSession(String, sendsLaunchEvents: Bool, asks: Asks = .nothing, isHandling: Bool = false)
  /// The session's tasks above a task identifier.
  case listTasks(String, after: Int)
  /// Queue a task; the request names session and task, the remnant what it may go on with.
  case enqueue(TransferRequest, isSuspended: Bool, remnant: RequestKey? = nil)
  /// Suspend a task.
  case suspend(String, task: Int)
  /// Let a task go on.
  case resume(String, task: Int)
  /// Cancel a task.
  case cancel(String, task: Int)
  /// Change what was asked for of a task.
  case update(String, task: Int, TaskChanges)
  /// Cancel a task, and keep what came for another to go on with.
  case cancelKeeping(String, task: Int)
  /// The events of these numbers have been delivered.
  case acknowledge([Int64])
  /// The question of this number is decided; with `asks` the session wants to be asked something else from now on.
  case decide(Int64, Decision, asks: Asks?)
  /// The staged file of this event is damaged.
  case reportDamage(Int64)
  /// The session's completion handler was called.
  case finishEvents(String)
  /// Forget the session.
  case closeSession(String, cancel: Bool)
  /// The app is where the number told it to be.
  case entered(Int64)
  /// Let the app go on running in the background until the task of this number has ended.
  case beginTask(Int64, name: String)
  /// The background task of this number has ended.
  case endTask(Int64)
  /// The app shows this view, of so many bytes.
  case show(view: Int64, byteCount: Int)
  /// The app does not want its snapshot shown while it is launched the next time.
  case ignoreSnapshot
  /// Schedule these notifications, in the place of all others if `replaces`; fire those without a time.
  case schedule([NoticeRequest], replaces: Bool)
  /// Cancel these notifications, and all that equal one of those but for its key; all without keys.
  case cancelNotices([RequestKey]?, like: [NoticeRequest] = [])
  /// The notifications that are scheduled.
  case listNotices
  /// The number on the app's icon.
  case setBadge(Int)
  /// The app's delegate has been told of this notification.
  case takeNotice(NoticeID)
  /// The least time between two fetches; nil for no fetches.
  case setFetchInterval(Duration?)
  /// What came of the fetch of this number.
  case finishFetch(Int64, FetchOutcome)
  /// Run a task later.
  case submit(BackgroundRequest)
  /// Do not run the task of this identifier, or any.
  case cancelRequests(String?)
  /// The tasks that were asked for and have not begun.
  case listRequests
  /// The task of this number is done.
  case finishTask(Int64, success: Bool)
}

/// What a person or script asks for.
public enum ControlCall: Hashable, Sendable {
  /// Counts of everything.
  case status
  /// All apps.
  case listApps
  /// One app.
  case showApp(AppID)
  /// What has happened to an app: the last so many entries.
  case listHistory(AppID, limit: Int)
  /// Transfers above a number, of one app or of all.
  case listTransfers(AppID?, after: TransferID?, limit: Int)
  /// One transfer.
  case showTransfer(TransferID)
  /// Suspend a transfer.
  case pause(TransferID)
  /// Let it go on, or try again at once.
  case resume(TransferID)
  /// Cancel it, or remove it once it has ended.
  case cancel(TransferID)
  /// Queue a transfer of no app.
  case enqueue(TransferRequest)
  /// Which transfer was queued under a key.
  case recall(RequestKey)
  /// Bring an app to the foreground.
  case launch(AppID, arguments: [String])
  /// Have the app in the foreground leave it.
  case leave
  /// End an app.
  case terminate(AppID)
  /// Remove an app from the switcher, and stop all that it does.
  case removeFromSwitcher(AppID)
  /// Tell the app in the foreground what a person did in its view.
  case act(AppID, ViewAction)
  /// End an app, and remove it with all that is its.
  case uninstall(AppID)
  /// What the device is like.
  case showDevice
  /// Put this in the place of the sensors; what is left out stays as it is.
  case simulate(SimulatedConditions)
  /// Do what is done when memory is short.
  case simulateMemory(MemoryPressure)
  /// Take back everything that was put in the place of the sensors.
  case endSimulation
  /// What a person allows.
  case showSettings
  /// Allow something else, to one app or to all.
  case changeSettings(AppID?, SettingsChange)
  /// What lies in the notification centre.
  case listNotices
  /// Open the app of a notification, by it.
  case tapNotice(NoticeID)
  /// Put a notification away.
  case dismissNotice(NoticeID)
  /// How it stands with fetches, of one app or of all.
  case listFetches(AppID?)
  /// What was decided about fetches.
  case listDecisions(AppID?, after: Int64?, before: Int64? = nil, limit: Int)
  /// Why an app runs or does not, and is refreshed or not.
  case explain(AppID)
  /// What was learned of when an app is used, or all.
  case showHabits(AppID?)
  /// Forget that.
  case forgetHabits(AppID?)
  /// Have an app refresh its content now, or run the task of this identifier.
  case fetchNow(AppID, request: String?)
  /// Launch an app into the background to refresh its content.
  case launchToFetch(AppID)
}
