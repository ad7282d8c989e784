import Foundation
import NightjarWire
import Synchronization

/// What the link knows of the app's notifications, and of what a person allows it.
struct NoticeBook {
  /// What the daemon said last; nil before it said anything.
  var standing: AppInterface.Standing?
  /// The badge that the daemon told last since the app set one; nil if it told none, or has answered for all.
  fileprivate var badgeTold: Int64?
  /// Who hears that it has changed; nil in a program.
  var standingHandler: (@Sendable (AppInterface.Standing) -> Void)?
  /// Who hears of a notification for the delegate; nil in a program.
  var noticeHandler: (@Sendable (AppInterface.Notified) -> Void)?
  /// Numbers that the delegate is about to be told, or was and the daemon may not know it yet.
  var claimed: Set<Int64> = []
  /// Numbers that the daemon knows to have been told.
  var taken = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
  /// Where what was asked is kept until the daemon has accepted it; nil where it is kept in memory only.
  var folder: NoticeFolder?
  /// Who waits for the list of what is scheduled, in the order of the calls.
  var askers = Fifo<@Sendable ([AppInterface.Notification]) -> Void>()

  /// The daemon knows that one was told.
  fileprivate mutating func took(_ number: Int64) {
    claimed.remove(number)
    taken.insert(number)
  }

  /// The app has set the badge: it knows before the daemon does.
  fileprivate mutating func show(badge: Int64) {
    var known = standing ?? .unsaid
    known.badge = badge
    standing = known
  }
}

// Local notifications, the badge, and settings.
extension Link {
  /// Who hears, on any thread, of a notification for the delegate, and of other settings.
  func onNotices(
    _ hear: @escaping @Sendable (AppInterface.Notified) -> Void,
    standing: @escaping @Sendable (AppInterface.Standing) -> Void
  ) {
    state.withLock { ($0.notices.noticeHandler, $0.notices.standingHandler) = (hear, standing) }
  }

  /// What a person allows the app: everything, as long as no daemon says otherwise.
  var standing: AppInterface.Standing {
    state.withLock { $0.notices.standing } ?? .unsaid
  }

  /// Schedules notifications. When it returns, they are written to the outbox and, if there is a line, to the socket.
  func schedule(_ notifications: [AppInterface.Notification], replace: Bool = false) {
    ask(.schedule(.init(notifications: notifications, replace: replace)))
  }

  /// Cancels notifications, all without keys.
  func cancelNotifications(_ keys: [String]?) { ask(.cancelNotifications(.init(keys: keys))) }

  /// Cancels a notification: those of its keys, and all that equal it.
  func cancelNotification(_ keys: [String], like notification: AppInterface.Notification) {
    // Apart from the other, which a daemon that is older than `like` refuses.
    if !keys.isEmpty { cancelNotifications(keys) }
    ask(.cancelNotifications(.init(keys: [], like: [notification])))
  }

  func setBadge(_ count: Int) {
    state.withLock { state in
      state.notices.show(badge: Int64(count))
      state.notices.badgeTold = nil  // It was told of what was before.
    }
    ask(.setBadge(.init(count: Int64(count))))
  }

  /// What is scheduled; waits for the daemon's answer. Nothing if none comes.
  func scheduledNotifications() -> [AppInterface.Notification] { listed(atMost: patience) ?? [] }

  /// Returns once what was asked about notifications is answered, or soon without: a life that ends before that leaves it to
  /// the next, which would ask again for what has long been done. Answers come in order, so one more tells of all before.
  func settleNotices(atMost limit: Duration = LinkLimits.departure) {
    let isOpen = state.withLock { $0.phase == .up && $0.notices.folder?.outbox.entries.isEmpty == false }
    if isOpen { _ = listed(atMost: limit) }
  }

  private func listed(atMost limit: Duration) -> [AppInterface.Notification]? {
    let list = Awaited<[AppInterface.Notification]>()
    start()
    let isAlone = state.withLock { state in
      guard !state.isAlone else { return true }
      state.notices.askers.append { list.take($0) }
      state.calls.append(.listNotifications)
      return false
    }
    if isAlone { return nil }
    flush()
    return list.wait(atMost: limit)
  }

