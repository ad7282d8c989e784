import Foundation
import NightjarWire
import Synchronization
import Patience
import TestThreads
import Testing

@testable import Nightjar

/// The app's life: what a delegate hears of launches and of sessions that want to be opened.
@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct WakeTests {
  @Test func `a foreground launch makes the app active`() async {
    let world = World()
    let delegate = AppDelegate()

    world.launch(delegate, link: world.newLife())

    #expect(delegate.heard == ["will finish inactive", "did finish inactive", "active active"])
  }

  @Test func `a background launch is told, then in the background, then of its events`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    world.daemon.remember([Self.task], of: "films", nextTask: 2)
    world.daemon.end(try world.end(4, task: 1, text: "film"), now: false)
    let link = world.newLife()
    let delegate = AppDelegate()
    delegate.onEvents = { delegate.sessions.append(world.session(of: link, delegate.recorder, identifier: $0)) }

    world.launch(delegate, link: link)
    world.daemon.say(.handleEvents(session: "films"))
    await delegate.untilEvents()
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.say(.eventsFinished(session: "films"))
    delegate.recorder.wait(for: 4)
    #expect(!world.daemon.calls.contains { $0.isFinish })
    delegate.finish()
    world.daemon.waitForCalls { $0.isFinish }

    #expect(
      delegate.heard == [
        "will finish background", "did finish background", "background background", "events films background",
      ])
    #expect(delegate.recorder.heard == ["1 wrote 4 to 4 of 4", "1 file film", "1 done", "all told of films"])
  }

  @Test func `an app whose main thread was busy has its completion handler before it hears that all was told`()
    async throws
  {
    let world = World(daemon: HandDaemon(isBackground: true))
    world.daemon.remember([Self.task], of: "films", nextTask: 2)
    let link = world.newLife()
    let delegate = AppDelegate()
    world.launch(delegate, link: link)
    let order = Kept<[String]>()
    let recorder = Recorder { line in order.value = (order.value ?? []) + [line] }
    delegate.onEvents = { order.value = (order.value ?? []) + ["events \($0)"] }
    let session = world.session(of: link, recorder)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }

    // All of it comes while this runs on the main thread, where the app would be told that there are events.
    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.end(try world.end(4, task: 1, text: "film"))
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.say(.eventsFinished(session: "films"))
    world.daemon.waitUntil(link) { $0.sessions["films"]?.inbox.isEmpty == false }
    let early = order.value ?? []
    await delegate.untilEvents()
    try await eventually("all was told") { order.value?.contains("all told of films") == true }

    #expect(!early.contains("all told of films"))
    #expect((order.value ?? []).suffix(2) == ["events films", "all told of films"])
    withExtendedLifetime(session) {}
  }

  @Test func `the right to run is not given back before everything was told`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    world.daemon.remember([Self.task], of: "films", nextTask: 2)
    let link = world.newLife()
    let delegate = AppDelegate()
    delegate.onEvents = {
      delegate.sessions.append(world.session(of: link, delegate.recorder, identifier: $0))
      delegate.finish()
    }

    world.launch(delegate, link: link)
    world.daemon.say(.handleEvents(session: "films"))
    await delegate.untilEvents()
    world.daemon.end(try world.end(4, task: 1, text: "film"))
    world.daemon.say(.eventsFinished(session: "films"))
    let finish = world.daemon.waitForCalls { $0.isFinish || $0.isAcknowledgement }
    world.daemon.waitForCalls { $0.isFinish }

    #expect(finish.first?.acknowledged == [4])
  }

  @Test func `an app that was woken for a session that it is refused can finish`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    world.daemon.refuse(with: .limitReached(what: "sessions of one app", limit: 1)) { $0.isOpening }
    let link = world.newLife()
    let delegate = AppDelegate()
    delegate.onEvents = { delegate.sessions.append(world.session(of: link, delegate.recorder, identifier: $0)) }
    world.launch(delegate, link: link)

    world.daemon.say(.handleEvents(session: "films"))
    await delegate.untilEvents()
    delegate.recorder.wait(for: 1)
    delegate.finish()

    #expect(world.daemon.waitForCalls { $0.isFinish }.count == 1)
  }

  @Test func `a handler called twice gives the right to run back once`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let delegate = AppDelegate()
    delegate.onEvents = { _ in for _ in 1...2 { delegate.finish() } }

    world.launch(delegate, link: link)
    world.daemon.say(.handleEvents(session: "films"))
    await delegate.untilEvents()
    world.daemon.waitForCalls { $0.isFinish }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.calls.filter(\.isFinish).count == 1)
  }

  @Test func `the asynchronous form of the events call gives the right to run back when it returns`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    let delegate = AsyncDelegate()

    world.launch(delegate, link: world.newLife())
    world.daemon.say(.handleEvents(session: "films"))
    await delegate.untilEvents()
    _ = try await elsewhere { world.daemon.waitForCalls { $0.isFinish } }.value

    #expect(delegate.heard == ["films"])
  }

  @Test func `the asynchronous form of the events call begins before the app hears that all was told`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    let (link, delegate, recorder) = (world.newLife(), AsyncDelegate(), Recorder())
    let wasCalled = Kept<Bool>()
    delegate.onEvents = { wasCalled.value = link.state.withLock { $0.wakes["films"]?.isCalled } }

    world.launch(delegate, link: link)
    _ = world.session(of: link, recorder)
    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.say(.eventsFinished(session: "films"))
    await delegate.untilEvents()
    _ = try await elsewhere { world.daemon.waitForCalls { $0.isFinish } }.value

    #expect(wasCalled.value == false)
    #expect(recorder.heard == ["all told of films"])
  }

  @Test func `a program gives the right to run back when everything was told`() throws {
    let world = World()
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()

    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.say(.eventsFinished(session: "films"))
    world.daemon.waitForCalls { $0.isFinish }

    #expect(delegate.heard.last == "all told of films")
  }

  /// Wakes an app for a session's events, of which all are told; its completion handler is still to be called.
  private func wake(_ world: World, _ link: Link, _ delegate: Recorder) -> Nightjar.URLSession {
    link.onWake { _ in }
    let session = world.session(of: link, delegate)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }
    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.waitUntil(link) { $0.wakes["films"] != nil }
    link.called("films")
    world.daemon.say(.eventsFinished(session: "films"))
    world.daemon.waitUntil(link) { $0.wakes["films"]?.isTold == true }
    return session
  }

  @Test func `a new line is told which events the app is at, until it has handled them`() {
    let world = World()
    let (link, delegate) = (world.newLife(), Recorder())
    let session = wake(world, link, delegate)

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2, \.isOpening)
    world.daemon.say(.eventsFinished(session: "films"))
    world.daemon.hush()
    link.handled("films")
    world.daemon.waitForCalls { $0.isFinish }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    world.daemon.goAway()
    world.daemon.comeBack()
    let openings = world.daemon.waitForCalls(3, \.isOpening)
    session.delegateQueue.waitUntilAllOperationsAreFinished()

    #expect(openings.map(\.handlesEvents) == [nil, true, nil])
    #expect(delegate.heard == ["all told of films"])
  }

  @Test func `a wake that is repeated is over when all was told again`() {
    let world = World()
    let link = world.newLife()
    let session = wake(world, link, Recorder())

    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.hush()
    link.handled("films")
    let early = link.state.withLock { $0.wakes["films"] }
    world.daemon.say(.eventsFinished(session: "films"))
    world.daemon.waitForCalls { $0.isFinish }

    #expect(early == WakeState(isCalled: true, isHandled: true, isTold: false))
    #expect(world.daemon.calls.filter(\.isFinish).count == 1)
    withExtendedLifetime(session) {}
  }

  @Test func `a completion handler counts once, however often it is called`() {
    let delegate = AppDelegate()
    UIApplication.shared.delegate = delegate
    let count = Mutex(0)

    UIApplication.shared.handleEvents(of: "films", called: {}, done: { count.withLock { $0 += 1 } })
    delegate.finish()
    delegate.finish()

    #expect(count.withLock { $0 } == 1)
  }

  @Test func `termination is announced to the delegate and to observers`() {
    let delegate = AppDelegate()
    UIApplication.shared.delegate = delegate
    UIApplication.shared.applicationState = .background
    let isPosted = Mutex(false)
    let observer = NotificationCenter.default.addObserver(
      forName: UIApplication.willTerminateNotification, object: nil, queue: nil
    ) { _ in isPosted.withLock { $0 = true } }
    defer { NotificationCenter.default.removeObserver(observer) }

    UIApplication.shared.willTerminate()

    #expect(delegate.heard == ["will terminate"] && isPosted.withLock { $0 })
  }

  private static let task = AppInterface.Task(
    task: 1, key: "", direction: .download, method: "GET", url: "http://films.example/1", headers: [], label: "",
    priority: 0.5, state: .ended, count: 4)
}

