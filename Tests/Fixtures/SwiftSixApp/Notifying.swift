// Notifications as they stand in new iOS apps in Swift 6 mode: async forms, and delegates of the main actor, of another
// or of none.

import Foundation
import Nightjar

public actor Reminders {
  private let center = UNUserNotificationCenter.current()

  public init() {}

  public func remind(_ text: String, in seconds: TimeInterval) async throws -> Bool {
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return false }
    let content = UNMutableNotificationContent()
    content.title = "Reminder"
    content.body = text
    content.sound = .default
    content.interruptionLevel = .timeSensitive
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
    try await center.add(UNNotificationRequest(identifier: text, content: content, trigger: trigger))
    return true
  }

  public func pending() async -> [String] {
    let settings = await center.notificationSettings()
    guard settings.authorizationStatus != .denied else { return [] }
    return await center.pendingNotificationRequests().map(\.identifier)
  }

  public func tidy() async throws {
    let old = await center.deliveredNotifications().filter { $0.date < .now.addingTimeInterval(-3600) }
    center.removeDeliveredNotifications(withIdentifiers: old.map(\.request.identifier))
    try await center.setBadgeCount(0)
  }
}

public final class NotifyingDelegate: UIResponder, UIApplicationDelegate {
  private let feed = Feed()
  public private(set) var opened: [String] = []

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    return true
  }

  public func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
    guard let count = try? await feed.load(), count > 0 else { return .noData }
    let content = UNMutableNotificationContent()
    content.body = "\(count) new entries"
    content.userInfo = ["count": count]
    do {
      try await UNUserNotificationCenter.current().add(
        UNNotificationRequest(identifier: "entries", content: content, trigger: nil))
    } catch UNError.notificationInvalidNoDate { return .failed } catch { return .failed }
    return .newData
  }
}

extension NotifyingDelegate: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    opened.contains(notification.request.identifier) ? [] : [.banner, .sound]
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    opened.append(response.notification.request.identifier)
  }
}

/// A delegate of no actor.
public final class NotificationRouter: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let reminders = Reminders()

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    await reminders.pending().isEmpty ? [.list] : []
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    completionHandler()
  }
}

/// A delegate of the main actor whose methods are not.
@MainActor
public final class NotificationModel: NSObject, UNUserNotificationCenterDelegate {
  public private(set) var titles: [String] = []

  nonisolated public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { .banner }

  nonisolated public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let title = response.notification.request.content.title
    await MainActor.run { titles.append(title) }
  }
}

/// A delegate of the main actor with the handlers.
@MainActor
public final class NotificationScreen: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  public private(set) var shown: Set<String> = []

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler(shown.insert(notification.request.identifier).inserted ? [.banner] : [])
  }
}
