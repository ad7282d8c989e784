public import NightjarModel

/// What an app or program asks for.
public enum AppCall: Hashable, Sendable {
  /// Open a session, and say what it wants to be asked, and whether the app is still handling events that it was told
  /// of over an earlier connection.
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
  /// Forget what was decided for all tasks of the session.
  case forgetDecisions(String)
  /// Forget the session.
  case closeSession(String, cancel: Bool)
  /// The app is where the number told it to be.
  case entered(Int64)
  /// Let the app go on running in the background until the task of this number has ended.
  case beginBackgroundTask(Int64, name: String)
  /// The background task of this number has ended.
  case endBackgroundTask(Int64)
  /// The app shows this view, of so many bytes.
  case show(view: Int64, byteCount: Int)
  /// The app does not want its snapshot shown while it is launched the next time.
  case ignoreSnapshot
  /// Schedule these notifications, in the place of all others if `replaces`; fire those without a time.
  case schedule([NoticeRequest], replaces: Bool)
  /// Cancel the notifications of these keys, those of these names, and those that equal one of `like` but for its key;
  /// without keys, all. Only those at one place, if it is given.
  case cancelNotices([RequestKey]?, like: [NoticeRequest] = [], named: [String] = [], only: NoticePlace? = nil)
  /// The notifications that are scheduled.
  case listNotices
  /// The number on the app's icon.
  case setBadge(Int)
  /// The app's delegate has been told of this notification, and wants nothing more, or that it is shown.
  case takeNotice(NoticeID, shows: NoticeShowing? = nil)
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
  case finishRequestedTask(Int64, success: Bool)
}
