import NightjarModel

/// Local notifications as the clock and people move them: fired when they are due, shown, tapped, put away.
extension Supervisor {
  /// Takes in the wall clock. If it was set back, repeating notifications are due again. A clock that has not learned
  /// the date yet, as after the start of a machine without a battery for it, is ignored.
  mutating func seeWall(into turn: inout Turn) {
    guard moment.wall.isDated else { return }
    for notice in notices.see(moment.wall) { turn.changes.keep(notice) }
  }

  /// Fires what is due, and shows the notifications that the screen was not yet asked to show.
  mutating func settleNotices(into turn: inout Turn) {
    while var notice = notices.popDue(at: moment.wall) {
      if notice.request.time?.isOver(after: moment.wall, notices.rules) != false {
        turn.changes.removeScheduled(notice.key)
      } else {
        notice.since = moment.wall
        keep(notice, into: &turn)
      }
      fire(notice.request, into: &turn)
    }
    showUnseen(into: &turn)
  }

  private mutating func showUnseen(into turn: inout Turn) {
    while let notice = notices.popUnseen() {
      if let banner = banner(of: notice) { turn.deeds.append(.show(banner)) }
    }
  }

  /// Shows a notification, or has its app told of it.
  mutating func fire(_ request: NoticeRequest, into turn: inout Turn) {
    guard let app = apps[request.app] else { return }
    if request.content.badge > 0 { setBadge(request.content.badge, of: app.id, into: &turn) }
    guard let stage = stage(of: request, for: app, into: &turn) else { return noteSeenTo(request, into: &turn) }
    if stage == .shown(isSeen: false) { makeWay(for: request, into: &turn) }
    counters.notice += 1
    let notice = FiredNotice(
      id: NoticeID(counters.notice), request: request, firedAt: moment.wall, stage: stage)
    keep(notice, into: &turn)
    for request in dropOldest(of: app.id, into: &turn) { noteSeenTo(request, into: &turn) }
  }

  /// Shows a notification that its app was told of, under a new number: the app may yet be told that it is tapped. One
  /// that is shown silently has no sound from then on, also for its app.
  mutating func show(_ notice: FiredNotice, _ showing: NoticeShowing, into turn: inout Turn) {
    guard let app = apps[notice.request.app], mayShow(notice.request, of: app, into: &turn) else { return }
    makeWay(for: notice.request, into: &turn)
    counters.notice += 1
    var shown = FiredNotice(
      id: NoticeID(counters.notice), request: notice.request, firedAt: notice.firedAt, stage: .shown(isSeen: false))
    if showing == .silently { shown.request.content.sound = nil }
    keep(shown, into: &turn)
    for request in dropOldest(of: app.id, into: &turn) { noteSeenTo(request, into: &turn) }
  }

  /// Where a notification goes. An app in the foreground is told instead of anything being shown, unless nobody sees
  /// the app and the notification could be seen. Nil if nothing comes of it.
  private func stage(
    of request: NoticeRequest, for app: App, into turn: inout Turn
  ) -> FiredNotice.Stage? {
    let isForApp = device.conditions.isSeen || !request.content.isVisible || !app.record.settings.alerts
    if app.isInForeground, isForApp { return .told(isTapped: false) }
    return mayShow(request, of: app, into: &turn) ? .shown(isSeen: false) : nil
  }

  /// Whether there is something to show and alerts are on; if they are off, the app's log says so.
  func mayShow(_ request: NoticeRequest, of app: App, into turn: inout Turn) -> Bool {
    guard request.content.isVisible else { return false }
    if app.record.settings.alerts { return true }
    turn.deeds.append(.note(app.id, "a notification was not shown: alerts are off in the settings of \(app.id)"))
    return false
  }

  /// Keeps the newest if there are too many in the notification centre, or told to an app in the foreground that has
  /// not taken them. Returns the requests of the others, which are over.
  mutating func dropOldest(of app: AppID, into turn: inout Turn) -> [NoticeRequest] {
    let fired = notices.fired(of: app)
    let shown = fired.filter(\.isShown).dropLast(limits.shownNoticesPerAppMax)
    for notice in shown { dismiss(notice, into: &turn) }
    let told = fired.filter { $0.stage == .told(isTapped: false) }.dropLast(limits.shownNoticesPerAppMax)
    for notice in told { takeBack(notice, into: &turn) }
    return (shown + told).map(\.request)
  }

  /// Tells the screen what lies in the notification centre: it may still show what an earlier daemon asked it to. What
  /// it is told to be about to be shown is shown at once, for that may be there already and have to be retracted.
  mutating func restoreNotices(into turn: inout Turn) {
    let centre = notices.centre.reversed()
    let unseen = centre.filter { $0.stage == .shown(isSeen: false) }.map(\.id)
    let seen = centre.filter { $0.stage == .shown(isSeen: true) }.compactMap(banner)
    turn.deeds.append(.restore(seen: seen, unseen: unseen))
    showUnseen(into: &turn)
  }

  /// Takes in that a notification was shown.
  mutating func noteShown(_ id: NoticeID, into turn: inout Turn) {
    guard var notice = notices[id], notice.stage == .shown(isSeen: false) else { return }
    notice.stage = .shown(isSeen: true)
    notices.keep(notice)
    turn.changes.keep(notice)  // Its view is the same as before.
  }

  /// A person opens an app by one of its notifications.
  mutating func tapNotice(_ id: NoticeID, _ ticket: Ticket, at now: Age, into turn: inout Turn) throws(Refusal)
    -> Answer?
  {
    guard var notice = notices[id], notice.isShown else { throw .noSuchNotice(id) }
    let before = notice
    notice.stage = .told(isTapped: true)
    keep(notice, into: &turn)
    do throws(Refusal) {
      let answer = try launchForPerson(notice.request.app, [], ticket, at: now, into: &turn)
      turn.deeds.append(.retract(id))
      return answer
    } catch {
      keep(before, into: &turn)
      throw error
    }
  }

  /// A person puts one away.
  mutating func dismissNotice(_ id: NoticeID, into turn: inout Turn) throws(Refusal) {
    guard let notice = notices[id], notice.isShown else { throw .noSuchNotice(id) }
    dismiss(notice, into: &turn)
    noteSeenTo(notice.request, into: &turn)
  }
}
