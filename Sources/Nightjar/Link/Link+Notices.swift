import Foundation
import NightjarWire
import Synchronization

/// The link's record of the app's notifications, and of what a person allows the app.
struct NoticeBook {
  /// The standing that the daemon reported last; nil before the first report.
  var standing: AppInterface.Standing?
  /// The badge that the daemon last reported since the app set one; nil without such a report, or once the daemon has
  /// answered all calls that set it.
  fileprivate var badgeTold: Int64?
  /// Called when the standing has changed; nil in a program.
  var standingHandler: (@Sendable (AppInterface.Standing) -> Void)?
  /// Called with a notification for the delegate; nil in a program.
  var noticeHandler: (@Sendable (AppInterface.Notified) -> Void)?
  /// The numbers of notifications that the delegate is about to be told of, or was, while the daemon may not know it
  /// yet.
  var claimed: Set<Int64> = []
  /// The numbers of notifications that the daemon knows to have been delivered.
  var taken = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
  /// The folder with the calls that the daemon has not accepted; nil if they are kept in memory only.
  var folder: NoticeFolder?
  /// Callers that wait for the list of notifications, in the order of the calls.
  var askers = Fifo<Lister>()
  /// The keys of what the app has set since it was last given no list, or an empty one that no daemon has answered; nil
  /// if its last list was answered.
  fileprivate var setUnread: [String]?

  /// Receives the list of notifications.
  typealias Lister = @Sendable (AppInterface.ListNotifications.Reply) -> Void

  /// Notes that the daemon knows that a notification was delivered.
  fileprivate mutating func took(_ number: Int64) {
    claimed.remove(number)
    taken.insert(number)
  }

  /// Shows a badge that the app has set, before the daemon knows it.
  fileprivate mutating func show(badge: Int64) {
    var known = standing ?? .unsaid
    known.badge = badge
    standing = known
  }
}

// Local notifications, the badge, and settings.
extension Link {
  /// Sets the handlers of notifications for the delegate and of changed settings, which are called on any thread.
  func onNotices(
    _ hear: @escaping @Sendable (AppInterface.Notified) -> Void,
    standing: @escaping @Sendable (AppInterface.Standing) -> Void
  ) {
    state.withLock { ($0.notices.noticeHandler, $0.notices.standingHandler) = (hear, standing) }
  }

  /// What a person allows the app; everything, until a daemon reports otherwise.
  var standing: AppInterface.Standing {
    state.withLock { $0.notices.standing } ?? .unsaid
  }

  /// Schedules notifications. When it returns, they are written to the outbox and, if there is a line, to the socket.
  func schedule(_ notifications: [AppInterface.Notification]) {
    ask(.schedule(.init(notifications: notifications, replace: false)))
  }

  /// Schedules notifications in the place of all others. If the app could not read those, it may have made the list
  /// without them: until it can, only what it has set meanwhile gives way.
  func replaceScheduled(by notifications: [AppInterface.Notification]) {
    let keys = notifications.map(\.key)
    let former = state.withLock { state in
      defer { if state.notices.setUnread != nil { state.notices.setUnread = keys } }
      return state.notices.setUnread
    }
    guard let former else { return ask(.schedule(.init(notifications: notifications, replace: true))) }
    Console.warn("the scheduled notifications could not be read, so setting them anew cancels none of them")
    let gone = former.filter { !keys.contains($0) }
    if !gone.isEmpty { cancelNotifications(gone) }
    schedule(notifications)
  }

  /// Cancels the notifications with these keys, or all if nil.
  func cancelNotifications(_ keys: [String]?) { ask(.cancelNotifications(.init(keys: keys))) }

  /// Cancels the notifications with these keys, and all that equal `like`.
  func cancelNotification(_ keys: [String], like notification: AppInterface.Notification) {
    // A separate call, because a daemon that does not know `like` refuses it.
    if !keys.isEmpty { cancelNotifications(keys) }
    ask(.cancelNotifications(.init(keys: [], like: [notification])))
  }

