import Foundation
import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// What a later life of the app finds.
@Suite(.blocking) struct LifeTests {
  let world = World()

  @Test func `a re-created session has the running tasks of the earlier life`() async throws {
    world.daemon.remember([task(3), task(4, state: .suspended), task(7, direction: .upload)], of: "films", nextTask: 9)

    let session = world.session(of: world.newLife(), Recorder())
    let tasks = await session.allTasks

    #expect(tasks.map(\.taskIdentifier) == [3, 4, 7])
    #expect(tasks.map(\.state) == [.running, .suspended, .running])
    #expect(tasks.map(\.taskDescription) == ["film 3", "film 4", "film 7"])
    #expect(tasks[0].originalRequest?.value(forHTTPHeaderField: "Accept") == "video/mp4")
    #expect(tasks[0].countOfBytesReceived == 10)
    #expect(tasks[2] is URLSessionUploadTask)
    let (data, uploads, downloads) = await session.tasks
    #expect((data.count, uploads.count, downloads.count) == (0, 1, 2))
  }

  @Test func `a running task of the earlier life shows how far it is`() async throws {
    world.daemon.remember([task(3, expected: 40)], of: "films", nextTask: 4)

    let found = try #require(await world.session(of: world.newLife(), Recorder()).allTasks.first)

    #expect(found.countOfBytesReceived == 10 && found.countOfBytesExpectedToReceive == 40)
    #expect(found.progress.completedUnitCount == 10 && found.progress.totalUnitCount == 40)
  }

  @Test(arguments: [true, false])
  func `a later life knows when a task may begin, and what it is guessed to move`(isAccepted: Bool) async throws {
    let world = World(daemon: HandDaemon(isUp: isAccepted))
    let first = world.newLife()
    let task = world.session(of: first, Recorder()).downloadTask(with: World.film)
    task.earliestBeginDate = Date(timeIntervalSince1970: 2_000_000_000)
    (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) = (7, 1 << 20)
    task.resume()
    if isAccepted { world.daemon.waitUntil(first) { $0.calls.calls.isEmpty } }
    first.die()

    world.daemon.comeBackQuietly()
    let found = try #require(await world.session(of: world.newLife(), Recorder()).allTasks.first)

    #expect(found.earliestBeginDate == Date(timeIntervalSince1970: 2_000_000_000))
    #expect(found.countOfBytesClientExpectsToSend == 7 && found.countOfBytesClientExpectsToReceive == 1 << 20)
  }

  @Test func `what ended meanwhile is told to the new life once its tasks are known`() throws {
    world.daemon.remember([task(1, state: .ended), task(2)], of: "films", nextTask: 3)
    world.daemon.end(try world.end(5, task: 1, text: "hello"), now: false)
    let delegate = Recorder()

    _ = world.session(of: world.newLife(), delegate)
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 wrote 5 to 5 of 5", "1 file hello", "1 done"])
  }

  @Test func `a task that failed meanwhile has its response and its counts, and no call tells of them`() async throws {
    world.daemon.remember([task(1, state: .ended)], of: "films", nextTask: 2)
    world.daemon.end(
      .init(
        number: 5, session: "films", task: 1, count: 7, expected: 10, response: World.response,
        failure: .init(code: "resourceTimedOut", detail: "it took long")),
      now: false)
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let delegate = Recorder { _ in gate.wait() }

    let session = world.session(of: world.newLife(), delegate)
    let heard = delegate.wait(for: 1)
    let task = try #require(await session.allTasks.first)

    #expect(heard == ["1 failed -1001"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.countOfBytesReceived == 7 && task.countOfBytesExpectedToReceive == 10)
    #expect(task.progress.completedUnitCount == 7 && task.progress.totalUnitCount == 10)
  }

  @Test func `what was not acknowledged is told again in the next life`() throws {
    let crash = DispatchSemaphore(value: 0)
    let first = Recorder { if $0.hasPrefix("1 file") { crash.wait() } }
    let life = world.newLife()
    world.session(of: life, first).downloadTask(with: World.film).resume()
    world.daemon.end(try world.end(5, task: 1, text: "hello"))
    first.wait(for: 2)
    life.die()

    let second = Recorder()
    _ = world.session(of: world.newLife(), second)
    second.wait(for: 3)
    crash.signal()

    #expect(second.heard == ["1 wrote 5 to 5 of 5", "1 file hello", "1 done"])
  }

  @Test func `task identifiers go on from the daemon's`() {
    world.daemon.remember([], of: "films", nextTask: 42)

    let session = world.session(of: world.newLife(), Recorder())

    #expect(session.downloadTask(with: World.film).taskIdentifier == 42)
    #expect(session.downloadTask(with: World.film).taskIdentifier == 43)
  }

