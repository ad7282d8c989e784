import Foundation
import Patience
import TestThreads
import Testing

@testable import Nightjar

/// What an app does with the queue on which its delegates are called.
@Suite(.blocking) struct DelegateQueueTests {
  private let world = World()

  @Test func `each event is told and acknowledged though the app cancels all operations on its queue`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.delegateQueue.isSuspended = true
    for number in 1...2 {
      session.downloadTask(with: World.film).resume()
      world.daemon.end(try world.end(Int64(number), task: number, text: "x"))
    }
    world.daemon.waitUntil(session.link) { $0.held.count == 2 && $0.sessions["films"]?.isTelling == true }
    world.daemon.hush()

    session.delegateQueue.cancelAllOperations()
    session.delegateQueue.isSuspended = false
    world.daemon.waitForCalls { $0.acknowledged == [2] }

    #expect(delegate.heard == (1...2).flatMap { ["\($0) wrote 1 to 1 of 1", "\($0) file x", "\($0) done"] })
    #expect(world.daemon.calls.flatMap(\.acknowledged) == [1, 2])
  }

  @Test func `a session in this process ends though the app cancels all operations on its queue`() async throws {
    let queue = OperationQueue()
    (queue.maxConcurrentOperationCount, queue.isSuspended) = (1, true)
    let listener = Listener(queue: queue)
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: queue)
    session.dataTask(with: World.film).cancel()
    session.finishTasksAndInvalidate()

    queue.cancelAllOperations()
    queue.isSuspended = false
    try await eventually("the session ends") { listener.heard.last == "invalid" }

    #expect(listener.heard == ["1 created", "failed -999", "invalid"])
  }
}