  /// Cancels notifications in one place: those with these identifiers, or all if nil.
  func cancelNotifications(_ place: AppInterface.CancelNotifications.Parameters.Place, named names: [String]? = nil) {
    guard names?.isEmpty != true else { return }
    ask(.cancelNotifications(.init(identifiers: names, only: place)))
  }

  func setBadge(_ count: Int) {
    state.withLock { state in
      state.notices.show(badge: Int64(count))
      state.notices.badgeTold = nil  // That report was about an earlier badge.
    }
    ask(.setBadge(.init(count: Int64(count))))
  }

  /// The scheduled notifications. Waits for the daemon's answer; nil if none comes in time, empty without a daemon.
  func scheduledNotifications() -> [AppInterface.Notification]? {
    let list = listed(atMost: patience)
    state.withLock { state in
      let isAnswered = list != nil && !state.isAlone
      state.notices.setUnread = isAnswered ? nil : state.notices.setUnread ?? []
    }
    return list?.notifications
  }

  /// Waits a short time for the answers to calls about notifications. Unanswered calls would be repeated in the next
  /// life, though the daemon may have carried them out. Answers come in order, so the answer to one more call covers
  /// all before.
  func settleNotices(atMost limit: Duration = LinkLimits.departure) {
    let isOpen = state.withLock { $0.phase == .up && $0.notices.folder?.outbox.entries.isEmpty == false }
    if isOpen { _ = listed(atMost: limit) }
  }

  private func listed(atMost limit: Duration) -> AppInterface.ListNotifications.Reply? {
    let list = Awaited<AppInterface.ListNotifications.Reply>()
    listNotices { list.take($0) }
    return list.wait(atMost: limit)
  }

  /// Calls back with the notifications that are scheduled and shown, on any thread; with none if there has never been a
  /// daemon. If the daemon has gone, this waits for the next.
  func listNotices(_ then: @escaping NoticeBook.Lister) {
    start()
    let isAlone = state.withLock { state in
      guard !state.isAlone else { return true }
      state.notices.askers.append(then)
      state.calls.append(.listNotifications)
      return false
    }
    if isAlone { return then(.none) }
    flush()
  }

  /// Calls back with what a person allows the app, on any thread: with what the daemon has reported last, or will when
  /// the first attempt to reach it has ended.
  func tellStanding(_ then: @escaping @Sendable (AppInterface.Standing) -> Void) {
    let isKnown = state.withLock { $0.attachment != nil || $0.isAlone }
    if isKnown { return then(standing) }
    listNotices { _ in then(self.standing) }  // Answered after the attachment, which comes with the standing.
  }

  /// Claims a notification for delivery. True once for each number, unless a new daemon counts from the beginning
  /// again.
  func claim(_ number: Int64) -> Bool {
    state.withLock { state in
      !state.notices.taken.contains(number) && state.notices.claimed.insert(number).inserted
    }
  }

  /// Tells the daemon that the delegate has been told of a notification, and whether one that was fired in the
  /// foreground is to be shown all the same.
  func take(_ number: Int64, show: Bool? = nil, silent: Bool? = nil) {
    ask(.takeNotification(.init(number: number, show: show, silent: silent)))
  }

  /// The time by which notifications are scheduled.
  var now: Date { transport.now }

  /// Makes a call that does not concern a session. When this returns, the call is on its way or waits for a daemon: in
  /// the outbox if it changes notifications, else in memory.
  func ask(_ call: Call) {
    start()
    state.withLock { $0.askOfNotices(call) }
    flush()
  }

  /// Passes a notification to the delegate's handler; a process without a handler takes it at once.
  func noticed(_ notified: AppInterface.Notified) {
    if let handler = state.withLock({ $0.notices.noticeHandler }) { return handler(notified) }
    state.withLock { $0.calls.append(.takeNotification(.init(number: notified.number))) }
    flushSoon()
  }

