import Foundation
import NightjarWire
import Synchronization

/// What the link knows of the app's notifications, and of what a person allows it.
struct NoticeBook {
  /// What the daemon said last; nil before it said anything.
  var standing: AppInterface.Standing?
  /// Who hears that it has changed; nil in a program.
  var standingHandler: (@Sendable (AppInterface.Standing) -> Void)?
  /// Who hears of a notification for the delegate; nil in a program.
  var noticeHandler: (@Sendable (AppInterface.Notified) -> Void)?
  /// Numbers that the delegate was told, or is about to be.
  var claimed = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
  /// Who waits for the list of what is scheduled, in the order of the calls.
  var askers = Fifo<@Sendable ([AppInterface.Notification]) -> Void>()
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
    let known = state.withLock { $0.notices.standing }
    return known ?? .init(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: 0)
  }

  /// Schedules notifications. When it returns, they are on their way to the daemon, or wait in memory for one to come.
  func schedule(_ notifications: [AppInterface.Notification], replace: Bool = false) {
    ask(.schedule(.init(notifications: notifications, replace: replace)))
  }

  /// Cancels notifications, all without keys.
  func cancelNotifications(_ keys: [String]?) { ask(.cancelNotifications(.init(keys: keys))) }

  func setBadge(_ count: Int) {
    state.withLock { $0.notices.standing?.badge = Int64(count) }
    ask(.setBadge(.init(count: Int64(count))))
  }

  /// What is scheduled; waits for the daemon's answer. Nothing if none comes.
  func scheduledNotifications() -> [AppInterface.Notification] {
    let list = Awaited<[AppInterface.Notification]>()
    state.withLock { $0.notices.askers.append { list.take($0) } }
    ask(.listNotifications)
    return list.wait(atMost: LinkLimits.answerWait) ?? []
  }

  /// Whether the delegate has yet to be told of this notification; true once in a process.
  func claim(_ number: Int64) -> Bool {
    state.withLock { state in
      guard !state.notices.claimed.contains(number) else { return false }
      state.notices.claimed.insert(number)
      return true
    }
  }

  /// The delegate has been told.
  func take(_ number: Int64) { ask(.takeNotification(.init(number: number))) }

  /// Asks something that no session is about. When it returns, it is on its way, or waits in memory for a daemon to come.
  func ask(_ call: Call) {
    state.withLock { $0.calls.append(call) }
    start()
    flush()
  }

  /// The daemon has a notification for the delegate. A process without one has nobody to tell.
  func noticed(_ notified: AppInterface.Notified) {
    if let handler = state.withLock({ $0.notices.noticeHandler }) { return handler(notified) }
    state.withLock { $0.calls.append(.takeNotification(.init(number: notified.number))) }
    flushSoon()
  }

  /// The daemon says what a person allows.
  func note(_ standing: AppInterface.Standing) {
    let handler = state.withLock { state in
      state.notices.standing = standing
      return state.notices.standingHandler
    }
    handler?(standing)
  }
}

extension LinkState {
  /// The daemon has answered a call about notifications.
  mutating func heard(_ call: Call, _ answer: Answer) {
    if case .refused(let refusal) = answer { Console.warn("the daemon refuses a notification: \(refusal)") }
    guard case .listNotifications = call, let asker = notices.askers.popFirst() else { return }
    if case .notifications(let list) = answer { asker(list) } else { asker([]) }
  }
}
