import Foundation
import MainActorApp
import NightjarWire
import Testing

@testable import Nightjar

/// What a launch tells. One suite with the other launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `observers of the launch find its options in the user info`() {
    var tea = AppInterface.Notification(key: String(repeating: "a", count: 32))
    tea.body = "Tea"
    let world = World(daemon: HandDaemon(notified: .init(number: 1, notification: tea, tapped: true)))
    let body = Kept<String>()
    let observer = NotificationCenter.default.addObserver(
      forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil
    ) { launch in
      let notification = launch.userInfo?[UIApplication.LaunchOptionsKey.localNotification]
      body.value = (notification as? UILocalNotification)?.alertBody
    }
    defer { NotificationCenter.default.removeObserver(observer) }

    world.launch(Deaf(), link: world.newLife())

    #expect(body.value == "Tea")
  }

  @Test func `an app that is launched into the background has time there from the first`() {
    let world = World(daemon: HandDaemon(isBackground: true))
    let delegate = TimedDelegate()
    UIApplication.shared.backgroundEnd = .now

    world.launch(delegate, link: world.newLife())

    #expect(delegate.times.count == 2 && delegate.times.allSatisfy { (1...30).contains($0) })
  }

  @Test func `a delegate hears of its launch without options where it has no other form, and else in that alone`() {
    let world = World()
    let (older, newer) = (OlderDelegate(), NewerDelegate())

    world.launch(older, link: world.newLife())
    world.launch(newer, link: world.newLife())

    #expect(older.heard == ["launched"] && newer.heard == ["launched with options"])
  }

  @Test func `what has no effect is kept for the app to read`() {
    let application = UIApplication()
    let before = [application.isIdleTimerDisabled, application.isNetworkActivityIndicatorVisible]

    (application.isIdleTimerDisabled, application.isNetworkActivityIndicatorVisible) = (true, true)

    #expect(before == [false, false])
    #expect(application.isIdleTimerDisabled && application.isNetworkActivityIndicatorVisible)
  }

  @Test func `a delegate's class is found by its name, with its module or in the program's own`() {
    #expect(delegateClass("MainActorApp.FilmsDelegate") == FilmsDelegate.self)
    #expect(delegateClass("FilmsDelegate", program: "MainActorApp") == FilmsDelegate.self)
    #expect(delegateClass("FilmsDelegate", program: "another-app") == nil)
    #expect(delegateClass("MainActorApp.Films") == nil)
  }
}

/// An app delegate from before launches had options.
private final class OlderDelegate: UIResponder, UIApplicationDelegate {
  var heard: [String] = []

  func applicationDidFinishLaunching(_ application: UIApplication) { heard.append("launched") }
}

/// An app delegate that has both forms.
private final class NewerDelegate: UIResponder, UIApplicationDelegate {
  var heard: [String] = []

  func applicationDidFinishLaunching(_ application: UIApplication) { heard.append("launched") }
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    heard.append("launched with options")
    return true
  }
}

/// An app delegate that hears nothing.
private final class Deaf: UIResponder, UIApplicationDelegate {}

/// An app delegate that writes down how long the app may still run.
private final class TimedDelegate: UIResponder, UIApplicationDelegate {
  var times: [TimeInterval] = []

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    times.append(application.backgroundTimeRemaining)
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) { times.append(application.backgroundTimeRemaining) }
}