extension Call {
  /// What an opening says of the session's events.
  fileprivate var handlesEvents: Bool? {
    guard case .openSession(let asked) = self else { return nil }
    return asked.options?.handlesEvents
  }
}

/// An app delegate that writes down what it hears.
private final class AppDelegate: UIResponder, UIApplicationDelegate {
  var heard: [String] = []
  let recorder = Recorder()
  var sessions: [URLSession] = []
  var onEvents: (String) -> Void = { _ in }
  private var handler: (() -> Void)?
  private let (events, feed) = AsyncStream<String>.makeStream()

  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    heard.append("will finish \(application.applicationState)")
    return true
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    heard.append("did finish \(application.applicationState)")
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    heard.append("active \(application.applicationState)")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    heard.append("background \(application.applicationState)")
  }

  func applicationWillTerminate(_ application: UIApplication) { heard.append("will terminate") }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    heard.append("events \(identifier) \(application.applicationState)")
    handler = completionHandler
    onEvents(identifier)
    feed.yield(identifier)
  }

  func finish() { handler?() }

  /// Waits until the events call has come.
  func untilEvents() async {
    for await _ in events { return }
  }
}

/// An app delegate with the asynchronous form of the events call.
private final class AsyncDelegate: UIResponder, UIApplicationDelegate {
  var heard: [String] = []
  /// Runs when the method has begun.
  var onEvents: () -> Void = {}
  private let (events, feed) = AsyncStream<String>.makeStream()

  func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {
    heard.append(identifier)
    onEvents()
    feed.yield(identifier)
  }

  func untilEvents() async {
    for await _ in events { return }
  }
}
