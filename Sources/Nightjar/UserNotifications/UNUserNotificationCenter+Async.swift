import NightjarWire

// The async forms. None of them holds a thread while it waits for the daemon, be it the next one.

extension UNUserNotificationCenter {
  /// Returns whether the app may show alerts. The person is not asked: everything is allowed until it is turned off
  /// with `nightjar settings`, whatever the options.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    await standing().alerts
  }

  /// Returns what the person allows the app.
  public func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings(await standing()) }

  /// Returns the categories that were registered in this life of the app.
  public func notificationCategories() async -> Set<UNNotificationCategory> { categories }

  /// Schedules a notification, or fires it at once if it has no trigger. It takes the place of all others with its
  /// identifier, those that are shown, too.
  ///
  /// - Throws: ``UNError`` if the trigger never fires, or at times that the daemon cannot keep. Nothing is scheduled
  ///   then.
  public func add(_ request: UNNotificationRequest) async throws { try schedule(request) }

  /// Returns the requests that are scheduled, the soonest first.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { await list().requests }

  /// Returns the app's notifications in the notification centre, the newest first; without those that were made by no
  /// request.
  public func deliveredNotifications() async -> [UNNotification] { await list().delivered }

  /// Sets the number on the app's icon. 0 removes it, and takes the app's notifications off the screen, as on iOS.
  ///
  /// - Throws: ``UNError`` for a negative number. Nothing changes then.
  public func setBadgeCount(_ newBadgeCount: Int) async throws { try setBadge(newBadgeCount) }

  private func standing() async -> AppInterface.Standing {
    let link = link()
    return await withCheckedContinuation { found in link.tellStanding { found.resume(returning: $0) } }
  }

  private func list() async -> AppInterface.ListNotifications.Reply {
    let link = link()
    return await withCheckedContinuation { found in link.listNotices { found.resume(returning: $0) } }
  }
}
