import NightjarModel

/// Local notifications: scheduled by apps, fired by the wall clock, shown to a person or told to the app.
extension Supervisor {
  // MARK: What apps ask for

  /// Schedules notifications; those without a time are fired at once. A known key is left as it is, even if its
  /// notification was seen to meanwhile: an app that dies before it has its answer repeats the request in its next
  /// life. One that replaces itself unchanged is left, too: it is not fired again for a time that has passed.
  mutating func schedule(
    _ requests: [NoticeRequest], replaces: Bool, by caller: Caller, into turn: inout Turn
  ) throws(Refusal) {
    let app = try noticeOwner(caller)
    guard requests.count <= Limits.noticesPerCallMax else {
      throw .limitReached(what: "notifications in one call", limit: Limits.noticesPerCallMax)
    }
    for request in requests { try request.check(limits) }
    if replaces { unschedule(allBut: Set(requests), of: app, into: &turn) }
    for request in requests { schedule(request, into: &turn) }
    dropSurplus(of: app, into: &turn)
  }

  private mutating func schedule(_ request: NoticeRequest, into turn: inout Turn) {
    guard notices[NoticeKey(app: request.app, key: request.key)] == nil else { return }
    guard !wasFired(request) else { return scheduleAgain(request, into: &turn) }
    supersede(request, into: &turn)
    guard request.time != nil else { return fire(request, into: &turn) }
    keep(ScheduledNotice(request: request), into: &turn)
  }

  private func wasFired(_ request: NoticeRequest) -> Bool {
    apps[request.app]?.record.pastNotices.contains(request.key) == true
      || notices.fired(of: request.app).contains { $0.request.key == request.key }
  }

  /// Lets a repeating notification that is asked for again go on from now: its app has taken it back meanwhile. One
  /// with a name is not asked for again under its key, only by an app that repeats all of its requests.
  private mutating func scheduleAgain(_ request: NoticeRequest, into turn: inout Turn) {
    guard request.identifier == nil else { return }
    guard let time = request.time, !time.isOver(after: moment.wall, notices.rules) else { return }
    keep(ScheduledNotice(request: request, since: moment.wall), into: &turn)
  }

  private mutating func unschedule(allBut kept: Set<NoticeRequest>, of app: AppID, into turn: inout Turn) {
    for key in notices.keys(of: app) {
      if let notice = notices[key], !kept.contains(notice.request) { unschedule(key, into: &turn) }
    }
  }

  /// Keeps the soonest if there are too many, as on iOS.
  private mutating func dropSurplus(of app: AppID, into turn: inout Turn) {
    let keys = notices.keys(of: app)
    guard keys.count > limits.noticesPerAppMax else { return }
    for key in keys[limits.noticesPerAppMax...] { unschedule(key, into: &turn) }
    let count = keys.count - limits.noticesPerAppMax
    let words =
      "\(count) notification\(count == 1 ? " is" : "s are") not kept: an app may have \(limits.noticesPerAppMax) pending, the soonest"
    turn.deeds.append(.note(app, words))
  }

  /// Cancels the notifications of these keys and names, and those that equal one of `like`; without keys, all of the
  /// app's. Those that are shown go, too, as on iOS, unless only those at one place are meant.
  mutating func cancelNotices(
    _ keys: [RequestKey]?, like: [NoticeRequest], named names: [String], only place: NoticePlace?, by caller: Caller,
    into turn: inout Turn
  ) throws(Refusal) {
    let app = try noticeOwner(caller)
    let (keys, likenesses, names) = (keys.map(Set.init), Set(like.map(\.likeness)), Set(names))
    func isMeant(_ request: NoticeRequest) -> Bool {
      keys?.contains(request.key) != false || request.identifier.map(names.contains) == true
        || likenesses.contains(request.likeness)
    }
    for key in notices.keys(of: app) where place != .shown {
      if let notice = notices[key], isMeant(notice.request) { unschedule(key, into: &turn) }
    }
    for notice in notices.fired(of: app) where place != .scheduled && notice.isShown && isMeant(notice.request) {
      dismiss(notice, into: &turn)
    }
  }

  /// The notifications that an app has scheduled, the soonest first.
  func scheduledNotices(of caller: Caller) throws(Refusal) -> [NoticeRequest] {
    notices.keys(of: try noticeOwner(caller)).compactMap { notices[$0]?.request }
  }

  /// The notifications of an app that lie in the notification centre, the newest first.
  func shownNotices(of caller: Caller) throws(Refusal) -> [FiredNotice] {
    notices.fired(of: try noticeOwner(caller)).reversed().filter(\.isShown)
  }

