import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// What the notification center's delegate is told. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test(
    arguments: [
      ([], nil, nil), ([.sound, .badge], nil, nil), ([.banner], true, true), ([.list, .sound], true, nil),
      ([.alert, .sound], true, nil),
    ] as [(UNNotificationPresentationOptions, Bool?, Bool?)])
  func `a delegate decides how a notification is shown that was fired in the foreground`(
    options: UNNotificationPresentationOptions, show: Bool?, silent: Bool?
  ) throws {
    let world = World()
    let (link, app, reader) = (world.newLife(), Bystander(), Reader())
    world.launch(app, link: link)
    UNUserNotificationCenter.current().delegate = reader
    let notified = try AppInterface.Notified(number: 7, notification: .request("tea"), tapped: false)

    UIApplication.shared.receive(notified, link: link)
    UIApplication.shared.receive(notified, link: link)
    let early = world.daemon.calls.filter { $0.take != nil }
    reader.present.forEach { $0(options) }
    reader.present.forEach { $0([.banner, .sound]) }
    let calls = world.daemon.waitForCalls { $0.take != nil }

    #expect(reader.heard == ["present tea active"] && early.isEmpty && app.heard == [])
    #expect(calls.map(\.take) == [.init(number: 7, show: show, silent: silent)])
  }

  @Test func `a tap is told on the way to the foreground, and taken once the delegate is done`() throws {
    let world = World()
    let (link, app, reader) = (world.newLife(), Bystander(), Reader())
    world.launch(app, link: link)
    UNUserNotificationCenter.current().delegate = reader
    UIApplication.shared.move(.background(number: 1, remaining: .seconds(180)), link: link)

    UIApplication.shared.receive(.init(number: 8, notification: try .request("tea"), tapped: true), link: link)
    let early = reader.heard
    UIApplication.shared.move(.foreground, link: link)
    let before = world.daemon.calls.filter { $0.take != nil }
    reader.received.forEach { $0() }

    #expect(early == [] && before.isEmpty)
    #expect(reader.heard == ["tapped tea inactive"] && app.heard == [])
    #expect(reader.actions == [UNNotificationDefaultActionIdentifier])
    #expect(world.daemon.waitForCalls { $0.take != nil }.map(\.take) == [.init(number: 8)])
  }

  @Test func `an app that a tap has launched is told once it is launched, by the delegate that it sets then`() throws {
    let daemon = HandDaemon(notified: .init(number: 9, notification: try .request("tea"), tapped: true))
    let world = World(daemon: daemon)
    let (link, app) = (world.newLife(), Bystander())
    app.reader = Reader()

    world.launch(app, link: link)
    UIApplication.shared.receive(.init(number: 9, notification: try .request("tea"), tapped: true), link: link)
    let before = daemon.calls.filter { $0.take != nil }
    app.reader?.received.forEach { $0() }

    #expect(app.options == ["tea's body"] && app.heard == [])
    #expect(app.reader?.heard == ["tapped tea inactive"] && before.isEmpty)
    #expect(daemon.waitForCalls { $0.take != nil }.map(\.take) == [.init(number: 9)])
  }

  @Test func `without a delegate of the center, and for earlier kinds of notifications, the app's delegate is told`()
    throws
  {
    let world = World()
    let (link, app) = (world.newLife(), Bystander())
    world.launch(app, link: link)
    UNUserNotificationCenter.current().delegate = nil

    UIApplication.shared.receive(.init(number: 1, notification: try .request("tea"), tapped: false), link: link)
    let reader = Reader()
    UNUserNotificationCenter.current().delegate = reader
    var old = AppInterface.Notification(key: "1")
    (old.body, old.identifier) = ("Cake", "cake")
    UIApplication.shared.receive(.init(number: 2, notification: old, tapped: false), link: link)

    #expect(app.heard == ["tea's body", "Cake"] && reader.heard == [])
    #expect(world.daemon.waitForCalls(2) { $0.take != nil }.map { $0.take?.number } == [1, 2])
  }

  @Test func `the async forms of a delegate count, and one without a method shows nothing`() async throws {
    let world = World()
    let (link, app, reader, idler) = (world.newLife(), Bystander(), AsyncReader(), Idler())
    world.launch(app, link: link)

    UNUserNotificationCenter.current().delegate = reader
    UIApplication.shared.receive(.init(number: 1, notification: try .request("tea"), tapped: false), link: link)
    UIApplication.shared.receive(.init(number: 2, notification: try .request("cake"), tapped: true), link: link)
    await world.daemon.untilCalls(2) { $0.take != nil }
    UNUserNotificationCenter.current().delegate = idler
    UIApplication.shared.receive(.init(number: 3, notification: try .request("tea"), tapped: false), link: link)
    let calls = await world.daemon.untilCalls(3) { $0.take != nil }

    #expect(reader.heard.sorted() == ["present tea", "tapped cake inactive"])
    let taken = calls.compactMap(\.take).sorted { $0.number < $1.number }
    #expect(taken == [.init(number: 1, show: true), .init(number: 2), .init(number: 3)])
  }

  @Test func `the center keeps no delegate alive`() {
    let center = UNUserNotificationCenter { World().newLife() }

    do { center.delegate = Reader() }

    #expect(center.delegate == nil && UNUserNotificationCenter.current() === UNUserNotificationCenter.current())
  }
}

extension AppInterface.Notification {
  /// A notification that was made by a request of this name.
  fileprivate static func request(_ identifier: String) throws(UNError) -> AppInterface.Notification {
    let content = UNMutableNotificationContent()
    content.body = identifier + "'s body"
    return try UNNotificationRequest(identifier: identifier, content: content, trigger: nil).wire(at: .now)
  }
}

extension Call {
  fileprivate var take: AppInterface.TakeNotification.Parameters? {
    if case .takeNotification(let asked) = self { asked } else { nil }
  }
}

/// An app delegate that writes down what it is told of notifications, which is nothing if the center has a delegate.
private final class Bystander: UIResponder, UIApplicationDelegate {
  var heard: [String] = []
  var options: [String] = []
  /// The center's delegate that it sets when it is launched.
  var reader: Reader?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    if let found = options?[.localNotification] as? UILocalNotification { self.options.append(found.alertBody ?? "") }
    UNUserNotificationCenter.current().delegate = reader
    return true
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    heard.append(notification.alertBody ?? "")
  }
}

/// A delegate of the center that writes down what it is told, and keeps the handlers.
@MainActor
private final class Reader: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  var heard: [String] = []
  var actions: [String] = []
  var present: [(UNNotificationPresentationOptions) -> Void] = []
  var received: [() -> Void] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    heard.append("present \(notification.request.identifier) \(UIApplication.shared.applicationState)")
    present.append(completionHandler)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    heard.append("tapped \(response.notification.request.identifier) \(UIApplication.shared.applicationState)")
    actions.append(response.actionIdentifier)
    received.append(completionHandler)
  }
}

/// A delegate of the center with the async forms.
@MainActor
private final class AsyncReader: NSObject, UNUserNotificationCenterDelegate {
  var heard: [String] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    heard.append("present \(notification.request.identifier)")
    return [.banner, .sound]
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    let state = UIApplication.shared.applicationState
    await Task.yield()
    heard.append("tapped \(response.notification.request.identifier) \(state)")
  }
}

/// A delegate of the center without a method.
private final class Idler: NSObject, UNUserNotificationCenterDelegate {}
