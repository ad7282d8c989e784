import Foundation
import NightjarWire
import Synchronization
import Testing

@testable import Nightjar

/// Background fetches. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `an app is launched into the background, told that it is there, and then to fetch`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let delegate = Fetcher { $0(.newData) }

    world.launch(delegate, link: world.newLife())
    world.daemon.say(.fetch(1))
    await delegate.untilFetch()
    let reports = world.daemon.waitForCalls { $0.report != nil }

    #expect(delegate.heard == ["launched background", "background", "fetch background"])
    #expect(reports.map(\.report) == [.init(number: 1, outcome: .newData)])
    #expect(UIApplication.shared.backgroundTimeRemaining > 0)
  }

  @Test func `an app in the foreground fetches where it is`() async {
    let world = World()
    let delegate = Fetcher { $0(.noData) }

    world.launch(delegate, link: world.newLife())
    world.daemon.say(.fetch(1))
    await delegate.untilFetch()

    #expect(delegate.heard == ["launched inactive", "fetch active"])
    #expect(world.daemon.waitForCalls { $0.report != nil }.map(\.report?.outcome) == [.noData])
  }

  @Test(arguments: [UIBackgroundFetchResult.newData, .noData, .failed])
  func `the completion handler is called from another thread, and later`(result: UIBackgroundFetchResult) async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let delegate = Fetcher { handler in
      let handler = Handler(call: handler)
      DispatchQueue.global().async { handler.call(result) }
    }

    world.launch(delegate, link: world.newLife())
    world.daemon.say(.fetch(7))
    await delegate.untilFetch()
    let reports = await world.daemon.untilCalls { $0.report != nil }

    #expect(reports.compactMap(\.report?.outcome.rawValue) == ["\(result)"])
  }

  @Test func `what was resumed in a fetch is queued before the daemon hears of its end`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let session = world.session(of: link, Recorder())
    let delegate = Fetcher { handler in
      session.downloadTask(with: World.film).resume()
      handler(.newData)
    }

    world.launch(delegate, link: link)
    world.daemon.say(.fetch(1))
    await delegate.untilFetch()
    let calls = world.daemon.waitForCalls(2) { $0.isEnqueue || $0.report != nil }

    #expect(calls.map(\.isEnqueue) == [true, false])
  }

  @Test func `a completion handler that is called twice is heard once, and the app's log says so`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World(daemon: HandDaemon(isBackground: true))
      let delegate = await Fetcher {
        $0(.newData)
        $0(.failed)
      }
      await AppLife.shared.launch(delegate, link: world.newLife())
      world.daemon.say(.fetch(1))
      await delegate.untilFetch()
      world.daemon.say(.fetch(2))
      await delegate.untilFetch()
      let reports = world.daemon.waitForCalls(2) { $0.report != nil }
      precondition(
        reports.compactMap(\.report) == [.init(number: 1, outcome: .newData), .init(number: 2, outcome: .newData)])
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Nightjar: performFetch: the completion handler was called again, with .failed"))
  }

  @Test func `a fetch that comes again over another line is not begun twice`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let delegate = Fetcher { _ in }
    let link = world.newLife()

    world.launch(delegate, link: link)
    world.daemon.say(.fetch(3))
    await delegate.untilFetch()
    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitUntil(link) { $0.phase == .up }
    world.daemon.say(.fetch(3))
    world.daemon.say(.fetch(4))
    await delegate.untilFetch()

    #expect(delegate.heard.filter { $0.hasPrefix("fetch") }.count == 2)
    #expect(world.daemon.calls.allSatisfy { $0.report == nil }, "nobody has called a completion handler")
  }

  @Test func `the asynchronous form of the delegate's method counts as well`() async {
    let world = World(daemon: HandDaemon(isBackground: true))

    world.launch(AsyncFetcher(), link: world.newLife())
    world.daemon.say(.fetch(1))
    let reports = await world.daemon.untilCalls { $0.report != nil }

    #expect(reports.compactMap(\.report?.outcome) == [.noData])
  }

  @Test func `a delegate that cannot fetch has failed, and its log says why`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World(daemon: HandDaemon(isBackground: true))
      await AppLife.shared.launch(Idler(), link: world.newLife())
      world.daemon.say(.fetch(1))
      await world.daemon.untilCalls { $0.report != nil }
      precondition(world.daemon.calls.compactMap(\.report?.outcome) == [.failed])
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Idler has no application(_:performFetchWithCompletionHandler:)"))
  }

  @Test func `a method that only a subclass of the delegate adds is never called, and its log says so`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World(daemon: HandDaemon(isBackground: true))
      await AppLife.shared.launch(LateFetcher(), link: world.newLife())
      world.daemon.say(.fetch(1))
      await world.daemon.untilCalls { $0.report != nil }
      precondition(world.daemon.calls.compactMap(\.report?.outcome) == [.failed])
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    let reason = "Quiet has no application(_:performFetchWithCompletionHandler:), and what only its subclass Late"
    #expect(words.contains(reason))
  }

  @Test func `a process without an app declines`() {
    let world = World()
    let link = world.newLife()
    _ = link.attach()

    world.daemon.say(.fetch(1))
    world.daemon.say(.task(2, "tidy"))

    #expect(world.daemon.waitForCalls { $0.report != nil }.map(\.report?.outcome) == [.failed])
    #expect(world.daemon.waitForCalls { $0.end != nil }.map(\.end) == [.init(number: 2, success: false)])
  }

  @Test func `the interval goes to the daemon in seconds, never as nothing`() {
    let world = World()
    let link = world.newLife()
    let application = UIApplication.shared
    let wishes = [
      UIApplication.backgroundFetchIntervalMinimum, 3600, -1, .nan, UIApplicationBackgroundFetchIntervalNever,
    ]

    for seconds in wishes + [.infinity] { application.setFetchInterval(seconds, link: link) }

    let calls = world.daemon.waitForCalls(5) { if case .setFetchInterval = $0 { true } else { false } }
    let seconds = calls.map(\.interval)
    #expect(seconds == [0, 3600, 0, nil, nil])
  }

  @Test func `an interval that is refused is a word in the app's log, with what helps`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World()
      let link = world.newLife()
      world.daemon.refuse(with: .notDeclared(mode: "fetch", hint: "nightjar capabilities a add fetch")) {
        if case .setFetchInterval = $0 { true } else { false }
      }
      await UIApplication.shared.setFetchInterval(0, link: link)
      world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
      link.setFetchInterval(1)
      world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("\"fetch\" in UIBackgroundModes") && words.contains("nightjar capabilities a add fetch"))
  }
}

