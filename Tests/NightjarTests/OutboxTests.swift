import Foundation
import NightjarModel
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// Nothing that was asked is lost or asked twice.
@Suite(.blocking) struct OutboxTests {
  let world = World()

  @Test func `a resumed task is in the socket when resume returns`() {
    let session = world.session(of: world.newLife(), Recorder()) { $0.timeoutIntervalForResource = 10 }
    let task = session.downloadTask(with: World.film)
    task.taskDescription = "a film"
    task.priority = 0.75

    task.resume()

    let order = world.daemon.enqueued.first
    #expect(order?.task == 1 && order?.url == "http://films.example/1" && order?.method == "GET")
    #expect(order?.label == "a film" && order?.priority == 0.75)
    #expect(order?.requestTimeoutMs == 60_000 && order?.resourceTimeoutMs == 10_000)
    #expect(order.map { RequestKey($0.key) } != nil)
    #expect(task.state == .running)
  }

  @Test(arguments: [Int.max, .max - 1, 0, -1])
  func `a line with a number that none can follow, or that is none, is left out`(entry: Int) throws {
    let world = World(daemon: HandDaemon(isUp: false))
    world.session(of: world.newLife(), Recorder()).downloadTask(with: World.film).resume()
    let path = world.folder + "/sessions/session-films/outbox"
    let line = Data("{\"entry\":\(entry)}\n".utf8)
    try (Data(contentsOf: URL(fileURLWithPath: path)) + line).write(to: URL(fileURLWithPath: path))

    #expect(try outbox(world).entries.count == 1)
  }

  @Test func `without a daemon a task waits in the outbox, and goes out in order with the same key`() throws {
    let world = World(daemon: HandDaemon(isUp: false))
    let session = world.session(of: world.newLife(), Recorder())
    for _ in 1...3 { session.downloadTask(with: World.film).resume() }
    let keys = try outbox(world).entries.compactMap { $0.call.enqueued?.key }

    world.daemon.comeBack()
    world.daemon.waitForCalls(3) { $0.isEnqueue }

    #expect(world.daemon.enqueued.map(\.task) == [1, 2, 3])
    #expect(world.daemon.enqueued.map(\.key) == keys)
  }

  @Test func `the outbox is replayed by the next life`() async throws {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    let session = world.session(of: first, Recorder())
    session.downloadTask(with: World.film).resume()
    let doomed = session.downloadTask(with: World.film)
    doomed.resume()
    doomed.cancel()
    first.die()
    let keys = try outbox(world).entries.compactMap { $0.call.enqueued?.key }

    world.daemon.comeBackQuietly()
    let again = world.session(of: world.newLife(), Recorder())
    world.daemon.waitForCalls { $0.isCancel }

    #expect(world.daemon.enqueued.map(\.key) == keys && keys.count == 2)
    let tasks = await again.allTasks
    #expect(tasks.map(\.taskIdentifier) == [1, 2])
    #expect(tasks.map(\.state) == [.running, .canceling])
  }

