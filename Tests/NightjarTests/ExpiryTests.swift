import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

/// Tasks whose time is up before they have said what to do then. One suite with the launches, like the other tasks.
extension WakeTests {
  /// The scheduler of an attached app with two tasks: one completes itself when it expires, the other does not listen.
  static func schedulerOfTwo(_ link: Link) -> BGTaskScheduler {
    let scheduler = BGTaskScheduler(permitted: ["tidy", "news"]) { link }
    scheduler.register(forTaskWithIdentifier: "tidy", using: .main) { task in
      task.expirationHandler = { task.setTaskCompleted(success: true) }
    }
    scheduler.register(forTaskWithIdentifier: "news", using: .main) { _ in }
    _ = link.attach()
    return scheduler
  }

  @Test func `an expiry that comes before the launch handler is called waits for what that does`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = Self.schedulerOfTwo(link)

    for errand in [.task(.tidy(1)), .expiry(number: 1), .task(.news(2)), .expiry(number: 2)] as [Errand] {
      UIApplication.shared.run(errand, scheduler: scheduler, link: link)
    }

    let ends = await world.daemon.untilCalls(2) { $0.end != nil }.compactMap(\.end)
    #expect(
      ends.sorted { $0.number < $1.number } == [.init(number: 1, success: true), .init(number: 2, success: false)])
  }

  @Test func `an expiration handler that is set after the expiry is called once`() {
    let ends = Mutex<[Bool]>([])
    let calls = Mutex(0)
    let queue = DispatchQueue(label: "tidying")
    let finish: @Sendable (Bool) -> Void = { success in ends.withLock { $0.append(success) } }
    let count: @Sendable () -> Void = { calls.withLock { $0 += 1 } }
    let task = BGTask("tidy", on: queue, finish: finish)

    task.expire()
    for _ in 1...2 { task.expirationHandler = count }
    task.launched()
    queue.sync {}

    #expect(calls.withLock { $0 } == 1)
    #expect(ends.withLock { $0 } == [], "it is the app that completes it")
  }
}