  /// Whether the delegate has yet to be told of this notification; true once, unless a daemon counts from the beginning again.
  func claim(_ number: Int64) -> Bool {
    state.withLock { state in
      !state.notices.taken.contains(number) && state.notices.claimed.insert(number).inserted
    }
  }

  /// The delegate has been told.
  func take(_ number: Int64) { ask(.takeNotification(.init(number: number))) }

  /// Asks something that no session is about. When it returns, it is on its way, or waits for a daemon to come: in the outbox
  /// if it changes notifications, else in memory.
  func ask(_ call: Call) {
    start()
    state.withLock { $0.askOfNotices(call) }
    flush()
  }

  /// The daemon has a notification for the delegate. A process without one has nobody to tell.
  func noticed(_ notified: AppInterface.Notified) {
    if let handler = state.withLock({ $0.notices.noticeHandler }) { return handler(notified) }
    state.withLock { $0.calls.append(.takeNotification(.init(number: notified.number))) }
    flushSoon()
  }

  /// The daemon says what a person allows.
  func note(_ standing: AppInterface.Standing) { state.withLock { $0.note(standing) }?() }
}

extension LinkState {
  /// Takes up what an earlier life of the app asked about notifications and the daemon has not accepted. Where another
  /// process of the app has the folder, what this one asks is kept in memory.
  mutating func openNotices(at place: Place) {
    trying { () throws(FileTrouble) in notices.folder = try NoticeFolder(in: place) }
    for entry in notices.folder?.outbox.entries ?? [] {
      calls.append(entry.call, entry: OutboxEntry(session: nil, number: entry.number))
    }
    if let badge = calls.badge { notices.show(badge: badge) }
  }

  /// Asks something about notifications. What changes them is kept in the outbox until the daemon has accepted it.
  mutating func askOfNotices(_ call: Call) {
    var number: Int?
    if call.changesNotices {
      trying { () throws(FileTrouble) in number = try notices.folder?.outbox.append(call, synced: phase != .up) }
    }
    calls.append(call, entry: number.map { OutboxEntry(session: nil, number: $0) })
  }

  /// The daemon says what a person allows; what tells whoever hears of it.
  ///
  /// Of the badge it may not know yet what the app has set last: that is shown until the daemon has answered for it. Answers
  /// come over another connection, so what is told meanwhile may be from before or from after, and holds once they are there:
  /// the daemon tells how things stand after each badge that is set, so the last that it tells is true. At the beginning of a
  /// line it knows nothing of what it has not answered.
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

  /// Shows the badge that was told meanwhile, once the daemon has answered for all that the app has set.
  mutating func settleBadge() {
    guard let told = notices.badgeTold, calls.badge == nil else { return }
    notices.show(badge: told)
    notices.badgeTold = nil
  }

  /// The daemon has answered a call about notifications.
  mutating func heard(_ call: Call, _ answer: Answer) {
    if case .refused(let refusal) = answer { Console.warn("the daemon refuses a notification: \(refusal)") }
    if case .takeNotification(let asked) = call { notices.took(asked.number) }
    guard case .listNotifications = call, let asker = notices.askers.popFirst() else { return }
    if case .notifications(let list) = answer { asker(list) } else { asker([]) }
  }
}

extension AppInterface.Standing {
  /// What holds as long as no daemon says otherwise.
  fileprivate static let unsaid = Self(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: 0)
}

extension CallQueue {
  /// The badge that the daemon has been asked to show last and has not answered for; nil if it has for all.
  fileprivate var badge: Int64? {
    let last = calls.last { if case .setBadge = $0 { true } else { false } }
    guard case .setBadge(let asked)? = last else { return nil }
    return asked.count
  }
}

extension Call {
  /// Whether it changes what is scheduled or shown, so that it must not be lost.
  fileprivate var changesNotices: Bool {
    switch self {
    case .schedule, .cancelNotifications, .setBadge: true
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .acknowledge,
      .reportDamage, .answer, .finishEvents, .closeSession, .listNotifications, .takeNotification, .entered,
      .beginTask, .endTask, .setView, .ignoreSnapshot, .setFetchInterval, .submit, .cancelRequests, .listRequests,
      .finishFetch, .finishTask:
      false
    }
  }
}
