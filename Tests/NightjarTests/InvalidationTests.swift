import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

@Suite(.blocking) struct InvalidationTests {
  let world = World()

  @Test func `a cancelled session ends its tasks and then itself`() {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    _ = session.downloadTask(with: World.film)

    session.invalidateAndCancel()

    #expect(delegate.wait(for: 3) == ["1 failed -999", "2 failed -999", "invalid 0"])
    #expect(world.daemon.calls.last == .closeSession(.init(session: "films", cancel: true)))
    session.delegateQueue.waitUntilAllOperationsAreFinished()
    #expect(session.delegate == nil)
  }

  @Test(arguments: [true, false])
  func `a download whose file went with its cancelled session ends as cancelled`(isHeldBack: Bool) throws {
    let (link, delegate) = (world.newLife(), Recorder())
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    session.delegateQueue.isSuspended = true
    let event = try world.end(1, task: 1, text: "x")
    world.daemon.end(event)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isTelling == true }
    if isHeldBack { world.daemon.holdAnswers { $0.isClosing } }

    session.invalidateAndCancel()
    if !isHeldBack { world.daemon.waitUntil(link) { $0.sessions["films"]?.stage == .invalid } }
    unlink(try #require(event.file?.path))
    session.delegateQueue.isSuspended = false
    delegate.wait(for: 1)
    world.daemon.releaseAnswers()

    #expect(delegate.wait(for: 2) == ["1 failed -999", "invalid 0"])
    #expect(!world.daemon.calls.contains { $0.isDamage })
  }

  @Test func `a finishing session waits for its last task`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()

    session.finishTasksAndInvalidate()
    world.daemon.end(try world.end(1, task: 1, text: "x"))

