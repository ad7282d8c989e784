public import NightjarModel

/// What a client's call is answered with.
public enum Answer: Hashable, Sendable {
  /// It is done, and durable.
  case done
  /// A transfer is queued under this number.
  case accepted(TransferID)
  /// A transfer is queued under this number, and goes on from this point.
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
  /// The notifications that an app has scheduled, the soonest first, and those that are shown, the newest first.
  case scheduled([NoticeRequest], shown: [FiredNotice])
  /// What a person allows.
  case settings(SettingsView)
  /// What lies in the notification centre, the newest first.
  case notices([Banner])
  /// The tasks that an app has asked for and that have not begun, by identifier.
  case requests([BackgroundRequest])
  /// What came of a fetch or a task, and what it has cost.
  case fetched(FetchOutcome, FetchCost)
  /// The state of fetches.
  indirect case fetches(FetchesView)
  /// An app as it stands, and the state of its fetches if it may have any.
  indirect case explained(AppView, FetchesView.Entry?)
  /// What was learned of when apps are used.
  case habits(HabitsView)
  /// What was decided about fetches, oldest first.
  case decisions([FetchDecision])
  /// It cannot be done.
  case refused(Refusal)
}
