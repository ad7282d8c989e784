import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// Launch handlers that submit their own identifier again, and daemons that come and go meanwhile. One suite with the
/// launches, like the other tasks.
extension WakeTests {
  @Test func `a request submitted anew while its task runs is run after it, even by a daemon that has come meanwhile`()
    async throws
  {
    let stage = TidyStage()
    await stage.run([.task(.tidy(1))])
    try stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))

    await stage.run([.task(.tidy(2)), .task(.tidy(3))])
    let meanwhile = stage.begun.count
    for place in 0...1 {
      stage.begun[place].setTaskCompleted(success: place == 0)
      await stage.run([])
    }

    #expect(meanwhile == 1 && stage.begun.count == 2)
    #expect(await stage.ends(2) == [.init(number: 1, success: true), .init(number: 3, success: false)])
  }

  @Test func `a task whose request was submitted anew in vain goes on when a later daemon asks for it`() async {
    let stage = TidyStage()
    await stage.run([.task(.tidy(1))])
    stage.world.daemon.refuse(with: .limitReached(what: "requests", limit: 10)) { $0.submitted != nil }
    #expect(throws: BGTaskScheduler.Error.self) {
      try stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))
    }

    await stage.run([.task(.tidy(2))])
    stage.begun[0].setTaskCompleted(success: true)

    #expect(stage.begun.count == 1)
    #expect(await stage.ends(1) == [.init(number: 2, success: true)])
  }

  @Test(arguments: [false, true])
  func `a request submitted anew while its task has yet to begin is run after it, unless it was refused`(
    isRefused: Bool
  ) async {
    let stage = TidyStage()
    stage.scheduler.arrived(.tidy(1))
    if isRefused {
      stage.world.daemon.refuse(with: .limitReached(what: "requests", limit: 10)) { $0.submitted != nil }
    }
    try? stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))

    await stage.run([.task(.tidy(1)), .task(.tidy(2))])
    let meanwhile = stage.begun.count
    stage.begun[0].setTaskCompleted(success: true)
    await stage.run([])

    #expect(meanwhile == 1 && stage.begun.count == (isRefused ? 1 : 2))
    #expect(await stage.ends(1) == [.init(number: isRefused ? 2 : 1, success: true)])
  }

  @Test func `a request submitted anew is run at the latest when its own time is nearly up, and ends the former task`()
    async throws
  {
    let stage = TidyStage()
    await stage.run([.task(.tidy(1))])
    let first = stage.begun[0]
    first.expirationHandler = { first.setTaskCompleted(success: false) }
    try stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))

    await stage.run([.task(.tidy(2)), .expiry(number: 2)])

    #expect(stage.begun.count == 2)
    #expect(await stage.ends(2) == [.init(number: 1, success: false), .init(number: 2, success: false)])
  }

  @Test func `a request submitted anew while another waits for a task's end is run after both`() async throws {
    let stage = TidyStage()
    await stage.run([.task(.tidy(1))])
    try stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))
    await stage.run([.task(.tidy(2))])
    try stage.scheduler.submit(BGProcessingTaskRequest(identifier: "tidy"))

    stage.begun[0].setTaskCompleted(success: true)
    await stage.run([])
    await stage.run([.task(.tidy(3))])
    stage.begun[1].setTaskCompleted(success: true)
    await stage.run([])

    #expect(stage.begun.count == 3)
    #expect(await stage.ends(2) == [.init(number: 1, success: true), .init(number: 2, success: true)])
  }
}

/// An app with a launch handler, and its daemon.
@MainActor private struct TidyStage {
  let world = World(daemon: HandDaemon(isBackground: true))
  let scheduler: BGTaskScheduler
  private let link: Link
  private let kept = Kept<[BGTask]>()

  init() {
    let link = world.newLife()
    self.link = link
    scheduler = BGTaskScheduler(permitted: ["tidy"]) { link }
    scheduler.register(forTaskWithIdentifier: "tidy", using: .main) { [kept] in kept.value = (kept.value ?? []) + [$0] }
    _ = link.attach()
  }

  /// The tasks with which the handler was called.
  var begun: [BGTask] { kept.value ?? [] }

  /// The app is told this, and does at once what follows from it.
  func run(_ errands: [Errand]) async {
    for errand in errands { UIApplication.shared.run(errand, scheduler: scheduler, link: link) }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  /// What the daemon hears of the ends of tasks, once it has heard of so many.
  func ends(_ count: Int) async -> [AppInterface.FinishTask.Parameters] {
    await world.daemon.untilCalls(count) { $0.end != nil }.compactMap(\.end)
  }
}
