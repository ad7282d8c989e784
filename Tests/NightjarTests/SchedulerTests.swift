import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

/// Tasks that an app puts off. One suite with the launches: their end is the app's own matter.
extension WakeTests {
  @Test func `a name that is not declared is not registered`() {
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { World().newLife() }

    let isKnown = scheduler.register(forTaskWithIdentifier: "tidy", using: nil) { _ in }
    let isStrange = scheduler.register(forTaskWithIdentifier: "other", using: nil) { _ in }

    #expect(isKnown && !isStrange)
  }

  @Test func `registering twice, or after the launch, ends the process in Apple's words`() async {
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = BGTaskScheduler(permitted: ["tidy"]) { World().newLife() }
      for _ in 1...2 { scheduler.register(forTaskWithIdentifier: "tidy", using: nil) { _ in } }
    }
    let late = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await UIApplication.shared.launchIntoForeground()
      BGTaskScheduler.shared.register(forTaskWithIdentifier: "tidy", using: nil) { _ in }
    }

    let words = [twice, late].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
    #expect(words[0].contains("Launch handler for task with identifier tidy has already been registered"))
    #expect(words[1].contains("All launch handlers must be registered before application finishes launching"))
  }

  @Test func `requests are taken, replaced, listed as copies and cancelled`() async throws {
    let world = World()
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["news", "tidy"]) { link }
    let (news, tidy) = (BGAppRefreshTaskRequest(identifier: "news"), BGProcessingTaskRequest(identifier: "tidy"))
    news.earliestBeginDate = Date(timeIntervalSince1970: 1_900_000_000.5)
    (tidy.requiresExternalPower, tidy.requiresNetworkConnectivity) = (true, true)

    try scheduler.submit(BGAppRefreshTaskRequest(identifier: "news"))
    try scheduler.submit(news)
    try scheduler.submit(tidy)
    let pending = await scheduler.pendingTaskRequests()
    scheduler.cancel(taskRequestWithIdentifier: "tidy")
    let rest = await withCheckedContinuation { rest in
      scheduler.getPendingTaskRequests { rest.resume(returning: $0.map(\.identifier)) }
    }
    scheduler.cancelAllTaskRequests()
    let none = await scheduler.pendingTaskRequests()

    #expect(pending.map(\.identifier) == ["news", "tidy"] && rest == ["news"] && none.isEmpty)
    #expect(pending[0] is BGAppRefreshTaskRequest && pending[0].earliestBeginDate == news.earliestBeginDate)
    let listed = try #require(pending[1] as? BGProcessingTaskRequest)
    #expect(listed.requiresExternalPower && listed.requiresNetworkConnectivity && listed !== tidy)
    #expect((listed.copy() as? BGProcessingTaskRequest)?.requiresExternalPower == true)
  }

  @Test func `dates that no calendar has are asked for as its ends`() throws {
    let world = World()
    let scheduler = BGTaskScheduler(permitted: ["news"]) { [link = world.newLife()] in link }
    let request = BGAppRefreshTaskRequest(identifier: "news")

    for seconds in [Date.distantFuture.timeIntervalSince1970, -.infinity, .infinity, .nan] {
      request.earliestBeginDate = Date(timeIntervalSince1970: seconds)
      try scheduler.submit(request)
    }

    let asked = world.daemon.waitForCalls(4) { $0.submitted != nil }.map { $0.submitted?.earliestBegin }
    #expect(asked == [7_258_118_399_000, -2_208_988_800_000, 7_258_118_399_000, nil])
  }

  @Test(arguments: [
    (
      Refusal.limitReached(what: "requests to refresh", limit: 1), BGTaskScheduler.Error.Code.tooManyPendingTaskRequests
    ),
    (.notDeclared(mode: "fetch", hint: "nightjar capabilities a add fetch"), .notPermitted),
    (.other(name: "dev.nightjar.App.Strange"), .unavailable),
  ])
  func `what the daemon refuses is an error with Apple's code`(
    refusal: Refusal, code: BGTaskScheduler.Error.Code
  ) throws {
    let world = World()
    let scheduler = BGTaskScheduler(permitted: ["news"]) { [link = world.newLife()] in link }
    world.daemon.refuse(with: refusal) { $0.submitted != nil }

    let error = #expect(throws: BGTaskScheduler.Error.self) {
      try scheduler.submit(BGAppRefreshTaskRequest(identifier: "news"))
    }

    #expect(error?.code == code)
    #expect((error as NSError?)?.domain == BGTaskScheduler.errorDomain && (error as NSError?)?.code == code.rawValue)
    #expect(error?.localizedDescription.contains(refusal.complaint) == true)
    try scheduler.submit(BGAppRefreshTaskRequest(identifier: "news"))
  }

  @Test func `a name that is not declared, a person who has turned it off, and no daemon are refused here`() {
    let refresh = BGAppRefreshTaskRequest(identifier: "news")
    let (off, alone) = (World(), World(daemon: HandDaemon(isUp: false)))
    let link = off.newLife()
    _ = link.attach()
    off.daemon.say(.standing(.init(backgroundRefresh: false, alerts: true, sounds: true, badges: true, badge: 0)))
    off.daemon.waitUntil(link) { $0.notices.standing?.backgroundRefresh == false }

    let undeclared = Self.outcome { try BGTaskScheduler(permitted: []) { link }.submit(refresh) }
    let unwanted = Self.outcome { try BGTaskScheduler(permitted: ["news"]) { link }.submit(refresh) }
    let lonely = Self.outcome { try BGTaskScheduler(permitted: ["news"]) { alone.newLife() }.submit(refresh) }

    #expect([undeclared, unwanted, lonely] == ["not permitted", "unavailable", "unavailable"])
    #expect(!off.daemon.calls.contains { $0.submitted != nil })
  }

  @Test func `a request that the daemon had no time to answer is taken by the next`() async throws {
    let world = World()
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["news"]) { link }
    _ = link.attach()
    world.daemon.fallSilent()
    let submission = elsewhere { try scheduler.submit(BGAppRefreshTaskRequest(identifier: "news")) }
    await world.daemon.untilCalls { $0.submitted != nil }

    world.daemon.goAway()
    world.daemon.comeBack()

    try await submission.value
    #expect(await scheduler.pendingTaskRequests().map(\.identifier) == ["news"])
  }

  @Test func `without a daemon nothing is pending`() async {
    let daemon = HandDaemon(isUp: false)
    let link = World(daemon: daemon).newLife()
    let scheduler = BGTaskScheduler(permitted: ["news"]) { link }

    let first = await scheduler.pendingTaskRequests()
    let later = await withCheckedContinuation { later in
      scheduler.getPendingTaskRequests { later.resume(returning: $0.map(\.identifier)) }
    }

    #expect(first.isEmpty && later.isEmpty)
    #expect(link.state.withLock { $0.calls.calls.isEmpty }, "a daemon that comes later is not asked")
  }

  @Test func `whoever is told what is pending may submit at once`() async {
    let world = World()
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["news"]) { link }

    let outcome = await withCheckedContinuation { told in
      scheduler.getPendingTaskRequests { _ in
        told.resume(returning: Self.outcome { try scheduler.submit(BGAppRefreshTaskRequest(identifier: "news")) })
      }
    }

    #expect(outcome == "taken")
    #expect(await scheduler.pendingTaskRequests().map(\.identifier) == ["news"])
  }

  @Test func `a task runs on its queue, and its end is told once`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { link }
    let queue = DispatchQueue(label: "tidying")
    let kind = Kept<String>()
    scheduler.register(forTaskWithIdentifier: "tidy", using: queue) { task in
      dispatchPrecondition(condition: .onQueue(queue))
      kind.value = "\(task.identifier) \(task is BGProcessingTask)"
      task.setTaskCompleted(success: true)
      task.setTaskCompleted(success: false)
    }
    _ = link.attach()

    UIApplication.shared.run(.task(.tidy(5)), scheduler: scheduler, link: link)
    await world.daemon.untilCalls { $0.end != nil }
    queue.sync {}

    #expect(kind.value == "tidy true")
    #expect(world.daemon.calls.compactMap(\.end) == [.init(number: 5, success: true)])
  }

  @Test func `a task whose time is nearly up is told, and ends by itself if nobody listens`() async throws {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = Self.schedulerOfTwo(link)

    UIApplication.shared.run(.task(.tidy(1)), scheduler: scheduler, link: link)
    UIApplication.shared.run(.task(.news(2)), scheduler: scheduler, link: link)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    for number in [1, 2, 2, 3] as [Int64] {
      UIApplication.shared.run(.expiry(number: number), scheduler: scheduler, link: link)
    }

    let ends = await world.daemon.untilCalls(2) { $0.end != nil }.compactMap(\.end)
    #expect(
      ends.sorted { $0.number < $1.number } == [.init(number: 1, success: true), .init(number: 2, success: false)])
  }

  @Test func `a task that a later daemon asks for again goes on, and its end is told under the later number`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { link }
    let begun = Kept<[BGTask]>()
    scheduler.register(forTaskWithIdentifier: "tidy", using: .main) { begun.value = (begun.value ?? []) + [$0] }
    link.onErrand { _ in }
    _ = link.attach()
    world.daemon.say(.task(1, "tidy", .processing))
    world.daemon.waitUntil(link) { $0.errands.tasks == [1] }

    for number in 1...3 as ClosedRange<Int64> {
      UIApplication.shared.run(.task(.tidy(number)), scheduler: scheduler, link: link)
    }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    for task in begun.value ?? [] { task.setTaskCompleted(success: true) }

    let ends = await world.daemon.untilCalls { $0.end != nil }.compactMap(\.end)
    #expect(begun.value?.count == 1)
    #expect(ends == [.init(number: 3, success: true)])
    #expect(link.state.withLock { $0.errands.tasks.isEmpty })
  }

  @Test func `a later task expires where an earlier daemon's goes on`() async {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { link }
    scheduler.register(forTaskWithIdentifier: "tidy", using: .main) { task in
      task.expirationHandler = { task.setTaskCompleted(success: true) }
    }
    _ = link.attach()

    for number in 1...2 as ClosedRange<Int64> {
      UIApplication.shared.run(.task(.tidy(number)), scheduler: scheduler, link: link)
    }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    for number in 1...2 as ClosedRange<Int64> {
      UIApplication.shared.run(.expiry(number: number), scheduler: scheduler, link: link)
    }

    let ends = await world.daemon.untilCalls { $0.end != nil }.compactMap(\.end)
    #expect(ends == [.init(number: 2, success: true)])
  }

  @Test func `a task that was told that its time is up, and was never completed, keeps no later one from its handler`()
    async
  {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { link }
    let begun = Kept<Int>()
    scheduler.register(forTaskWithIdentifier: "tidy", using: .main) { task in
      begun.value = (begun.value ?? 0) + 1
      task.expirationHandler = {}
    }
    _ = link.attach()

    for errand in [.task(.tidy(1)), .expiry(number: 1), .task(.tidy(2))] as [Errand] {
      UIApplication.shared.run(errand, scheduler: scheduler, link: link)
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    #expect(begun.value == 2)
  }

  @Test func `what goes with an expiration handler may complete its task`() {
    let ends = Mutex<[Bool]>([])
    let finish: @Sendable (Bool) -> Void = { success in ends.withLock { $0.append(success) } }
    let tasks = (1...2).map { _ in BGTask("tidy", on: .global(), finish: finish) }
    for task in tasks {
      task.expirationHandler = { [holder = TaskHolder(task)] in withExtendedLifetime(holder) {} }
    }

    tasks[0].expirationHandler = nil
    tasks[1].setTaskCompleted(success: true)

    #expect(ends.withLock { $0 } == [false, true])
  }

  @Test func `what goes with a launch handler may call the scheduler`() {
    let scheduler = BGTaskScheduler(permitted: ["tidy"]) { World().newLife() }
    let isRegistered = Kept<Bool>()
    var holder: SchedulerHolder? = SchedulerHolder(scheduler) { isRegistered.value = $0 }
    scheduler.register(forTaskWithIdentifier: "tidy", using: nil) { [holder] _ in withExtendedLifetime(holder) {} }
    holder = nil

    scheduler.reopen(permitting: ["tidy"])

    #expect(isRegistered.value == true)
  }

  @Test(arguments: [false, true])
  func `what a daemon did not live to hear of the end of a fetch and a task is told to the next`(isSent: Bool) {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    link.onErrand { _ in }
    _ = link.attach()
    world.daemon.say(.sent(.fetch(number: 1, remaining: .seconds(30))))
    world.daemon.say(.task(2, "tidy"))
    world.daemon.waitUntil(link) { $0.errands.tasks == [2] }

    if isSent { world.daemon.fallSilent() } else { world.daemon.goAway() }
    world.daemon.waitUntil(link) { $0.phase == (isSent ? .up : .down) }
    link.finishFetch(1, .newData)
    link.finishTask(2, success: true)
    if isSent { world.daemon.goAway() }
    let before = world.daemon.calls.count
    world.daemon.comeBack()
    world.daemon.waitUntil(link) { $0.phase == .up && $0.calls.calls.isEmpty }

    #expect(
      world.daemon.calls.dropFirst(before) == [
        .finishFetch(.init(number: 1, outcome: .newData)), .finishTask(.init(number: 2, success: true)),
      ])
  }

  @Test func `a task for which nobody has registered fails`() {
    let world = World(daemon: HandDaemon(isBackground: true))
    let link = world.newLife()
    _ = link.attach()

    UIApplication.shared.run(.task(.news(9)), scheduler: BGTaskScheduler(permitted: ["news"]) { link }, link: link)

    #expect(world.daemon.waitForCalls { $0.end != nil }.compactMap(\.end) == [.init(number: 9, success: false)])
  }

  /// What comes of a submission, told apart as apps do.
  private static func outcome(_ submit: () throws -> Void) -> String {
    do {
      try submit()
      return "taken"
    } catch BGTaskScheduler.Error.notPermitted {
      return "not permitted"
    } catch BGTaskScheduler.Error.unavailable {
      return "unavailable"
    } catch { return "\(error)" }
  }
}

/// Completes a task when nobody needs it any more.
private final class TaskHolder: Sendable {
  private let task: BGTask

  init(_ task: BGTask) { self.task = task }

  deinit { task.setTaskCompleted(success: false) }
}

/// Registers when nobody needs it any more, and tells whether it could.
private final class SchedulerHolder: Sendable {
  private let scheduler: BGTaskScheduler
  private let tell: @Sendable (Bool) -> Void

  init(_ scheduler: BGTaskScheduler, tell: @escaping @Sendable (Bool) -> Void) {
    (self.scheduler, self.tell) = (scheduler, tell)
  }

  deinit { tell(scheduler.register(forTaskWithIdentifier: "tidy", using: nil) { _ in }) }
}

extension AppInterface.PerformTask {
  static func tidy(_ number: Int64) -> Self {
    .init(number: number, identifier: "tidy", kind: .processing, remainingMs: 600_000)
  }

  static func news(_ number: Int64) -> Self {
    .init(number: number, identifier: "news", kind: .refresh, remainingMs: 30_000)
  }
}

extension Call {
  /// The request that is submitted, if that is what is asked.
  var submitted: AppInterface.BackgroundRequest? {
    if case .submit(let asked) = self { asked.request } else { nil }
  }
}
