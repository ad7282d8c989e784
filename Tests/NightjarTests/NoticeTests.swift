import Foundation
import NightjarWire
import Synchronization
import Testing

@testable import Nightjar

/// Local notifications and settings. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `a notification comes back from the daemon as it was scheduled`() throws {
    let link = World().newLife()
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: 1_900_000_000.5)
    notification.timeZone = TimeZone(identifier: "America/New_York")
    notification.repeatInterval = .weekOfYear
    notification.repeatCalendar = Calendar(identifier: .hebrew)
    (notification.alertBody, notification.alertAction, notification.hasAction) = ("Tea", "Drink", false)
    (notification.alertLaunchImage, notification.soundName) = ("tea.png", UILocalNotificationDefaultSoundName)
    (notification.alertTitle, notification.category) = ("Kitchen", "drinks")
    notification.applicationIconBadgeNumber = 4
    notification.userInfo = [
      "cup": 3, "kinds": ["green", "black"], "of": ["china": true, "glass": 1.5, "clay": Data([1, 2]), "tin": "x"],
    ]
    let key = String(repeating: "a", count: 32)

    link.schedule([notification.wire(key: key)])
    let wire = try #require(link.scheduledNotifications()?.first)
    let back = UILocalNotification(wire)

    #expect(wire.offset == -14_400 && wire.interval == .week && wire.title == "Kitchen")
    #expect(back.isEqual(notification) && back.keys == [key])
    #expect(back.timeZone == notification.timeZone && back.userInfo?["cup"] as? Int == 3)
    #expect(back.alertTitle == "Kitchen" && back.category == "drinks" && back.userInfo?.count == 3)
    #expect((back.copy() as? UILocalNotification)?.isEqual(back) == true)
    notification.alertBody = "Coffee"
    #expect(!back.isEqual(notification))
  }

  @Test func `a title that an earlier version has kept in the user info is read from there`() {
    var info = NoticeInfo(["cup": 3])
    info.putText("Kitchen", at: "dev.nightjar.alertTitle")
    var wire = AppInterface.Notification(key: "1")
    wire.info = info.text

    let notification = UILocalNotification(wire)

    #expect(notification.alertTitle == "Kitchen" && notification.userInfo?.count == 1)
  }

  @Test func `repetitions by the months of another calendar are told the daemon day by day`() throws {
    let notification = UILocalNotification()
    notification.timeZone = TimeZone(identifier: "Asia/Jerusalem")
    var calendar = Calendar(identifier: .hebrew)
    calendar.timeZone = try #require(notification.timeZone)
    let first = try #require(calendar.date(from: DateComponents(year: 5784, month: 1, day: 30, hour: 0, minute: 30)))
    notification.repeatCalendar = calendar
    let later = first.addingTimeInterval(400 * 86_400)

    let days = try #require(notification.days(of: .month, from: first, after: first))
    let rest = try #require(notification.days(of: .month, from: first, after: later))

    let found = days.map { number in
      // Noon there, so that no offset from UTC matters.
      calendar.dateComponents([.day], from: Date(timeIntervalSince1970: Double(number) * 86_400 + 36_000)).day
    }
    #expect(days.count == 240 && found.allSatisfy { $0 == 29 || $0 == 30 } && Set(found).count == 2)
    #expect(zip(days, days.dropFirst()).allSatisfy { (29...30).contains($1 - $0) })
    #expect(rest.count == 240 && rest.starts(with: days.drop { Double($0 * 86_400) < later.timeIntervalSince1970 }))
  }

  @Test(
    arguments: [NSCalendar.Unit.day, .weekOfYear, .month, .year], [Calendar.Identifier.gregorian, .japanese, .hebrew])
  func `repetitions that all calendars count alike are left to the daemon`(
    unit: NSCalendar.Unit, calendar: Calendar.Identifier
  ) {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: 1_900_000_000)
    (notification.repeatInterval, notification.repeatCalendar) = (unit, Calendar(identifier: calendar))

    let isLeft = notification.wire(key: "").days == nil

    #expect(isLeft == (calendar != .hebrew || unit == .day || unit == .weekOfYear))
  }

  @Test(arguments: [TimeInterval.infinity, -.infinity, .nan, 1e300])
  func `a date that is none goes to the daemon as one far away, which it refuses`(seconds: TimeInterval) throws {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: seconds)
    notification.timeZone = TimeZone(identifier: "America/New_York")

    let at = try #require(notification.wire(key: "").at)

    #expect(!(-2_208_988_800_000...7_258_118_399_000).contains(at))
  }

  @Test func `what is scheduled without a daemon is scheduled when there is one`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let link = world.newLife()
    _ = link.attach()

    link.schedule([AppInterface.Notification(key: "1")])
    world.daemon.comeBack()

    #expect(world.daemon.waitForCalls { if case .schedule = $0 { true } else { false } }.count == 1)
  }

  @Test func `what is scheduled without a daemon survives the app's end, in its order, and is asked once`() throws {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    first.schedule([AppInterface.Notification(key: "1")])
    first.cancelNotifications(["0"])
    first.setBadge(3)
    first.die()

    world.daemon.comeBackQuietly()
    let next = world.newLife()
    _ = next.attach()
    let calls = world.daemon.waitForCalls { if case .setBadge = $0 { true } else { false } }
    world.daemon.waitUntil(next) { $0.notices.folder?.outbox.entries.isEmpty == true }

    #expect(calls.count == 1)
    let asked = world.daemon.calls.filter { call in
      switch call {
      case .schedule, .cancelNotifications, .setBadge: true
      default: false
      }
    }
    #expect(
      asked == [
        .schedule(.init(notifications: [AppInterface.Notification(key: "1")], replace: false)),
        .cancelNotifications(.init(keys: ["0"])), .setBadge(.init(count: 3)),
      ])
  }

  @Test func `a life that ends leaves nothing to the next that the daemon was about to accept`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    world.daemon.holdAnswers { if case .schedule = $0 { true } else { false } }
    link.schedule([AppInterface.Notification(key: "1")])
    let isKept = link.state.withLock { $0.notices.folder?.outbox.entries.count } == 1

    Thread.detachNewThread {
      _ = world.daemon.waitForCalls { if case .listNotifications = $0 { true } else { false } }
      world.daemon.releaseAnswers()
    }
    link.settleNotices(atMost: .seconds(60))

    #expect(isKept)
    #expect(link.state.withLock { $0.notices.folder?.outbox.entries.isEmpty } == true)
  }

  @Test func `a life that ends waits for nothing where nothing is owed, or nobody answers`() {
    let (silent, absent) = (World(), World(daemon: HandDaemon(isUp: false)))
    let (idle, alone) = (silent.newLife(), absent.newLife())
    _ = idle.attach()
    silent.daemon.fallSilent()
    alone.schedule([AppInterface.Notification(key: "1")])

    idle.settleNotices(atMost: .seconds(3600))
    alone.settleNotices(atMost: .seconds(3600))

    #expect(!silent.daemon.calls.contains { if case .listNotifications = $0 { true } else { false } })
  }

  @Test func `without a daemon nobody waits for the list of what is scheduled`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let link = world.newLife(patience: .seconds(3600))

    let (first, second) = (link.scheduledNotifications(), link.scheduledNotifications())
    let owed = link.state.withLock { ($0.calls.calls.count, $0.notices.askers.count) }

    #expect(first == [] && second == [])
    #expect(owed == (0, 0))
  }

  @Test(arguments: [true, false])
  func `a list that is set after it could not be read cancels only what was set since`(isUp: Bool) {
    let world = World(daemon: HandDaemon(isUp: isUp))
    let link = world.newLife(patience: isUp ? .zero : .seconds(3600))
    if isUp { _ = link.attach() }
    world.daemon.fallSilent()

    let read = link.scheduledNotifications()
    for key in ["1", "2"] { link.replaceScheduled(by: [AppInterface.Notification(key: key)]) }

    let calls = link.state.withLock { $0.notices.folder?.outbox.entries.map(\.call) } ?? []
    let replaces = calls.compactMap { if case .schedule(let asked) = $0 { asked.replace } else { nil } }
    let cancelled = calls.compactMap { if case .cancelNotifications(let asked) = $0 { asked.keys } else { nil } }
    #expect(read == (isUp ? nil : []))
    #expect(replaces == [false, false] && cancelled == [["1"]])
  }

  @Test func `whoever asks for the list while the daemon is away waits for it to come back`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    link.schedule([AppInterface.Notification(key: "1")])
    world.daemon.goAway()
    world.daemon.waitUntil(link) { $0.phase == .down }

    Thread.detachNewThread {
      world.daemon.waitUntil(link) { !$0.notices.askers.isEmpty }
      world.daemon.comeBack()
    }
    let list = link.scheduledNotifications()

    #expect(list?.map(\.key) == ["1"])
  }

  @Test func `a second process of the app asks from memory, and does no harm to the first one's outbox`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let (first, second) = (world.newLife(), world.newLife())
    first.schedule([AppInterface.Notification(key: "1")])

    second.schedule([AppInterface.Notification(key: "2")])

    #expect(first.state.withLock { $0.notices.folder?.outbox.entries.count } == 1)
    #expect(second.state.withLock { $0.notices.folder?.outbox.entries.count } == nil)
    #expect(second.state.withLock { $0.calls.calls.count } == 1)
  }

  @Test func `observers learn that refreshing in the background was turned off or is forbidden, once each`() {
    let application = UIApplication.shared
    var count = 0
    var seen: [UIBackgroundRefreshStatus] = []
    let name = UIApplication.backgroundRefreshStatusDidChangeNotification
    let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      MainActor.assumeIsolated { count += 1 }
    }
    let off = AppInterface.Standing(backgroundRefresh: false, alerts: true, sounds: true, badges: true, badge: 0)
    var (on, forbidden) = (off, off)
    on.backgroundRefresh = true
    forbidden.refreshRestricted = true

    for standing in [off, off, forbidden, on] {
      application.note(standing)
      seen.append(application.refreshStatus)
    }

    #expect(count == 3)
    #expect(seen == [.denied, .denied, .restricted, .available])
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func `the link knows what the daemon allows, and the badge that the app has just set`() {
    let world = World()
    let link = world.newLife()
    let before = link.standing
    _ = link.attach()

    world.daemon.say(
      .standing(.init(backgroundRefresh: false, alerts: true, sounds: true, badges: true, badge: 2)))
    world.daemon.waitUntil(link) { $0.notices.standing?.badge == 2 }
    link.setBadge(5)

    #expect(before.backgroundRefresh && before.badge == 0)
    #expect(!link.standing.backgroundRefresh && link.standing.badge == 5)
  }

  @Test func `a badge that was set while the daemon was away stays, though the daemon tells of the old one`() {
    let world = World()
    world.daemon.show(badge: 3)
    let link = world.newLife()
    _ = link.attach()
    let before = link.standing.badge
    world.daemon.goAway()
    world.daemon.waitUntil(link) { $0.phase == .down }

    link.setBadge(4)
    link.setBadge(5)
    world.daemon.comeBack()
    world.daemon.waitUntil(link) { $0.phase == .up && $0.calls.calls.isEmpty }

    #expect(before == 3 && link.standing.badge == 5)
  }

  @Test func `a badge that is told while another is asked for is shown once that is answered`() {
    let (world, link) = Self.lifeWithBadgesUnanswered()
    link.setBadge(0)

    world.daemon.say(.standing(Self.standing(badge: 3)))
    world.daemon.hush()
    let asked = link.standing.badge
    world.daemon.releaseAnswers()
    world.daemon.hush()

    #expect(asked == 0 && link.standing.badge == 3)
  }

  @Test(arguments: 0...4)
  func `the badge ends at the number that the daemon tells last, wherever its answers come`(answered: Int) {
    let (world, link) = Self.lifeWithBadgesUnanswered()
    link.setBadge(5)
    link.setBadge(0)

    // One from before, one after each that was set, and one for a notification.
    let told = [1, 5, 0, 3].map { Self.standing(badge: $0) }
    for standing in told.prefix(answered) { world.daemon.say(.standing(standing)) }
    world.daemon.releaseAnswers()
    for standing in told.dropFirst(answered) { world.daemon.say(.standing(standing)) }
    world.daemon.hush()

    #expect(link.standing.badge == 3)
  }

  @Test func `a badge that was told before the app set another is forgotten`() {
    let (world, link) = Self.lifeWithBadgesUnanswered()

    link.setBadge(1)
    world.daemon.say(.standing(Self.standing(badge: 1)))
    world.daemon.hush()
    link.setBadge(2)
    world.daemon.releaseAnswers()
    world.daemon.hush()

    #expect(link.standing.badge == 2)
  }

  /// An app's life whose daemon answers for no badge until it is told to.
  private static func lifeWithBadgesUnanswered() -> (World, Link) {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    world.daemon.holdAnswers { if case .setBadge = $0 { true } else { false } }
    return (world, link)
  }

  private static func standing(badge: Int64) -> AppInterface.Standing {
    AppInterface.Standing(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: badge)
  }

  @Test func `a badge is known before any daemon was there, also in the next life`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let link = world.newLife()

    link.setBadge(5)
    let now = link.standing
    link.die()
    let next = world.newLife()
    _ = next.attach()

    #expect(now.badge == 5 && now.alerts)
    #expect(next.standing.badge == 5)
  }

  @Test func `a daemon that counts its notifications from the beginning again is heard`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    let first = [1, 2, 3].map { link.claim($0) }
    link.take(1)
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    world.daemon.holdAnswers { if case .takeNotification = $0 { true } else { false } }
    link.take(2)

    world.daemon.goAway()
    world.daemon.waitUntil(link) { $0.phase == .down }
    let again = link.claim(1)
    world.daemon.comeBack()
    world.daemon.waitUntil(link) { $0.phase == .up }
    let later = [1, 2, 3].map { link.claim($0) }

    #expect(first == [true, true, true] && !again)
    #expect(later == [true, false, false])  // That the second is told is not known yet, and the third is being told.
  }

  @Test func `what is no property list is refused in a notification as on iOS`() async {
    await #expect(processExitsWith: .failure) {
      let notification = UILocalNotification()
      notification.userInfo = ["date": NSObject()]
      _ = notification.wire(key: "")
    }
  }
}
