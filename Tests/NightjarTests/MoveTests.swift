import Foundation
import NightjarWire
import Synchronization
import Testing

@testable import Nightjar

/// Going to the background and back. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `leaving the foreground is told in order, and confirmed when the delegate has returned`() {
    let world = World()
    let link = world.newLife()
    let delegate = Traveller { #expect(world.daemon.calls.isEmpty) }
    world.launch(delegate, link: link)

    UIApplication.shared.move(.background(number: 3, remaining: .seconds(180)), link: link)
    let calls = world.daemon.waitForCalls { $0.entered != nil }

    #expect(delegate.heard == ["active active", "resign active", "background background"])
    #expect(calls.map(\.entered) == [3])
    #expect((100...180).contains(UIApplication.shared.backgroundTimeRemaining))
  }

  @Test func `coming back is told in order, and nothing limits the time`() {
    let world = World()
    let link = world.newLife()
    let delegate = Traveller {}
    world.launch(delegate, link: link)
    UIApplication.shared.move(.background(number: 1, remaining: .seconds(180)), link: link)

    UIApplication.shared.move(.foreground, link: link)

    #expect(UIDevice.current.isMultitaskingSupported)
    #expect(delegate.heard.suffix(2) == ["will enter background", "active active"])
    #expect(UIApplication.shared.backgroundTimeRemaining == .greatestFiniteMagnitude)
  }

  @Test(arguments: [
    (Move.shortage, UIApplication.didReceiveMemoryWarningNotification, "memory active"),
    (.newTime, UIApplication.significantTimeChangeNotification, "time active"),
  ])
  func `the delegate hears that memory is short, or of a new day, then whoever observes`(
    move: Move, name: Notification.Name, heard: String
  ) {
    let world = World()
    let link = world.newLife()
    let delegate = Traveller {}
    world.launch(delegate, link: link)
    let observed = Mutex(0)
    let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      observed.withLock { $0 += 1 }
    }

    UIApplication.shared.move(move, link: link)
    NotificationCenter.default.removeObserver(observer)

    #expect(delegate.heard.last == heard)
    #expect(observed.withLock { $0 } == 1)
  }

  @Test func `an app that is in the background already only confirms it to a new daemon`() {
    let world = World()
    let link = world.newLife()
    let delegate = Traveller {}
    world.launch(delegate, link: link)
    UIApplication.shared.move(.background(number: 1, remaining: .seconds(180)), link: link)

    UIApplication.shared.move(.background(number: 7, remaining: nil), link: link)
    let calls = world.daemon.waitForCalls(2) { $0.entered != nil }

    #expect(delegate.heard.count == 3)
    #expect(calls.map(\.entered) == [1, 7])
  }

  @Test func `a process without an app confirms at once where it is`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()

    world.daemon.say(.moved(.background(number: 5, remaining: nil)))

    #expect(world.daemon.waitForCalls { $0.entered != nil }.map(\.entered) == [5])
  }

  @Test func `a background task is told to the daemon before its beginning returns, and to the next daemon again`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    world.daemon.waitUntil(link) { $0.phase == .up }

    let first = link.beginTask("first", nil)
    let told = world.daemon.calls.contains { $0.begun == "first" }
    let second = link.beginTask("second", nil)
    link.endTask(first)
    world.daemon.waitForCalls { $0.isTaskEnd }
    world.daemon.goAway()
    world.daemon.comeBack()
    let again = world.daemon.waitForCalls(3) { $0.begun != nil }

    #expect(told && first != second)
    #expect(again.map(\.begun) == ["first", "second", "second"])
  }

  @Test func `a background task for which there is no time is told so at once, and not begun again`() async {
    let world = World()
    let link = world.newLife()
    _ = link.attach()
    world.daemon.refuse(with: .invalidRequest(field: "task", reason: "the time is up")) { $0.begun == "late" }

    await withCheckedContinuation { expired in _ = link.beginTask("late") { expired.resume() } }

    #expect(link.state.withLock { $0.backgroundTasks.openings.isEmpty })
  }

  @Test func `each expiration handler is called once, and none of a task that has ended`() {
    let link = World(daemon: HandDaemon(isUp: false)).newLife()
    let heard = Mutex<[String]>([])
    for name in ["first", "second"] { _ = link.beginTask(name) { heard.withLock { $0.append(name) } } }
    link.endTask(link.beginTask("third") { heard.withLock { $0.append("third") } })

    for _ in 1...2 { UIApplication.shared.move(.expiry, link: link) }

    #expect(heard.withLock { $0 } == ["first", "second"])
  }

  @Test func `what goes with an expiration handler may end another background task`() {
    let link = World(daemon: HandDaemon(isUp: false)).newLife()
    let held = link.beginTask("held", nil)
    let first = link.beginTask("first") { [holder = TaskHolder(link, held)] in withExtendedLifetime(holder) {} }

    link.endTask(first)

    #expect(link.state.withLock { $0.backgroundTasks.openings.isEmpty })
  }

  @Test func `an expiration handler that ends another task leaves nothing for that one's`() {
    let link = World(daemon: HandDaemon(isUp: false)).newLife()
    let heard = Mutex<[String]>([])
    _ = link.beginTask("first") {
      heard.withLock { $0.append("first") }
      link.endTask(2)
    }
    for name in ["second", "third"] { _ = link.beginTask(name) { heard.withLock { $0.append(name) } } }

    UIApplication.shared.move(.expiry, link: link)

    #expect(heard.withLock { $0 } == ["first", "third"])
  }
}

extension Call {
  var entered: Int64? { if case .entered(let asked) = self { asked.number } else { nil } }
  fileprivate var begun: String? { if case .beginTask(let asked) = self { asked.name } else { nil } }
  fileprivate var isTaskEnd: Bool { if case .endTask = self { true } else { false } }
}

/// An app delegate that writes down where it is.
private final class Traveller: UIResponder, UIApplicationDelegate {
  var heard: [String] = []
  private var isLeaving: () -> Void = {}

  convenience init(isLeaving: @escaping () -> Void) {
    self.init()
    self.isLeaving = isLeaving
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    heard.append("active \(application.applicationState)")
  }

  func applicationWillResignActive(_ application: UIApplication) {
    heard.append("resign \(application.applicationState)")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    heard.append("background \(application.applicationState)")
    isLeaving()
  }

  func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    heard.append("memory \(application.applicationState)")
  }

  func applicationSignificantTimeChange(_ application: UIApplication) {
    heard.append("time \(application.applicationState)")
  }

  func applicationWillEnterForeground(_ application: UIApplication) {
    heard.append("will enter \(application.applicationState)")
  }
}

/// Ends a background task when nobody needs it any more.
private final class TaskHolder: Sendable {
  private let link: Link
  private let task: Int64

  init(_ link: Link, _ task: Int64) { (self.link, self.task) = (link, task) }

  deinit { link.endTask(task) }
}
