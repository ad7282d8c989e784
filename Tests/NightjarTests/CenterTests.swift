import Foundation
import NightjarWire
import Synchronization
import Testing

@testable import Nightjar

/// What an app asks of the notification center.
@Suite(.timeLimit(.minutes(5))) struct CenterTests {
  /// A center of its own, whose daemon answers as the real one does.
  private func center(_ world: World = World()) -> (world: World, link: Link, center: UNUserNotificationCenter) {
    let link = world.newLife()
    return (world, link, UNUserNotificationCenter { link })
  }

  private func request(
    _ identifier: String, _ trigger: UNNotificationTrigger? = nil,
    _ change: (UNMutableNotificationContent) -> Void = { _ in }
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.body = "Tea"
    change(content)
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }

  @Test func `a request comes back from the daemon as it was scheduled`() async throws {
    let (_, _, center) = center()
    var components = DateComponents(timeZone: TimeZone(identifier: "Asia/Tokyo"), hour: 8, minute: 30)
    components.calendar = Calendar(identifier: .gregorian)
    let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
    let full = request("tea", trigger) { content in
      (content.title, content.subtitle, content.body) = ("Kitchen", "Stove", "Tea is ready")
      (content.badge, content.sound) = (4, UNNotificationSound(named: UNNotificationSoundName("kettle.wav")))
      (content.categoryIdentifier, content.threadIdentifier) = ("drinks", "kitchen")
      (content.targetContentIdentifier, content.launchImageName) = ("window", "tea.png")
      (content.interruptionLevel, content.relevanceScore) = (.timeSensitive, 0.3)
      content.userInfo = ["cup": 3, "of": ["china": true, "clay": Data([1, 2])]]
    }
    let plain = request("plain", UNTimeIntervalNotificationTrigger(timeInterval: 90.5, repeats: true)) { content in
      content.body = ""
    }

    try await center.add(full)
    try await center.add(plain)
    let back = await center.pendingNotificationRequests()

    #expect(back == [full, plain])
    #expect(back[0].content.userInfo["cup"] as? Int == 3 && back[0].content.userInfo.count == 2)
    #expect((back[0].trigger as? UNCalendarNotificationTrigger)?.dateComponents == components)
    #expect((back[1].trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 90.5)
  }

  @Test(arguments: [
    ("Kitchen", "", "Tea", "Kitchen", "Tea"), ("Kitchen", "Stove", "Tea", "Kitchen\nStove", "Tea"),
    ("", "", "Tea", nil, "Tea"), ("Kitchen", "Stove", "", nil, "Kitchen\nStove"), ("", "", "", nil, nil),
  ])
  func `title and subtitle stand above the text, and are the text where there is none`(
    title: String, subtitle: String, body: String, shownTitle: String?, shownBody: String?
  ) throws {
    let asked = request("tea") { ($0.title, $0.subtitle, $0.body) = (title, subtitle, body) }

    let wire = try asked.wire(at: .now)

    #expect((wire.title, wire.body) == (shownTitle, shownBody))
    #expect(UNNotificationRequest(wire) == asked)
  }

  @Test func `a request says the daemon its name, sound, badge and time`() throws {
    let now = Date(timeIntervalSince1970: 1_900_000_000)
    let change = { (content: UNMutableNotificationContent) in (content.sound, content.badge) = (.default, 2) }

    let once = try request("1", UNTimeIntervalNotificationTrigger(timeInterval: 0.5, repeats: false), change).wire(
      at: now)
    let often = try request("2", UNTimeIntervalNotificationTrigger(timeInterval: 5399.5, repeats: true)).wire(at: now)
    let atOnce = try request("3").wire(at: now)

    #expect(once.identifier == "1" && once.sound == UILocalNotificationDefaultSoundName && once.badge == 2)
    #expect((once.at, once.interval, once.every, once.zone) == (1_900_000_000_500, nil, nil, nil))
    #expect((often.at, often.interval, often.every) == (1_900_005_399_500, .second, 5400))
    #expect(atOnce.at == nil && atOnce.sound == nil && atOnce.badge == nil)
  }

  @Test func `what is changed in a content after its request was made changes nothing`() {
    let content = UNMutableNotificationContent()
    content.body = "Tea"

    let request = UNNotificationRequest(identifier: "tea", content: content, trigger: nil)
    content.body = "Coffee"

    #expect(request.content.body == "Tea" && !(request.content is UNMutableNotificationContent))
    #expect((request.content.mutableCopy() as? UNMutableNotificationContent)?.body == "Tea")
  }

  @Test func `requests are replaced by their name, and cancelled where they are asked for`() async throws {
    let (world, _, center) = center()
    let later = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)
    for name in ["tea", "cake", "nap"] { try await center.add(request(name, later)) }
    try await center.add(request("tea", later) { $0.body = "Fresh tea" })
    world.daemon.waitForCalls(4) { if case .schedule = $0 { true } else { false } }
    for (name, firedAt) in [("cake", 1000), ("nap", 2000), ("walk", 3000)] as [(String, Int64)] {
      world.daemon.lay(try request(name).wire(at: .now), firedAt: firedAt)
    }
    let before = await (center.pendingNotificationRequests(), center.deliveredNotifications())

    center.removePendingNotificationRequests(withIdentifiers: ["cake"])
    center.removeDeliveredNotifications(withIdentifiers: ["nap"])
    center.removePendingNotificationRequests(withIdentifiers: [])
    let some = await (center.pendingNotificationRequests(), center.deliveredNotifications())
    center.removeAllPendingNotificationRequests()
    let shown = await (center.pendingNotificationRequests(), center.deliveredNotifications())
    center.removeAllDeliveredNotifications()
    let none = await center.deliveredNotifications()

    #expect(before.0.map(\.identifier) == ["cake", "nap", "tea"] && before.0.last?.content.body == "Fresh tea")
    #expect(before.1.map(\.request.identifier) == ["walk", "nap", "cake"])
    #expect(before.1.first?.date == Date(timeIntervalSince1970: 3))
    #expect(some.0.map(\.identifier) == ["nap", "tea"] && some.1.map(\.request.identifier) == ["walk", "cake"])
    #expect(shown.0.isEmpty && shown.1.map(\.request.identifier) == ["walk", "cake"] && none.isEmpty)
  }

  @Test func `notifications of the earlier kind stay out of the lists of requests`() async throws {
    let (_, link, center) = center()
    let old = UILocalNotification()
    old.alertBody = "Cake"
    link.schedule([old.newWire()])
    try await center.add(request("tea", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)))

    let requests = await center.pendingNotificationRequests()
    let all = try #require(link.scheduledNotifications()).map { UILocalNotification($0) }

    #expect(requests.map(\.identifier) == ["tea"])
    #expect(all.map(\.alertBody) == ["Cake", "Tea"] && all.allSatisfy { $0.userInfo == nil })
  }

  @Test func `handlers are called once each, also without a daemon`() async {
    let (_, link, center) = center(World(daemon: HandDaemon(isUp: false)))
    let request = request("tea")

    let error = await withCheckedContinuation { done in
      center.add(request) { done.resume(returning: $0.map { "\($0)" }) }
    }
    let pending = await withCheckedContinuation { done in
      center.getPendingNotificationRequests { done.resume(returning: $0.count) }
    }
    let delivered = await withCheckedContinuation { done in
      center.getDeliveredNotifications { done.resume(returning: $0.count) }
    }
    let isAllowed = await withCheckedContinuation { done in
      center.requestAuthorization(options: [.alert, .sound]) { isAllowed, error in
        done.resume(returning: isAllowed && error == nil)
      }
    }
    let status = await withCheckedContinuation { done in
      center.getNotificationSettings { done.resume(returning: $0.authorizationStatus) }
    }

    #expect(error == nil && pending == 0 && delivered == 0 && isAllowed && status == .authorized)
    #expect(link.state.withLock { $0.notices.folder?.outbox.entries.count } == 1)
  }

  @Test func `what a person has turned off is told, though nobody was asked`() async throws {
    let daemon = HandDaemon()
    daemon.stand(.init(backgroundRefresh: true, alerts: false, sounds: true, badges: false, badge: 0))
    let (_, _, center) = center(World(daemon: daemon))

    let isAllowed = try await center.requestAuthorization(options: [.alert])
    let settings = await center.notificationSettings()

    #expect(!isAllowed && settings.authorizationStatus == .denied && settings.alertStyle == .none)
    #expect((settings.alertSetting, settings.soundSetting, settings.badgeSetting) == (.disabled, .enabled, .disabled))
  }

  @Test func `the badge is set, and a negative one is an error`() async throws {
    let (_, link, center) = center()

    try await center.setBadgeCount(3)
    let error = await #expect(throws: UNError.self) { try await center.setBadgeCount(-1) }

    #expect(link.standing.badge == 3 && error?.code == .badgeInputInvalid)
  }

  @Test func `a trigger that never fires is an error, and nothing is scheduled`() async throws {
    let (_, _, center) = center()
    let past = request("past", UNCalendarNotificationTrigger(dateMatching: .init(year: 2020, month: 5), repeats: false))

    let far = request("far", UNTimeIntervalNotificationTrigger(timeInterval: .infinity, repeats: true))

    let thrown = await #expect(throws: UNError.self) { try await center.add(past) }
    await #expect(throws: UNError.self) { try await center.add(far) }
    let told = await withCheckedContinuation { done in
      center.add(past) { error in done.resume(returning: (error as? UNError)?.code) }
    }
    center.add(past, withCompletionHandler: nil)
    let pending = await center.pendingNotificationRequests()

    #expect(thrown?.code == .notificationInvalidNoDate && told == .notificationInvalidNoDate && pending.isEmpty)
    #expect((thrown as NSError?)?.domain == UNErrorDomain && (thrown as NSError?)?.code == 1400)
    #expect(thrown?.localizedDescription.contains("no date after now matches") == true)
  }

  @Test func `categories are kept, and equal ones count once`() async {
    let (_, _, center) = center()
    let category = { (title: String) in
      let later = UNNotificationAction(identifier: "later", title: title, options: [.foreground])
      let answer = UNTextInputNotificationAction(
        identifier: "answer", title: "Answer", textInputButtonTitle: "Send", textInputPlaceholder: "…")
      return UNNotificationCategory(identifier: "tea", actions: [later, answer], intentIdentifiers: [])
    }

    center.setNotificationCategories([category("Later"), category("Later"), category("Tomorrow")])
    let found = await center.notificationCategories()
    let told = await withCheckedContinuation { done in
      center.getNotificationCategories { done.resume(returning: $0) }
    }

    #expect(found == [category("Later"), category("Tomorrow")] && told == found)
  }

  @Test func `intervals that iOS does not take end the process in its words`() async {
    let never = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
    }
    let often = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UNTimeIntervalNotificationTrigger(timeInterval: 59.9, repeats: true)
    }

    let words = [never, often].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
    #expect(words[0].contains("time interval must be greater than 0"))
    #expect(words[1].contains("time interval must be at least 60 if repeating"))
  }

  @Test(arguments: [0, 1, 2])
  func `a request comes back from an archive as it was`(kind: Int) throws {
    let triggers = [
      nil, UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true),
      UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true),
    ]
    let asked = request("tea", triggers[kind]) { $0.userInfo = ["cup": 3] }

    let data = try NSKeyedArchiver.archivedData(withRootObject: asked, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data)

    #expect(back == asked)
  }
}
