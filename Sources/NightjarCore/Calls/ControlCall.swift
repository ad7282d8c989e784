public import NightjarModel

/// What a person or script asks for.
public enum ControlCall: Hashable, Sendable {
  /// Counts of everything.
  case status
  /// All apps.
  case listApps
  /// One app.
  case showApp(AppID)
  /// The last entries of an app's history, at most `limit`.
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
  /// Which transfer was queued by a request, if any was.
  case recall(RequestIdentity)
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
  /// Change what one app or all apps are allowed.
  case changeSettings(AppID?, SettingsChange)
  /// What lies in the notification centre.
  case listNotices
  /// Open an app by one of its notifications.
  case tapNotice(NoticeID)
  /// Put a notification away.
  case dismissNotice(NoticeID)
  /// The state of fetches, of one app or of all.
  case listFetches(AppID?)
  /// What was decided about fetches.
  case listDecisions(AppID?, after: Int64?, before: Int64? = nil, limit: Int)
  /// Why an app runs or does not, and is refreshed or not.
  case explain(AppID)
  /// What was learned of when one app or all apps are used.
  case showHabits(AppID?)
  /// Forget what was learned of when one app or all apps are used, and what was decided by it.
  case forgetHabits(AppID?)
  /// Have an app refresh its content now, or run the task of this identifier.
  case fetchNow(AppID, request: String?)
  /// Launch an app into the background to refresh its content.
  case launchToFetch(AppID)
}
