import Foundation
import Testing

@testable import Nightjar

/// Groups of actions. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `groups of actions that an app has registered are found again`() throws {
    let later = UIMutableUserNotificationAction()
    (later.identifier, later.title, later.activationMode) = ("later", "Remind me later", .background)
    (later.isAuthenticationRequired, later.isDestructive) = (true, true)
    let group = UIMutableUserNotificationCategory()
    group.identifier = "reminder"
    group.setActions([later], for: .default)

    let settings = UIUserNotificationSettings(types: [.alert], categories: [group])
    UIApplication.shared.registerUserNotificationSettings(settings)

    let found = try #require(UIApplication.shared.currentUserNotificationSettings?.categories?.first)
    let action: UIUserNotificationAction = try #require(found.actions(for: .default)?.first)
    #expect(found.identifier == "reminder" && found.actions(for: .minimal) == nil)
    #expect(action.identifier == "later" && action.title == "Remind me later" && action.activationMode == .background)
    #expect(action.isAuthenticationRequired && action.isDestructive)
  }
}
