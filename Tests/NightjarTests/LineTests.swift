import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

/// What becomes of calls when the daemon says that it knows nothing of whoever makes them.
@Suite(.blocking) struct LineTests {
  let world = World()

  @Test(arguments: [Refusal.notAttached, .sessionNotOpen])
  func `a call that is refused because the daemon has forgotten us is repeated over the next line`(
    refusal: Refusal
  ) throws {
    let link = world.newLife()
    let session = world.session(of: link, Recorder())
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true && $0.calls.calls.isEmpty }
    world.daemon.refuse(with: refusal) { $0.isEnqueue }

    session.downloadTask(with: World.film).resume()
    world.daemon.passPause()
    world.daemon.waitForCalls(2) { $0.isEnqueue }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(Set(world.daemon.enqueued.map(\.key)).count == 1 && world.daemon.enqueued.count == 2)
    #expect(try Outbox(at: world.folder + "/sessions/session-films/outbox").entries.isEmpty)
  }

  @Test func `whoever waits for an answer gets his own after the daemon has forgotten us`() async throws {
    let link = world.newLife()
    _ = link.attach()
    world.daemon.refuse(with: .notAttached) { if case .submit = $0 { true } else { false } }
    let first = elsewhere { link.submit(.init(identifier: "first", kind: .refresh)) }
    world.daemon.passPause()
    let isTaken = if case .done? = try await first.value { true } else { false }

    let list = await withCheckedContinuation { told in link.listRequests { told.resume(returning: $0) } }

    #expect(isTaken && list.map(\.identifier) == ["first"])
  }

  @Test func `a task that was asked for with a session that is refused fails, and the line stays`() {
    let world = World(daemon: HandDaemon(isUp: false))
    let delegate = Recorder()
    let link = world.newLife()
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.refuse(with: .limitReached(what: "sessions of one app", limit: 1)) { $0.isOpening }
    world.daemon.refuse(with: .sessionNotOpen) { $0.isEnqueue }
    world.daemon.holdAnswers { $0.isOpening }

    world.daemon.comeBack()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.releaseAnswers()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(delegate.wait(for: 2) == ["1 failed -1008", "invalid -1008"])
    #expect(link.state.withLock { $0.phase } == .up)
  }
}
