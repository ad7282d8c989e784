import NightjarModel

/// What apps are told of their notifications, and what becomes of those that they have not taken.
extension Supervisor {
  /// Tells an app's process its standing once more, or has it told when it runs.
  mutating func briefAnew(_ id: AppID, into turn: inout Turn) {
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
  mutating func returnNotices(of app: inout App, into turn: inout Turn) {
    for var notice in notices.fired(of: app.id) {
      guard case .told(let isTapped) = notice.stage else { continue }
      guard !isReplaced(notice), mayShow(notice.request, of: app, into: &turn) else {
        forget(notice, into: &turn)
        noteSeenTo(notice.request, of: &app, into: &turn)
        continue
      }
      notice.stage = .shown(isSeen: isTapped)
      keep(notice, into: &turn)
    }
    for request in dropOldest(of: app.id, into: &turn) { noteSeenTo(request, of: &app, into: &turn) }
  }

  /// The same for an app whose last life ended before this daemon began.
  mutating func returnNotices(of id: AppID, into turn: inout Turn) {
    guard var taken = apps.take(id) else { return }
    returnNotices(of: &taken.app, into: &turn)
    apps.put(taken)
  }

  /// Shows what an app was told of in the foreground and has not taken by the time it stands still: it may not run on
  /// for days. Its answer is late then. What cannot be shown waits for the answer.
  mutating func showUntaken(of id: AppID, into turn: inout Turn) {
    guard apps[there: id].record.settings.alerts else { return }
    for notice in notices.fired(of: id) where notice.stage == .told(isTapped: false) {
      guard notice.request.content.isVisible else { continue }
      let isReplaced = isReplaced(notice)
      takeBack(notice, into: &turn)
      if isReplaced {
        noteSeenTo(notice.request, into: &turn)
      } else {
        show(notice, .withSound, into: &turn)
      }
    }
  }

  /// The app is gone, and its notifications with it.
  mutating func forgetNotices(of app: AppID, into turn: inout Turn) {
    for key in notices.keys(of: app) { unschedule(key, into: &turn) }
    for notice in notices.fired(of: app) { notice.isShown ? dismiss(notice, into: &turn) : forget(notice, into: &turn) }
  }
}
