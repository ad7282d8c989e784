import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// What can still be asked when the app's disk takes nothing more.
@Suite(.blocking) struct NoRoomTests {
  let world = World()

  @Test func `a task can be suspended and cancelled, and a session ended`() throws {
    let disk = try FullDisk(at: world.folder + "/sessions/session-films/outbox")
    let (link, delegate) = (world.newLife(), Recorder())
    let session = world.session(of: link, delegate)
    let task = session.downloadTask(with: World.film)
    task.resume()
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true && $0.calls.calls.isEmpty }
    disk.fill()

    task.suspend()
    task.resume()
    task.cancel()
    let meanwhile = delegate.heard
    session.invalidateAndCancel()

    #expect(delegate.wait(for: 2) == ["1 failed -999", "invalid 0"])
    #expect(meanwhile == [])
    let wishes = world.daemon.calls.filter { $0.isSuspension || $0.isResumption || $0.isCancel || $0.isClosing }
    #expect(
      wishes == [
        .suspend(.init(session: "films", task: 1)), .resume(.init(session: "films", task: 1)),
        .cancel(.init(session: "films", task: 1)), .closeSession(.init(session: "films", cancel: true)),
      ])
  }

  @Test func `a task that the disk cannot remember fails with the reason`() throws {
    let disk = try FullDisk(at: world.folder + "/sessions/session-films/outbox")
    let (link, delegate) = (world.newLife(), Recorder())
    let session = world.session(of: link, delegate)
    disk.fill()

    session.downloadTask(with: World.film).resume()

    #expect(delegate.wait(for: 1) == ["1 failed -3003"])
    #expect(world.daemon.enqueued.isEmpty)
  }

  @Test func `a task that the disk cannot number fails with the reason, and has a number of its own`() throws {
    let disk = try FullDisk(at: world.folder + "/sessions/session-films/numbers")
    disk.fill()
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)

    let tasks = [session.downloadTask(with: World.film), session.uploadTask(with: .post(), from: Data([1]))]
    for task in tasks { task.resume() }

    #expect(Set(delegate.wait(for: 2)) == ["1 failed -3003", "2 failed -3003"])
    #expect(world.daemon.enqueued.isEmpty)
  }
}