  /// Notes a new standing, and calls the handler.
  func note(_ standing: AppInterface.Standing) { state.withLock { $0.note(standing) }?() }
}

extension LinkState {
  /// Opens the notifications' folder, and repeats the calls of an earlier life that the daemon has not accepted. If
  /// another process of the app has the folder, the calls of this one are kept in memory.
  mutating func openNotices(at place: Place) {
    trying { () throws(FileTrouble) in notices.folder = try NoticeFolder(in: place) }
    for entry in notices.folder?.outbox.entries ?? [] {
      calls.append(entry.call, entry: OutboxEntry(session: nil, number: entry.number))
    }
    if let badge = calls.badge { notices.show(badge: badge) }
  }

  /// Makes a call about notifications. One that changes them is kept in the outbox until the daemon has accepted it.
  mutating func askOfNotices(_ call: Call) {
    var number: Int?
    if call.changesNotices {
      trying { () throws(FileTrouble) in number = try notices.folder?.outbox.append(call, synced: phase != .up) }
    }
    calls.append(call, entry: number.map { OutboxEntry(session: nil, number: $0) })
  }

  /// Notes a new standing. Returns the call of the handler.
  ///
  /// The daemon may not know yet the badge that the app has set last, which is shown until the daemon has answered.
  /// Answers come over another connection, so a badge reported meanwhile may be from before or after the call. The
  /// daemon reports the standing after each badge that is set, so its last report is right once all answers are there.
  /// The first standing of a line is from before all unanswered calls.
  mutating func note(_ standing: AppInterface.Standing, isFirst: Bool = false) -> (@Sendable () -> Void)? {
    notices.standing = standing
    notices.badgeTold = nil
    if let badge = calls.badge {
      notices.badgeTold = isFirst ? nil : standing.badge
      notices.show(badge: badge)
    }
    guard let handler = notices.standingHandler, let known = notices.standing else { return nil }
    return { handler(known) }
  }

  /// Shows the badge that was reported meanwhile, once the daemon has answered all calls that set one.
  mutating func settleBadge() {
    guard let told = notices.badgeTold, calls.badge == nil else { return }
    notices.show(badge: told)
    notices.badgeTold = nil
  }

  /// Handles the daemon's answer to a call about notifications.
  mutating func heard(_ call: Call, _ answer: Answer) -> Hearing {
    if case .takeNotification(let asked) = call { notices.took(asked.number) }
    var hearing = Hearing()
    if case .refused(let refusal) = answer {
      hearing.asks.append { Console.warn("the daemon refuses a call about notifications: \(refusal.complaint)") }
    }
    guard case .listNotifications = call, let asker = notices.askers.popFirst() else { return hearing }
    let list = if case .notifications(let list) = answer { list } else { AppInterface.ListNotifications.Reply.none }
    hearing.asks.append { asker(list) }
    return hearing
  }
}

extension AppInterface.ListNotifications.Reply {
  /// The list without a daemon.
  static let none = Self(notifications: [], shown: [])
}

extension AppInterface.Standing {
  /// The standing until a daemon reports one.
  fileprivate static let unsaid = Self(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: 0)
}

extension CallQueue {
  /// The badge of the last unanswered call that sets one; nil if all are answered.
  fileprivate var badge: Int64? {
    let last = calls.last { if case .setBadge = $0 { true } else { false } }
    guard case .setBadge(let asked)? = last else { return nil }
    return asked.count
  }
}

extension Call {
  /// Whether the call changes notifications that are scheduled or shown, so that it must not be lost.
  fileprivate var changesNotices: Bool {
    switch self {
    case .schedule, .cancelNotifications, .setBadge: true
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .acknowledge,
      .reportDamage, .answer, .finishEvents, .forgetDecisions, .closeSession, .listNotifications, .takeNotification,
      .entered, .beginTask, .endTask, .setView, .ignoreSnapshot, .setFetchInterval, .submit, .cancelRequests,
      .listRequests, .finishFetch, .finishTask:
      false
    }
  }
}
