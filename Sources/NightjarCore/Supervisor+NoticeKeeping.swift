import NightjarModel

/// The books of notifications: each change here is in the tables, in the commit and in what is shown.
extension Supervisor {
  mutating func setBadge(_ badge: Int, of id: AppID, into turn: inout Turn) {
    guard var record = apps[id]?.record, record.badge != badge else { return }
    record.badge = badge
    apps[id]?.record = record
    turn.changes.keep(record)
    touch(id, into: &turn)
  }

  mutating func keep(_ notice: ScheduledNotice, into turn: inout Turn) {
    notices.keep(notice)
    turn.changes.keep(notice)
  }

  mutating func unschedule(_ key: NoticeKey, into turn: inout Turn) {
    notices.remove(key)
    turn.changes.removeScheduled(key)
  }

  mutating func keep(_ notice: FiredNotice, into turn: inout Turn) {
    notices.keep(notice)
    turn.changes.keep(notice)
    turn.touchedNotices.append(notice.id)
    disturb(notice.request.app)
  }

  mutating func forget(_ notice: FiredNotice, into turn: inout Turn) {
    notices.remove(notice.id)
    turn.changes.removeNotice(notice.id)
    turn.touchedNotices.append(notice.id)
  }

  /// Forgets a notification that the app was told of or is about to be: to have it shown has no effect any more.
  mutating func takeBack(_ notice: FiredNotice, into turn: inout Turn) {
    apps[notice.request.app]?.run.briefing?.notices[notice.id] = nil
    forget(notice, into: &turn)
  }

  /// Forgets a notification that is shown or about to be. One that the screen was never asked to show needs no deed: an
  /// app may have thousands fired at once, of which the screen gets the newest.
  mutating func dismiss(_ notice: FiredNotice, into turn: inout Turn) {
    let isOnScreen = !notices.isUnseen(notice.id)
    forget(notice, into: &turn)
    if isOnScreen { turn.deeds.append(.retract(notice.id)) }
  }

  /// Remembers the key of a notification that is over, unless it repeats. One that its app cancels is not remembered:
  /// an app that repeats the cancellation and then the request wants it carried out.
  mutating func noteSeenTo(_ request: NoticeRequest, into turn: inout Turn) {
    guard var taken = apps.take(request.app) else { return }
    noteSeenTo(request, of: &taken.app, into: &turn)
    apps.put(taken)
  }

  /// The same for an app that is taken out of the table.
  func noteSeenTo(_ request: NoticeRequest, of app: inout App, into turn: inout Turn) {
    guard notices[NoticeKey(app: request.app, key: request.key)] == nil else { return }
    let others = app.record.pastNotices.filter { $0 != request.key }
    app.record.pastNotices = (others + [request.key]).suffix(limits.pastNoticesPerAppMax)
    turn.changes.keep(app.record)
  }
}