  @Test func `task identifiers are not used again without a daemon, not even those of tasks never resumed`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    let session = world.session(of: first, Recorder())
    #expect(session.downloadTask(with: World.film).taskIdentifier == 1)
    session.downloadTask(with: World.film).resume()
    first.die()

    let next = world.session(of: world.newLife(), Recorder())

    #expect(next.downloadTask(with: World.film).taskIdentifier == 3)
  }

  @Test func `task identifiers go on after the outbox when the record of numbers is lost`() throws {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    let session = world.session(of: first, Recorder())
    for _ in 1...3 { session.downloadTask(with: World.film).resume() }
    first.die()
    try FileManager.default.removeItem(atPath: world.folder + "/sessions/session-films/numbers")

    let next = world.session(of: world.newLife(), Recorder())

    #expect(next.downloadTask(with: World.film).taskIdentifier == 4)
  }

  @Test func `a record of numbers that are used up ends no process: the daemon refuses the tasks`() async {
    await #expect(processExitsWith: .success) {
      let world = World()
      let first = world.newLife()
      _ = world.session(of: first, Recorder())
      first.die()
      let numbers = URL(fileURLWithPath: world.folder + "/sessions/session-films/numbers")
      try Data("\(Int.max)\n".utf8).write(to: numbers)
      let delegate = Recorder()
      let session = world.session(of: world.newLife(), delegate)

      let tasks = [session.downloadTask(with: World.film), session.downloadTask(with: World.film)]
      for task in tasks {
        world.daemon.refuse(with: .invalidRequest(field: "task", reason: "too great a number")) { $0.isEnqueue }
        task.resume()
      }
      delegate.wait(for: 2)

      #expect(tasks.map(\.taskIdentifier) == [2_147_483_648, 2_147_483_649])
      let words = delegate.failures.compactMap { ($0 as? URLError)?.localizedDescription }
      #expect(words == ["task: too great a number", "task: too great a number"])
    }
  }

  @Test func `tasks of a refused session that are made at one moment have numbers of their own`() {
    let (holder, link) = (world.newLife(), world.newLife())
    _ = world.session(of: holder, Recorder())
    let session = world.session(of: link, Recorder())

    let numbers = [link.newTask(of: session), link.newTask(of: session)].map(\.identifier)  // Neither is kept yet.

    #expect(numbers == [1, 2])
  }

  @Test func `a session that another process of the app has is refused`() throws {
    let holder = world.newLife()
    _ = world.session(of: holder, Recorder())
    let delegate = Recorder()

    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    delegate.wait(for: 2)

    #expect(Set(delegate.heard) == ["invalid -996", "1 failed -996"])
    #expect((delegate.failures.first as? URLError)?.code == .backgroundSessionInUseByAnotherProcess)
    holder.die()
  }

  @Test func `a task that is resumed after its session was refused still ends`() {
    let holder = world.newLife()
    _ = world.session(of: holder, Recorder())
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    delegate.wait(for: 1)

    session.downloadTask(with: World.film).resume()

    #expect(delegate.wait(for: 2) == ["invalid -996", "1 failed -996"])
    holder.die()
  }

  @Test func `a session that the daemon keeps refusing is refused in the end`() throws {
    for _ in 1...LinkLimits.openingsMax { world.daemon.refuse(with: .sessionInUse(pid: 7)) { $0.isOpening } }
    let delegate = Recorder()

    _ = world.session(of: world.newLife(), delegate)
    for _ in 1..<LinkLimits.openingsMax { world.daemon.passPause() }

    #expect(delegate.wait(for: 1) == ["invalid -996"])
  }

  @Test func `a session that a dead process still seemed to have is opened after all`() async throws {
    world.daemon.refuse(with: .sessionInUse(pid: 7)) { $0.isOpening }
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)
    task.resume()

    world.daemon.passPause()
    world.daemon.waitForCalls { $0.isEnqueue }

    #expect(await session.allTasks == [task])
  }

  @Test func `a second session of the same name is a second handle on the first`() throws {
    let (first, second) = (Recorder(), Recorder())
    let life = world.newLife()
    _ = world.session(of: life, first)

    let again = world.session(of: life, second)
    again.downloadTask(with: World.film).resume()
    world.daemon.end(try world.end(1, task: 1, text: "x"))

    #expect(first.wait(for: 3).last == "1 done")
    #expect(second.heard.isEmpty && again.delegate === first)
  }

  private func task(
    _ number: Int64, direction: WireDirection = .download, state: AppInterface.Task.State = .running,
    expected: Int64? = nil
  ) -> AppInterface.Task {
    AppInterface.Task(
      task: number, key: "", direction: direction, method: "GET", url: World.film.absoluteString,
      headers: [WireHeader(name: "Accept", value: "video/mp4")], label: "film \(number)", priority: 0.5, state: state,
      count: 10, expected: expected)
  }
}