    #expect(delegate.wait(for: 4).suffix(2) == ["1 done", "invalid 0"])
    #expect(world.daemon.calls.last == .closeSession(.init(session: "films", cancel: false)))
  }

  @Test func `a session that has ended leaves nothing in the container, and one of its name takes none of its numbers`()
  {
    let (link, delegate) = (world.newLife(), Recorder())
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()

    session.invalidateAndCancel()
    delegate.wait(for: 2)
    session.delegateQueue.waitUntilAllOperationsAreFinished()
    let left = [world.place.sessions, world.place.temporary].flatMap {
      ((try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? ["no folder"]).filter { $0 != "notifications" }
    }
    let next = world.session(of: link, Recorder()).downloadTask(with: World.film)

    #expect(left == [])
    #expect(next.taskIdentifier == 2)
  }

  @Test func `a session that was closed can be created again`() throws {
    let link = world.newLife()
    let first = Recorder()
    let session = world.session(of: link, first)
    session.invalidateAndCancel()
    first.wait(for: 1)
    session.delegateQueue.waitUntilAllOperationsAreFinished()

    let second = Recorder()
    world.session(of: link, second).downloadTask(with: World.film).resume()
    world.daemon.end(try world.end(1, task: 1, text: "x"))

    #expect(second.wait(for: 3).last == "1 done")
  }

  @Test func `a task that is resumed after its session was cancelled is loaded by nobody, nor in a later life`() throws
  {
    let world = World(daemon: HandDaemon(isUp: false))
    let (first, second) = (Recorder(), Recorder())
    let session = world.session(of: world.newLife(), first)
    let task = session.downloadTask(with: World.film)
    session.invalidateAndCancel()
    task.resume()

    world.daemon.comeBack()
    let told = first.wait(for: 2)
    session.delegateQueue.waitUntilAllOperationsAreFinished()
    let next = world.session(of: world.newLife(), second)
    world.daemon.waitForCalls(2, \.isListing)

    #expect(told == ["1 failed -999", "invalid 0"])
    #expect(world.daemon.enqueued.isEmpty)
    withExtendedLifetime(next) {}
  }

  @Test func `a session may be created again while its delegate is told that it has ended`() throws {
    let (link, second, again) = (world.newLife(), Recorder(), Kept<URLSession>())
    let first = Recorder { [world] line in
      if line.hasPrefix("invalid") { again.value = world.session(of: link, second) }
    }
    let ended = world.session(of: link, first)
    ended.invalidateAndCancel()
    first.wait(for: 1)
    ended.delegateQueue.waitUntilAllOperationsAreFinished()

    let session = try #require(again.value)
    session.downloadTask(with: World.film).resume()
    ended.invalidateAndCancel()  // As a delegate's deinit may: it is the old one's no more.
    world.daemon.end(try world.end(1, task: 1, text: "x"))

    #expect(second.wait(for: 3).last == "1 done")
    #expect(session.delegate === second && ended.delegate == nil)
  }

  @Test func `what the app was woken for ends with the session, though one of its name is there again`() throws {
    let (link, again, wakes) = (world.newLife(), Kept<URLSession>(), Kept<Int>())
    link.onWake { _ in wakes.value = (wakes.value ?? 0) + 1 }
    let first = Recorder { [world] line in
      if line.hasPrefix("invalid") { again.value = world.session(of: link, Recorder()) }
    }
    let ended = world.session(of: link, first)
    world.daemon.waitUntil(link) { $0.phase == .up }
    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.waitUntil(link) { $0.wakes["films"] != nil }
    link.called("films")
    ended.invalidateAndCancel()
    first.wait(for: 1)
    ended.delegateQueue.waitUntilAllOperationsAreFinished()

    link.handled("films")
    world.daemon.waitForCalls { $0.isFinish }
    world.daemon.say(.handleEvents(session: "films"))
    world.daemon.waitUntil(link) { $0.wakes["films"] != nil }
    world.daemon.hush()

    #expect(world.daemon.calls.filter(\.isFinish).count == 1)
    #expect(wakes.value == 2)
    withExtendedLifetime(again.value) {}
  }

  @Test func `a delegate that goes with its session may call the session`() {
    let (kept, isGone) = (Kept<URLSession>(), DispatchSemaphore(value: 0))
    let session = world.session(
      of: world.newLife(),
      Mayfly {
        kept.value?.invalidateAndCancel()
        isGone.signal()
      })
    kept.value = session

    session.invalidateAndCancel()

    #expect(isGone.wait(timeout: .now() + 60) == .success)
    #expect(session.delegate == nil)
  }

  @Test func `a task's own delegate is let go once its end was told`() throws {
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)
    task.delegate = Recorder()
    task.resume()

    world.daemon.end(try world.end(11, task: 1, text: "film"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(task.delegate == nil)
  }

  @Test func `a second handle ends with its session, and touches none that is created afterwards`() throws {
    let (link, isGone) = (world.newLife(), DispatchSemaphore(value: 0))
    let first = world.session(of: link, Mayfly { isGone.signal() })
    let second = world.session(of: link, Recorder())
    first.invalidateAndCancel()
    #expect(isGone.wait(timeout: .now() + 60) == .success)

    let delegate = Recorder()
    let third = world.session(of: link, delegate)
    let task = third.downloadTask(with: World.film)
    task.resume()
    second.invalidateAndCancel()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.end(try world.end(1, task: task.taskIdentifier, text: "x"))

    #expect(second.delegate == nil)
    #expect(delegate.wait(for: 3).last == "\(task.taskIdentifier) done")
  }

  @Test func `a delegate that goes with the life of its app may call the library`() {
    let (link, isGone) = (world.newLife(), DispatchSemaphore(value: 0))
    _ = world.session(
      of: link,
      Mayfly {
        _ = link.session("films")
        isGone.signal()
      })
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }

    link.retire()

    #expect(isGone.wait(timeout: .now() + 60) == .success)
  }

  @Test func `a refused session's delegate may ask for the session that is created in its place`() {
    let (link, isGone) = (world.newLife(), DispatchSemaphore(value: 0))
    world.daemon.refuse(with: .limitReached(what: "sessions of one app", limit: 1)) { $0.isOpening }
    _ = world.session(
      of: link,
      Mayfly {
        _ = link.session("films")
        isGone.signal()
      })
    world.daemon.waitUntil(link) { $0.sessions["films"]?.refusal != nil }

    let session = world.session(of: link, Recorder())

    #expect(isGone.wait(timeout: .now() + 60) == .success)
    #expect(link.session("films") === session)
  }

  @Test func `whoever asks for the tasks of a session that ends before they are known is answered`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let session = world.session(of: world.newLife(), Recorder())
    session.downloadTask(with: World.film).resume()
    let isAnswered = DispatchSemaphore(value: 0)
    session.getAllTasks { _ in isAnswered.signal() }

    session.invalidateAndCancel()
    world.daemon.refuse(with: .sessionNotOpen) { $0.isListing }
    world.daemon.comeBack()

    #expect(isAnswered.wait(timeout: .now() + 60) == .success)
  }

  @Test func `an end that the daemon never heard of cancels the tasks when the session is created again`() throws {
    let world = afterUnheardEnd()
    let again = world.session(of: world.newLife(), Recorder())
    world.daemon.waitForCalls { $0.isCancel }
    world.daemon.waitUntil(again.link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.enqueued.count == 1 && !world.daemon.calls.contains { $0.isClosing })
    #expect(try Outbox(at: world.folder + "/sessions/session-films/outbox").entries.isEmpty)
  }

  @Test func `an end that the daemon never heard of spares what the next life has asked for`() {
    let world = afterUnheardEnd()
    world.daemon.holdAnswers { $0.isListing }
    let again = world.session(of: world.newLife(), Recorder())
    let task = again.downloadTask(with: World.film)
    task.resume()
    world.daemon.waitForCalls { $0.isListing }
    world.daemon.releaseAnswers()
    world.daemon.waitForCalls { $0.isCancel }
    world.daemon.waitUntil(again.link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.calls.filter(\.isCancel) == [.cancel(.init(session: "films", task: 1))])
    #expect(task.taskIdentifier == 2 && task.state == .running)
  }

  /// A daemon is back after a life that queued a download and cancelled its session, of which nobody heard.
  private func afterUnheardEnd() -> World {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    let session = world.session(of: first, Recorder())
    session.downloadTask(with: World.film).resume()
    session.invalidateAndCancel()
    first.die()

    world.daemon.comeBackQuietly()
    return world
  }
}

/// A delegate that does something when nobody needs it any more.
private final class Mayfly: NSObject, URLSessionDelegate {
  private let atEnd: @Sendable () -> Void

  init(atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

  deinit { atEnd() }
}
