import Foundation
import NightjarWire
import SwiftFiveApp
import Testing

@testable import Nightjar

/// Notifications in archives.
@Suite struct NoticeCodingTests {
  @Test(arguments: [true, false])
  func `a notification comes back from an archive as it was, and can be cancelled by that`(isSecure: Bool) throws {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: 1_900_000_000.5)
    notification.timeZone = TimeZone(identifier: "America/New_York")
    (notification.repeatInterval, notification.repeatCalendar) = (.day, Calendar(identifier: .hebrew))
    (notification.alertBody, notification.alertTitle, notification.category) = ("Tea", "Kitchen", "drinks")
    notification.userInfo = ["cup": 3]
    let key = notification.newWire().key

    let data = try NSKeyedArchiver.archivedData(withRootObject: notification, requiringSecureCoding: isSecure)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UILocalNotification.self, from: data))

    #expect(back.isEqual(notification) && back.keys == [key] && back.listed == nil)
    #expect(back.scheduled == notification.scheduled)
    #expect(back.fireDate == notification.fireDate && back.timeZone == notification.timeZone)
    #expect(back.repeatInterval == .day && back.repeatCalendar?.identifier == .hebrew)
    #expect((back.alertBody, back.alertTitle, back.category) == ("Tea", "Kitchen", "drinks"))
    #expect(back.userInfo?["cup"] as? Int == 3 && back.userInfo?.count == 1)
  }

  @Test func `a notification that says nothing comes back from an archive without anything of its own`() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: UILocalNotification(), requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UILocalNotification.self, from: data))

    #expect(back.isEqual(UILocalNotification()) && back.keys.isEmpty && back.userInfo == nil && back.hasAction)
  }

  @Test func `a subclass with properties of its own comes back from an archive with them`() throws {
    let medicine = MedicineReminder(dose: 3)
    medicine.alertBody = "Drops"

    let data = try NSKeyedArchiver.archivedData(withRootObject: medicine, requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MedicineReminder.self, from: data))

    #expect(back.dose == 3 && back.alertBody == "Drops")
  }
}
