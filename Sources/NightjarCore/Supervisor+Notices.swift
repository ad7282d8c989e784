import NightjarModel

/// What apps ask for local notifications: scheduled, cancelled, listed, counted on the icon.
extension Supervisor {
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

  /// Only installed apps have notifications: whoever taps one opens its app.
  private func noticeOwner(_ caller: Caller) throws(Refusal) -> AppID {
    guard let app = apps[caller.app] else { throw .notAttached(caller.app) }
    guard app.isBundle else {
      throw .invalid(field: "notification", reason: "only an installed app may have notifications and a badge")
    }
    return caller.app
  }
}