  @Test func `a call that was sent and not answered is repeated with the same key after a restart`() {
    let link = world.newLife()
    let session = world.session(of: link, Recorder())
    let task = session.downloadTask(with: World.film)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }
    world.daemon.fallSilent()
    task.resume()

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isEnqueue }

    #expect(Set(world.daemon.enqueued.map(\.key)).count == 1)
  }

  @Test func `an accepted call is struck out of the outbox and not repeated`() throws {
    let link = world.newLife()
    let session = world.session(of: link, Recorder())
    session.downloadTask(with: World.film).resume()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isOpening }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.enqueued.count == 1)
    #expect(try outbox(world).entries.isEmpty)
  }

  @Test func `a task whose end is told was accepted, even if the accept was lost`() throws {
    let link = world.newLife()
    let delegate = Recorder()
    let session = world.session(of: link, delegate)
    let task = session.downloadTask(with: World.film)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }
    world.daemon.fallSilent()
    task.resume()
    world.daemon.say(.ended(try world.end(1, task: 1, text: "x")))
    delegate.wait(for: 3)
    #expect(try outbox(world).entries.isEmpty)

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isOpening }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.enqueued.count == 1)
  }

  @Test func `an unanswered acknowledgement is repeated before sessions are opened again`() throws {
    let link = world.newLife()
    let delegate = Recorder()
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty && $0.sessions["films"]?.isListed == true }
    world.daemon.fallSilent()
    world.daemon.end(try world.end(9, task: 1, text: "x"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isOpening }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    let order = world.daemon.calls.filter { $0.isAcknowledgement || $0.isOpening }.suffix(2)
    #expect(order.first?.isAcknowledgement == true && order.count == 2)
    #expect(delegate.heard.count == 3)
  }

  @Test func `an event that a new daemon tells again while its delegate is busy is heard once`() throws {
    let gate = DispatchSemaphore(value: 0)
    let delegate = Recorder { if $0.hasPrefix("1 file") { gate.wait() } }
    let link = world.newLife()
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.end(try world.end(9, task: 1, text: "x"))
    delegate.wait(for: 2)

    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isOpen == true }
    gate.signal()
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(delegate.heard == ["1 wrote 1 to 1 of 1", "1 file x", "1 done"])
  }

  @Test func `a task that the daemon has lost ends as disconnected`() throws {
    let link = world.newLife()
    let delegate = Recorder()
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    world.daemon.goAway()
    world.daemon.forgetEverything()
    world.daemon.comeBack()

    #expect(delegate.wait(for: 1) == ["1 failed -997"])
  }

  @Test func `a task that is accepted between two pages of a listing is not taken for lost`() throws {
    let link = world.newLife()
    let delegate = Recorder()
    let session = world.session(of: link, delegate)
    let late = session.downloadTask(with: World.film)
    for _ in 1...3 { session.downloadTask(with: World.film).resume() }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    world.daemon.goAway()
    world.daemon.holdAnswers { $0.isListing }
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isListing }
    late.resume()
    world.daemon.releaseAnswers()
    world.daemon.waitForCalls(3) { $0.isListing }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    world.daemon.end(try world.end(1, task: 1, text: "film"))

    try #require(delegate.wait(for: 1).first == "1 wrote 4 to 4 of 4")
    #expect(delegate.wait(for: 3).suffix(2) == ["1 file film", "1 done"])
  }

  @Test func `a refused task ends with the error that the refusal means`() {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    world.daemon.refuse(with: .limitReached(what: "tasks", limit: 10)) { $0.isEnqueue }

    session.downloadTask(with: World.film).resume()

    #expect(delegate.wait(for: 1) == ["1 failed -1008"])
    #expect((delegate.failures.first as? URLError)?.failingURL == World.film)
  }

  @Test func `a torn last line of an outbox is dropped and the rest kept`() throws {
    let path = world.folder + "/outbox"
    var outbox = try Outbox(at: path)
    let first = try outbox.append(call(1), synced: false)
    _ = try outbox.append(call(2), synced: true)
    try outbox.strike(first)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(#"{"entry":3,"call":{"enq"#.utf8))

    var again = try Outbox(at: path)
    let third = try again.append(call(3), synced: false)

    #expect(again.entries.map(\.number) == [2, third])
    #expect(try Outbox(at: path).entries.map { $0.call.enqueued?.task } == [2, 3])
  }

  @Test func `an outbox whose entries are all struck out is empty`() throws {
    let path = world.folder + "/outbox"
    var outbox = try Outbox(at: path)
    for number in 1...3 { try outbox.strike(try outbox.append(call(Int64(number)), synced: number == 2)) }

    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }

  @Test func `an outbox that the disk has no room to write anew goes on as it is`() throws {
    let path = world.folder + "/outbox"
    symlink("/dev/full", path + ".new")
    var outbox = try Outbox(at: path)
    let long = String(repeating: "x", count: 64 << 10)
    let entries = try (1...70).map { try outbox.append(call($0, label: long), synced: false) }
    for entry in entries.dropLast() { try? outbox.strike(entry) }
    unlink(path + ".new")

    _ = try outbox.append(call(71), synced: true)

    #expect(try Outbox(at: path).entries.map { $0.call.enqueued?.task } == [70, 71])
  }

  private func call(_ task: Int64, label: String? = nil) -> Call {
    var order = AppInterface.NewTask(
      key: "k\(task)", task: task, direction: .download, method: "GET", url: "http://a/", headers: [])
    order.label = label
    return .enqueue(.init(session: "films", task: order))
  }

  /// What the session's outbox holds now.
  @Test func `a call that cannot be made safe is not found by a later life`() throws {
    let path = world.folder + "/outbox"
    var outbox = try Outbox(at: path, syncingBy: { _ throws(FileTrouble) in throw FileTrouble("sync", path) })

    let refusal = Result { () throws(FileTrouble) in
      try outbox.append(.cancel(.init(session: "films", task: 1)), synced: true)
    }
    let later = try Outbox(at: path)

    #expect(throws: FileTrouble.self) { try refusal.get() }
    #expect(later.entries.isEmpty)
  }

  private func outbox(_ world: World) throws -> Outbox {
    try Outbox(at: world.folder + "/sessions/session-films/outbox")
  }
}
