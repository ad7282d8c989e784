import NightjarModel

/// Background tasks: what apps begin and end, and when their time is up.
extension Supervisor {
  /// Takes in an app's confirmation that it is where it was told to be.
  mutating func enter(_ number: Int64, by app: AppID, into turn: inout Turn) {
    let hasLeft = apps.contains(app) && apps[there: app].confirm(number)
    if hasLeft { takeSnapshot(of: app, into: &turn) }
    touch(app, into: &turn)
  }

  /// Begins a background task of an app. If the app was about to stand still, it runs on for it.
  mutating func beginBackgroundTask(
    _ number: Int64, _ name: String, by caller: Caller, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    let key = BackgroundTasks.Key(connection: try connection(of: caller), number: number)
    let name = name.cut(toBytes: limits.backgroundTaskNameMax)
    guard var app = apps[caller.app] else { return }
    guard app.run.backgroundTasks.count < limits.backgroundTasksMax else {
      throw .limitReached(what: "background tasks of one app", limit: limits.backgroundTasksMax)
    }
    let isBackground = app.isBundle && app.record.isBackground
    guard app.run.backgroundTasks.begin(key, name, isBackground: isBackground, awake: moment.awake, limits) else {
      throw .invalid(field: "task", reason: "the time that the app may run in the background is up")
    }
    runOn(&app, "for the background task '\(name)'", at: now, into: &turn)
    apps[caller.app] = app
    touch(caller.app, into: &turn)
  }

  mutating func endBackgroundTask(_ number: Int64, by caller: Caller, into turn: inout Turn) throws(Refusal) {
    let key = BackgroundTasks.Key(connection: try connection(of: caller), number: number)
    apps[caller.app]?.run.backgroundTasks.finish(key)
    touch(caller.app, into: &turn)
  }

  /// Tells an app in the background that the time of its tasks is nearly up, and ends it when it is.
  mutating func expireBackgroundTasks(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.runsInBackground, let due = app.run.backgroundTasks.due(warning: limits.taskWarning), due <= moment.awake
    else { return }
    if !app.run.backgroundTasks.isWarned, let ear = app.ear {
      app.run.backgroundTasks.warned()
      turn.deeds.append(.tell(ear, .expireBackgroundTasks))
    }
    guard let limit = app.run.backgroundTasks.end, limit <= moment.awake else { return }
    let lapse = "did not end \(app.run.backgroundTasks.shown) when its time in the background was up"
    remember(.overdue, "is killed: it \(lapse)", of: &app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
  }
}
