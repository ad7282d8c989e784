public import Foundation
import NightjarWire
import Synchronization

/// Schedules notifications, and takes them back (Apple's `UNUserNotificationCenter`). There is one, ``current()``.
///
/// What is scheduled, cancelled or set as a badge is kept in the app's container until there is a daemon. Completion
/// handlers are called once, on a background queue. Lists are empty if there has been no daemon since the process
/// began; if it has gone, they wait for the next.
// Unchecked: the lock guards what changes.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private struct State: Sendable {
    var delegate = WeakDelegate()
    var categories: Set<UNNotificationCategory> = []
  }

  private let state = Mutex(State())
  /// The link of the present life.
  let link: @Sendable () -> Link

  init(link: @escaping @Sendable () -> Link) { self.link = link }

  private static let shared = UNUserNotificationCenter { Link.shared }

  /// The notification centre of the app.
  open class func current() -> UNUserNotificationCenter { shared }

  /// The delegate, held weakly. Set it before `didFinishLaunching` returns: the app may have been launched by a tap.
  open weak var delegate: (any UNUserNotificationCenterDelegate)? {
    get { state.withLock { $0.delegate }.value }
    set {
      let delegate = WeakDelegate(value: newValue)
      state.withLock { $0.delegate = delegate }
    }
  }

  /// Whether apps may draw their notifications themselves: no.
  open var supportsContentExtensions: Bool { false }

  // MARK: What a person allows

  /// Calls the handler with whether the app may show alerts. The person is not asked: everything is allowed until it is
  /// turned off with `nightjar settings`, whatever the options.
  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let link = link()
    link.tellStanding { standing in link.callBack { completionHandler(standing.alerts, nil) } }
  }

  /// Calls the handler with what the person allows the app.
  open func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    let link = link()
    link.tellStanding { standing in link.callBack { completionHandler(UNNotificationSettings(standing)) } }
  }

  // MARK: Categories

  /// Registers categories, instead of those that were registered before. They are kept until the process ends, but
  /// their actions are not shown: the only action of a notification opens the app.
  open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    let old = state.withLock { state in
      defer { state.categories = categories }
      return state.categories
    }
    withExtendedLifetime(old) {}  // Released outside the lock, since a category of the app may call the center.
  }

  /// Calls the handler with the categories that were registered in this life of the app.
  open func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = categories
    link().callBack { completionHandler(categories) }
  }

  /// The categories that were registered in this life of the app.
  var categories: Set<UNNotificationCategory> { state.withLock { $0.categories } }

  // MARK: Scheduling

  /// Schedules a notification, or fires it at once if it has no trigger. It takes the place of all others with its
  /// identifier, those that are shown, too.
  ///
  /// When this returns, the request is on its way to the daemon. An app may have 64 pending notifications; of more,
  /// the soonest are kept. The handler's error is ``UNError`` if the trigger never fires, or at times that the daemon
  /// cannot keep; nothing is scheduled then.
  open func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    finish(completionHandler) { () throws(UNError) in try schedule(request) }
  }

  /// Calls the handler with the requests that are scheduled, the soonest first.
  open func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let link = link()
    link.listNotices { list in link.callBack { completionHandler(list.requests) } }
  }

  /// Cancels scheduled notifications. Those that are shown stay.
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    link().cancelNotifications(.scheduled, named: identifiers)
  }

  /// Cancels all scheduled notifications of the app, also those that are no requests. Those that are shown stay.
  open func removeAllPendingNotificationRequests() { link().cancelNotifications(.scheduled) }

  // MARK: What is shown

  /// Calls the handler with the app's notifications in the notification centre, the newest first; without those that
  /// were made by no request.
  open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
    let link = link()
    link.listNotices { list in link.callBack { completionHandler(list.delivered) } }
  }

  /// Takes notifications off the screen. Those that are scheduled stay.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    link().cancelNotifications(.shown, named: identifiers)
  }

  /// Takes all notifications of the app off the screen. Those that are scheduled stay.
  open func removeAllDeliveredNotifications() { link().cancelNotifications(.shown) }

  /// Sets the number on the app's icon. 0 removes it, and takes the app's notifications off the screen, as on iOS. The
  /// handler's error is ``UNError`` for a negative number, and nothing changes then.
  open func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    finish(completionHandler) { () throws(UNError) in try setBadge(newBadgeCount) }
  }

  /// Does something, and calls the handler with the error that it ended with.
  private func finish(_ handler: (@Sendable ((any Error)?) -> Void)?, _ deed: () throws(UNError) -> Void) {
    var found: UNError?
    do throws(UNError) { try deed() } catch { found = error }
    guard let handler else {
      if let found { Console.warn("a notification is not scheduled: \(found.localizedDescription)") }
      return
    }
    let error = found
    link().callBack { handler(error) }
  }

  /// Forgets the delegate and the categories: another life of the app begins in this process.
  package func reopen() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(old) {}
  }
}

extension UNUserNotificationCenter {
  func schedule(_ request: UNNotificationRequest) throws(UNError) {
    let link = link()
    link.schedule([try request.wire(at: link.now)])
  }

  func setBadge(_ count: Int) throws(UNError) {
    guard count >= 0 else { throw UNError(.badgeInputInvalid, "the number on an icon is not negative: \(count)") }
    link().setBadge(count)
  }
}

/// A delegate that is not kept alive.
// Unchecked: the delegate is only handed out; it is called on the main thread.
private struct WeakDelegate: @unchecked Sendable {
  weak var value: (any UNUserNotificationCenterDelegate)?
}

extension AppInterface.ListNotifications.Reply {
  /// The scheduled notifications that were made by requests.
  var requests: [UNNotificationRequest] { notifications.compactMap { UNNotificationRequest($0) } }

  /// The shown notifications that were made by requests.
  var delivered: [UNNotification] {
    (shown ?? []).compactMap { shown in
      UNNotificationRequest(shown.notification).map {
        UNNotification($0, date: Date(timeIntervalSince1970: Double(shown.firedAt) / 1000))
      }
    }
  }
}
