import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// The real transport over a real socket.
@Suite(.blocking) struct SocketTests {
  let world = World()

  @Test func `a download goes over the socket and comes back`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let delegate = Recorder()
    let session = world.session(of: link(daemon), delegate)

    session.downloadTask(with: World.film).resume()
    daemon.wait(for: "enqueue 1")
    daemon.say(.init(progressed: .init(session: "films", task: 1, count: 2, expected: 4)))
    daemon.say(.init(ended: try world.end(3, task: 1, text: "film")))
    daemon.wait(for: "acknowledge 3")

    #expect(delegate.heard == ["1 wrote 2 to 2 of 4", "1 wrote 2 to 4 of 4", "1 file film", "1 done"])
    #expect(daemon.attached == [AppInterface.Program(name: "films", relaunch: ["/bin/films"])])
    #expect(daemon.queued[1]?.url == "http://films.example/1")
  }

  @Test func `a daemon that comes back is found, and gets what it missed`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let delegate = Recorder()
    let session = world.session(of: link(daemon), delegate)
    session.downloadTask(with: World.film).resume()
    daemon.wait(for: "enqueue 1")

    daemon.stop()
    for _ in 2...5 { session.downloadTask(with: World.film).resume() }
    try daemon.start()
    for task in 2...5 { daemon.wait(for: "enqueue \(task)") }
    daemon.say(.init(ended: try world.end(3, task: 5, text: "film")))

    #expect(delegate.wait(for: 3).last == "5 done")
  }

  @Test func `what the daemon refuses is told as an error`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let delegate = Recorder()
    let session = world.session(of: link(daemon), delegate)

    session.downloadTask(with: URL(string: "http://refused.example/")!).resume()

    #expect(delegate.wait(for: 1) == ["1 failed -1000"])
    #expect(delegate.failures.first?.localizedDescription == "not today")
  }

  @Test func `a session that the daemon gives to another is refused in the end`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let delegate = Recorder()

    _ = world.session(of: link(daemon), delegate, identifier: "taken")

    #expect(delegate.wait(for: 1) == ["invalid -996"])
  }

  @Test func `a task whose description is too long fails, and what follows does not`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let delegate = Recorder()
    let session = world.session(of: link(daemon), delegate)
    let long = session.downloadTask(with: World.film)
    long.taskDescription = String(repeating: "x", count: 17 << 20)

    long.resume()
    session.downloadTask(with: World.film).resume()

    #expect(delegate.wait(for: 1) == ["1 failed -1103"])
    daemon.wait(for: "enqueue 2")
    #expect(daemon.queued[1] == nil)
  }

  @Test func `what no message has room for is refused, and costs neither the line nor what follows`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let session = world.session(of: link(daemon), Recorder())
    let long = session.downloadTask(with: World.film)
    long.resume()
    daemon.wait(for: "enqueue 1")

    long.taskDescription = String(repeating: "x", count: 17 << 20)
    session.downloadTask(with: World.film).resume()

    daemon.wait(for: "enqueue 2")
    #expect(daemon.attached.count == 1)
  }

  private func link(_ daemon: SocketDaemon) -> Link {
    var place = world.place
    place.socket = DaemonSocket(own: daemon.socket)
    place.program = AppInterface.Program(name: "films", relaunch: ["/bin/films"])
    return Link(place: place, transport: VarlinkTransport(place: place), patience: .seconds(60))
  }
}
