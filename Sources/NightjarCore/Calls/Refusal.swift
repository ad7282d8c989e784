public import NightjarModel

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