  /// Sets the number that the app's icon shows; 0 also takes its notifications off the screen, as on iOS.
  ///
  /// Afterwards its process is told its standing in any case, even if the number is refused: an earlier report may
  /// reach it before the answer or after it, so that only the last one can be believed.
  mutating func setBadge(_ badge: Int, by caller: Caller, into turn: inout Turn) throws(Refusal) {
    let app = try noticeOwner(caller)
    defer { if hears(caller) { briefAnew(app, into: &turn) } }
    guard (0...NoticeContent.badgeMax).contains(badge) else {
      throw .invalid(field: "count", reason: "a badge is a number from 0 to \(NoticeContent.badgeMax)")
    }
    setBadge(badge, of: app, into: &turn)
    if badge == 0 { for notice in notices.fired(of: app) where notice.isShown { dismiss(notice, into: &turn) } }
  }

  /// Whether a caller is the process that hears of its app's standing.
  private func hears(_ caller: Caller) -> Bool {
    guard let app = apps[caller.app], let ear = app.ear else { return false }
    return app.attachments[ear]?.caller.pid == caller.pid
  }

  /// The app's delegate has been told, and may want it shown all the same.
  mutating func takeNotice(_ id: NoticeID, shows showing: NoticeShowing?, by caller: Caller, into turn: inout Turn) {
    guard let notice = notices[id], notice.request.app == caller.app, !notice.isShown else { return }
    takeBack(notice, into: &turn)
    if let showing, notice.stage == .told(isTapped: false) { show(notice, showing, into: &turn) }
    noteSeenTo(notice.request, into: &turn)
  }

  /// Shows a notification that its app was told of, under a new number: the app may yet be told that it is tapped. One
  /// that is shown silently has no sound from then on, also for its app.
  private mutating func show(_ notice: FiredNotice, _ showing: NoticeShowing, into turn: inout Turn) {
    guard let app = apps[notice.request.app], mayShow(notice.request, of: app, into: &turn) else { return }
    makeWay(for: notice.request, into: &turn)
    counters.notice += 1
    var shown = FiredNotice(
      id: NoticeID(counters.notice), request: notice.request, firedAt: notice.firedAt, stage: .shown(isSeen: false))
    if showing == .silently { shown.request.content.sound = nil }
    keep(shown, into: &turn)
    dropOldest(of: app.id, into: &turn)
  }

  /// Only installed apps have notifications: whoever taps one opens its app.
  private func noticeOwner(_ caller: Caller) throws(Refusal) -> AppID {
    guard let app = apps[caller.app] else { throw .notAttached(caller.app) }
    guard app.isBundle else {
      throw .invalid(field: "notification", reason: "only an installed app may have notifications and a badge")
    }
    return caller.app
  }