extension Fact {
  fileprivate static func fetch(_ number: Int64) -> Fact { .sent(.fetch(number: number, remaining: .seconds(30))) }

  static func task(_ number: Int64, _ identifier: String, _ kind: AppInterface.BackgroundRequest.Kind = .refresh)
    -> Fact
  {
    .sent(.task(.init(number: number, identifier: identifier, kind: kind, remainingMs: 30_000)))
  }
}

extension Call {
  /// What is reported of a fetch, if that is what is asked.
  fileprivate var report: AppInterface.FinishFetch.Parameters? {
    if case .finishFetch(let asked) = self { asked } else { nil }
  }

  /// The interval in seconds, if that is what is asked.
  fileprivate var interval: Double? { if case .setFetchInterval(let asked) = self { asked.seconds } else { nil } }

  /// What is said of a task's end, if that is what is asked.
  var end: AppInterface.FinishTask.Parameters? { if case .finishTask(let asked) = self { asked } else { nil } }
}

/// A completion handler on its way to another thread, as apps in Swift 5 mode let it go.
private struct Handler: @unchecked Sendable {  // Unchecked: a completion handler may be called from any thread.
  let call: (UIBackgroundFetchResult) -> Void
}

/// An app delegate that fetches as a test says.
private final class Fetcher: UIResponder, UIApplicationDelegate {
  private(set) var heard: [String] = []
  private let work: (@escaping (UIBackgroundFetchResult) -> Void) -> Void
  private let (fetches, feed) = AsyncStream<Void>.makeStream()

  init(work: @escaping (@escaping (UIBackgroundFetchResult) -> Void) -> Void) {
    self.work = work
    super.init()
  }

  required init() { preconditionFailure("made by tests") }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    heard.append("launched \(application.applicationState)")
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) { heard.append("\(application.applicationState)") }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    heard.append("fetch \(application.applicationState)")
    work(completionHandler)
    feed.yield()
  }

  /// Waits until it was told to fetch, once more.
  func untilFetch() async {
    for await _ in fetches { return }
  }
}

private final class AsyncFetcher: UIResponder, UIApplicationDelegate {
  func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
    await Task.yield()
    return .noData
  }
}

private final class Idler: UIResponder, UIApplicationDelegate {}

private class Quiet: UIResponder, UIApplicationDelegate {}

private final class LateFetcher: Quiet {
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.newData) }
}
