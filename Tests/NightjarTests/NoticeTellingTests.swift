import Foundation
import NightjarWire
import Synchronization
import Testing

@testable import Nightjar

/// What an app is told of notifications. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `a notification fired in the foreground is told the delegate once, and taken`() {
    let world = World()
    let link = world.newLife()
    let delegate = Recipient()
    world.launch(delegate, link: link)
    let notified = AppInterface.Notified(number: 7, notification: .tea, tapped: false)

    UIApplication.shared.receive(notified, link: link)
    UIApplication.shared.receive(notified, link: link)
    let calls = world.daemon.waitForCalls { $0.taken != nil }

    #expect(delegate.heard == ["Tea active"])
    #expect(calls.map(\.taken) == [7])
  }

  @Test func `one that was tapped in the background is told on the way to the foreground`() {
    let world = World()
    let link = world.newLife()
    let delegate = Recipient.inBackground(world, link)

    UIApplication.shared.receive(.init(number: 8, notification: .tea, tapped: true), link: link)
    let early = delegate.heard
    UIApplication.shared.move(.foreground, link: link)

    #expect(early == [])
    #expect(delegate.heard == ["Tea inactive"])
    #expect(world.daemon.waitForCalls { $0.taken != nil }.map(\.taken) == [8])
  }

  @Test func `all that were tapped while the app comes forward are told, in their order`() {
    let world = World()
    let link = world.newLife()
    let delegate = Recipient.inBackground(world, link)

    UIApplication.shared.receive(.init(number: 12, notification: .tea, tapped: true), link: link)
    UIApplication.shared.receive(.init(number: 11, notification: .cake, tapped: true), link: link)
    UIApplication.shared.move(.foreground, link: link)

    #expect(delegate.heard == ["Tea inactive", "Cake inactive"])
    #expect(delegate.moves == ["active", "resigns", "active"])
    #expect(world.daemon.waitForCalls(2) { $0.taken != nil }.map(\.taken) == [12, 11])
  }

  @Test func `one that was tapped over an app in the foreground finds it inactive meanwhile`() {
    let world = World()
    let link = world.newLife()
    let delegate = Recipient()
    world.launch(delegate, link: link)

    UIApplication.shared.receive(.init(number: 10, notification: .tea, tapped: true), link: link)

    #expect(delegate.heard == ["Tea inactive"])
    #expect(delegate.moves == ["active", "resigns", "active"])
    #expect(UIApplication.shared.applicationState == .active)
    #expect(world.daemon.waitForCalls { $0.taken != nil }.map(\.taken) == [10])
  }

  @Test func `an app that a notification has launched finds it in its options, and is not told again`() {
    let daemon = HandDaemon(notified: .init(number: 9, notification: .tea, tapped: true))
    let world = World(daemon: daemon)
    let link = world.newLife()
    let delegate = Recipient()

    world.launch(delegate, link: link)
    UIApplication.shared.receive(.init(number: 9, notification: .tea, tapped: true), link: link)

    #expect(delegate.options == ["Tea", "Tea"])
    #expect(delegate.heard == [])
    #expect(daemon.waitForCalls { $0.taken != nil }.map(\.taken) == [9])
  }

  @Test func `a process without an app takes its notifications unread`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()

    world.daemon.say(.notified(.init(number: 3, notification: .tea, tapped: false)))

    #expect(world.daemon.waitForCalls { $0.taken != nil }.map(\.taken) == [3])
  }
}

extension AppInterface.Notification {
  fileprivate static let tea = saying("Tea")
  fileprivate static let cake = saying("Cake")

  private static func saying(_ body: String) -> AppInterface.Notification {
    var notification = AppInterface.Notification(key: "1")
    notification.body = body
    return notification
  }
}

extension Call {
  fileprivate var taken: Int64? { if case .takeNotification(let asked) = self { asked.number } else { nil } }
}

/// An app delegate that writes down what it is told of notifications.
private final class Recipient: UIResponder, UIApplicationDelegate {
  var heard: [String] = []
  var options: [String] = []
  var moves: [String] = []

  /// The delegate of an app that was launched and has entered the background.
  static func inBackground(_ world: World, _ link: Link) -> Recipient {
    let delegate = Recipient()
    world.launch(delegate, link: link)
    UIApplication.shared.move(.background(number: 1, remaining: .seconds(180)), link: link)
    return delegate
  }

  func applicationDidBecomeActive(_ application: UIApplication) { moves.append("active") }

  func applicationWillResignActive(_ application: UIApplication) { moves.append("resigns") }

  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { note(options) }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { note(options) }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    heard.append("\(notification.alertBody ?? "") \(application.applicationState)")
  }

  private func note(_ options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
    if let found = options?[.localNotification] as? UILocalNotification { self.options.append(found.alertBody ?? "") }
    return true
  }
}