  // MARK: What the clock and people do

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
    while let notice = notices.popUnseen() {
      if let banner = banner(of: notice) { turn.deeds.append(.show(banner)) }
    }
  }

  private mutating func fire(_ request: NoticeRequest, into turn: inout Turn) {
    guard let app = apps[request.app] else { return }
    if request.content.badge > 0 { setBadge(request.content.badge, of: app.id, into: &turn) }
    guard let stage = stage(of: request, for: app, into: &turn) else { return noteSeenTo(request, into: &turn) }
    if stage == .shown(isSeen: false) { makeWay(for: request, into: &turn) }
    counters.notice += 1
    let notice = FiredNotice(
      id: NoticeID(counters.notice), request: request, firedAt: moment.wall, stage: stage)
    keep(notice, into: &turn)
    dropOldest(of: app.id, into: &turn)
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
  private func mayShow(_ request: NoticeRequest, of app: App, into turn: inout Turn) -> Bool {
    guard request.content.isVisible else { return false }
    if app.record.settings.alerts { return true }
    turn.deeds.append(.note(app.id, "a notification was not shown: alerts are off in the settings of \(app.id)"))
    return false
  }

  /// Keeps the newest if there are too many in the notification centre, or told to an app in the foreground that has
  /// not taken them.
  private mutating func dropOldest(of app: AppID, into turn: inout Turn) {
    let fired = notices.fired(of: app)
    for notice in fired.filter(\.isShown).dropLast(limits.shownNoticesPerAppMax) { dismiss(notice, into: &turn) }
    let told = fired.filter { $0.stage == .told(isTapped: false) }
    for notice in told.dropLast(limits.shownNoticesPerAppMax) { takeBack(notice, into: &turn) }
  }

  /// Tells the screen what lies in the notification centre: it may still show what an earlier daemon asked it to.
  func restoreNotices(into turn: inout Turn) {
    let centre = notices.centre.reversed()
    let unseen = centre.filter { $0.stage == .shown(isSeen: false) }.map(\.id)
    let seen = centre.filter { $0.stage == .shown(isSeen: true) }.compactMap(banner)
    turn.deeds.append(.restore(seen: seen, unseen: unseen))
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

  // MARK: What apps are told

  /// Tells an app's process its standing once more, or has it told when it runs.
  private mutating func briefAnew(_ id: AppID, into turn: inout Turn) {
    guard var taken = apps.take(id) else { return }
    taken.app.run.briefing?.standing = nil
    brief(&taken.app, into: &turn)
    apps.put(taken)
  }

  /// Tells an app's process its standing, significant time changes and its notifications, as far as it has not been
  /// told.
  mutating func brief(_ app: inout App, into turn: inout Turn) {
    guard app.isBundle, case .running = app.life, let ear = app.ear else { return }
    app.brief(ear, at: civilTime.mark)
    let standing = standing(of: app)
    if app.run.briefing?.standing != standing {
      app.run.briefing?.standing = standing
      turn.deeds.append(.tell(ear, .standing(standing)))
    }
    if app.run.briefing?.time != civilTime.mark {
      app.run.briefing?.time = civilTime.mark
      turn.deeds.append(.tell(ear, .significantTimeChange))
    }
    for notice in notices.fired(of: app.id) where app.run.briefing?.notices[notice.id] == nil {
      guard case .told(let isTapped) = notice.stage else { continue }
      app.run.briefing?.notices[notice.id] = ()
      let message = Message.Noticed(id: notice.id, request: notice.request, isTapped: isTapped)
      turn.deeds.append(.tell(ear, .noticed(message)))
    }
  }

  /// The notification by which a person has opened an app that has yet to hear of it.
  func tappedNotice(of app: AppID) -> Message.Noticed? {
    let notice = notices.fired(of: app).last { $0.stage == .told(isTapped: true) }
    return notice.map { Message.Noticed(id: $0.id, request: $0.request, isTapped: true) }
  }

  /// Moves what an app has not taken in a life that is over to the notification centre, if it can be shown.
  mutating func returnNotices(of app: App, into turn: inout Turn) {
    for var notice in notices.fired(of: app.id) {
      guard case .told(let isTapped) = notice.stage else { continue }
      guard !isReplaced(notice), mayShow(notice.request, of: app, into: &turn) else {
        forget(notice, into: &turn)
        continue
      }
      notice.stage = .shown(isSeen: isTapped)
      keep(notice, into: &turn)
    }
    dropOldest(of: app.id, into: &turn)
  }

  /// Shows what an app was told of in the foreground and has not taken by the time it stands still: it may not run on
  /// for days. Its answer is late then. What cannot be shown waits for the answer.
  mutating func showUntaken(of id: AppID, into turn: inout Turn) {
    guard apps[there: id].record.settings.alerts else { return }
    for notice in notices.fired(of: id) where notice.stage == .told(isTapped: false) {
      guard notice.request.content.isVisible else { continue }
      let isReplaced = isReplaced(notice)
      takeBack(notice, into: &turn)
      if !isReplaced { show(notice, .withSound, into: &turn) }
    }
  }

  /// The app is gone, and its notifications with it.
  mutating func forgetNotices(of app: AppID, into turn: inout Turn) {
    for key in notices.keys(of: app) { unschedule(key, into: &turn) }
    for notice in notices.fired(of: app) { notice.isShown ? dismiss(notice, into: &turn) : forget(notice, into: &turn) }
  }

  // MARK: Keeping

  private mutating func setBadge(_ badge: Int, of id: AppID, into turn: inout Turn) {
    guard var record = apps[id]?.record, record.badge != badge else { return }
    record.badge = badge
    apps[id]?.record = record
    turn.changes.keep(record)
    touch(id, into: &turn)
  }

  private mutating func keep(_ notice: ScheduledNotice, into turn: inout Turn) {
    notices.keep(notice)
    turn.changes.keep(notice)
  }

  mutating func unschedule(_ key: NoticeKey, into turn: inout Turn) {
    notices.remove(key)
    turn.changes.removeScheduled(key)
  }

  private mutating func keep(_ notice: FiredNotice, into turn: inout Turn) {
    notices.keep(notice)
    turn.changes.keep(notice)
    turn.touchedNotices.append(notice.id)
    disturb(notice.request.app)
  }

  private mutating func forget(_ notice: FiredNotice, into turn: inout Turn) {
    notices.remove(notice.id)
    turn.changes.removeNotice(notice.id)
    turn.touchedNotices.append(notice.id)
  }

  /// Forgets a notification that the app was told of or is about to be: to have it shown has no effect any more.
  mutating func takeBack(_ notice: FiredNotice, into turn: inout Turn) {
    apps[notice.request.app]?.run.briefing?.notices[notice.id] = nil
    forget(notice, into: &turn)
  }

  mutating func dismiss(_ notice: FiredNotice, into turn: inout Turn) {
    forget(notice, into: &turn)
    turn.deeds.append(.retract(notice.id))
  }

  /// Remembers the key of a notification that is over, unless it repeats. One that its app cancels is not remembered:
  /// an app that repeats the cancellation and then the request wants it carried out.
  mutating func noteSeenTo(_ request: NoticeRequest, into turn: inout Turn) {
    guard notices[NoticeKey(app: request.app, key: request.key)] == nil, var record = apps[request.app]?.record else {
      return
    }
    let others = record.pastNotices.filter { $0 != request.key }
    record.pastNotices = (others + [request.key]).suffix(limits.pastNoticesPerAppMax)
    apps[request.app]?.record = record
    turn.changes.keep(record)
  }
}
