import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// Notifications that are taken back or replaced. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `without a daemon an equal notification is cancelled when there is one, and nobody waits for it`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife(patience: .seconds(3600))
    let (scheduled, equal) = (UILocalNotification.tea(), UILocalNotification.tea())
    first.schedule([scheduled.wire(key: "1"), AppInterface.Notification(key: "2")])
    first.cancelNotification(equal.keys, like: equal.wire(key: ""))
    first.die()

    world.daemon.comeBackQuietly()
    let next = world.newLife()
    _ = next.attach()

    #expect(next.scheduledNotifications()?.map(\.key) == ["2"])
  }

  @Test func `keys are cancelled apart from what a daemon may be too old to know`() {
    let world = World()
    let link = world.newLife()
    let like = UILocalNotification.tea().wire(key: "")

    link.cancelNotification(["1"], like: like)
    let calls = world.daemon.waitForCalls(2) { if case .cancelNotifications = $0 { true } else { false } }

    #expect(
      calls == [
        .cancelNotifications(.init(keys: ["1"])), .cancelNotifications(.init(keys: [], like: [like])),
      ])
  }

  @Test func `a changed copy is cancelled without the notification that it was copied from`() throws {
    let link = World().newLife()
    link.schedule([UILocalNotification.tea().newWire()])
    let known = try #require(link.scheduledNotifications())
    let daily = UILocalNotification(try #require(known.first))
    let snoozed = try #require(daily.copy() as? UILocalNotification)
    (snoozed.fireDate, snoozed.repeatInterval) = (Date(timeIntervalSince1970: 1_900_000_600), [])

    link.schedule([snoozed.newWire()])
    link.cancelNotification(snoozed.keys, like: snoozed.wire(key: ""))

    #expect(link.scheduledNotifications() == known)
  }

  @Test func `of one object that was scheduled for several dates the last is cancelled, however often`() {
    let link = World().newLife()
    let tea = UILocalNotification.tea()
    let dates = [1, 2, 3].map { Date(timeIntervalSince1970: 1_900_000_000 + $0) }

    for date in dates + [dates[2]] {
      tea.fireDate = date
      link.schedule([tea.newWire()])
    }
    link.cancelNotification(tea.keys, like: AppInterface.Notification(key: ""))

    #expect(link.scheduledNotifications()?.map { UILocalNotification($0).fireDate } == Array(dates.prefix(2)))
  }

  @Test func `a notification that has changed since it was scheduled is cancelled all the same`() {
    let link = World().newLife()
    let tea = UILocalNotification.tea()
    link.schedule([tea.newWire()])
    tea.alertBody = "Coffee"

    link.cancelNotification(tea.keys, like: tea.wire(key: ""))

    #expect(link.scheduledNotifications() == [])
  }

  @Test func `a list that is set again keeps the keys of what is as it was read, once each`() throws {
    let link = World().newLife()
    link.schedule(["1", "2"].map { UILocalNotification.tea().wire(key: $0) })
    let known = try #require(link.scheduledNotifications())
    let list = known.map { UILocalNotification($0) }
    list[1].alertBody = "Coffee"

    let asked = UILocalNotification.replacing(list + [list[0]])

    #expect(asked.count == 3 && asked.first == known.first)
    #expect(Set(asked.dropFirst().map(\.key)).isDisjoint(with: ["1", "2"]))
    #expect(asked.map(\.body) == ["Tea", "Coffee", "Tea"])
  }
}

extension UILocalNotification {
  fileprivate static func tea() -> UILocalNotification {
    let tea = UILocalNotification()
    (tea.alertBody, tea.fireDate) = ("Tea", Date(timeIntervalSince1970: 1_900_000_000))
    (tea.timeZone, tea.repeatInterval) = (TimeZone(identifier: "Europe/Berlin"), .day)
    return tea
  }
}
