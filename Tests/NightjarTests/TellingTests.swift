import Foundation
import Patience
import class FoundationNetworking.HTTPURLResponse
import NightjarWire
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

@Suite(.blocking) struct TellingTests {
  let world = World()

  @Test func `a download is told in Apple's order, on the delegate queue, and acknowledged last`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let task = session.downloadTask(with: World.film)
    task.resume()

    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    delegate.wait(for: 1)
    world.daemon.end(try world.end(11, task: 1, text: "hello"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 wrote 3 to 3 of 5", "1 wrote 2 to 5 of 5", "1 file hello", "1 done"])
    #expect(world.daemon.calls.flatMap(\.acknowledged) == [11])
    #expect(task.state == .completed && task.error == nil && task.countOfBytesReceived == 5)
    #expect((task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "content-type") == "video/mp4")
    #expect(task.progress.fractionCompleted == 1)
  }

  @Test func `the progress of an empty file's download comes to its end`() throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)
    task.resume()

    world.daemon.end(try world.end(1, task: 1, text: ""))

    #expect(delegate.wait(for: 2) == ["1 file ", "1 done"])
    #expect(task.progress.isFinished && task.progress.fractionCompleted == 1)
  }

  @Test func `at the process's exit a call under way returns and is acknowledged, and nothing more is told`() throws {
    let (inCall, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let delegate = Recorder { line in
      guard line == "1 done" else { return }
      inCall.signal()
      mayReturn.wait()
    }
    let link = world.newLife()
    let session = world.session(of: link, delegate)
    for _ in 1...2 { session.downloadTask(with: World.film).resume() }
    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.end(try world.end(2, task: 2, text: "y"))
    try inCall.wait(for: "the call is under way")

    Thread.detachNewThread {
      while !link.departure.isOver { sched_yield() }
      mayReturn.signal()
    }
    link.depart(within: .seconds(60))

    #expect(world.daemon.calls.flatMap(\.acknowledged) == [1])
    #expect(delegate.heard == ["1 wrote 1 to 1 of 1", "1 file x", "1 done"])
  }

  @Test func `a delegate call that exits the process itself is not waited for, and not acknowledged`() throws {
    let link = world.newLife()
    let daemon = world.daemon
    let early = Mutex<[Int64]?>(nil)
    let delegate = Recorder { line in
      guard line == "1 done" else { return }
      link.depart(within: .seconds(3600))
      early.withLock { $0 = daemon.calls.flatMap(\.acknowledged) }
    }
    world.session(of: link, delegate).downloadTask(with: World.film).resume()

    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.waitForCalls { $0.isAcknowledgement }  // In a process this call would not have returned.

    #expect(early.withLock { $0 } == [])
  }

  @Test func `nothing is acknowledged before the last delegate call has returned`() throws {
    let daemon = world.daemon
    let early = Mutex<[Bool]>([])
    let delegate = Recorder { _ in early.withLock { $0.append(daemon.calls.contains { $0.isAcknowledgement }) } }
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()

    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(early.withLock { $0 } == [false, false, false])
  }

  @Test func `a listing that was made before an end was told does not bring the task back`() throws {
    let (delegate, link) = (Recorder(), world.newLife())
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    world.daemon.goAway()
    world.daemon.end(try world.end(1, task: 1, text: "x"), now: false)
    world.daemon.holdAnswers { $0.isListing }
    world.daemon.comeBack()
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.waitForCalls(2) { $0.isListing }
    world.daemon.releaseAnswers()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(link.state.withLock { $0.sessions["films"]?.tasks.isEmpty } == true)
    #expect(delegate.heard.filter { $0 == "1 done" }.count == 1)
  }

  @Test func `a task that asks before a listing has come that was made without it is not lost`() {
    let link = world.newLife()
    let delegate = Recorder()
    let session = world.session(of: link, delegate)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isListed == true }
    world.daemon.holdAnswers { $0.isListing }
    world.daemon.goAway()
    world.daemon.comeBack()
    world.daemon.waitForCalls(2) { $0.isListing }

    session.downloadTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1)))
    world.daemon.waitForCalls { if case .answer = $0 { true } else { false } }
    world.daemon.releaseAnswers()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    session.delegateQueue.waitUntilAllOperationsAreFinished()

    #expect(delegate.heard == [])
    #expect(link.state.withLock { $0.sessions["films"]?.tasks.count } == 1)
  }

  @Test func `the delegate is called on the queue it asked for`() throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let isThere = Mutex(false)
    let delegate = Recorder { _ in isThere.withLock { $0 = OperationQueue.current === queue } }
    let session = URLSession(
      configuration: .background(withIdentifier: "films"), delegate: delegate, delegateQueue: queue,
      link: world.newLife())
    session.downloadTask(with: World.film).resume()

    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(isThere.withLock { $0 })
  }

  @Test func `the delegate's file is its own, and is removed after the call`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    let event = try world.end(1, task: 1, text: "hello")

    world.daemon.end(event)
    world.daemon.waitForCalls { $0.isAcknowledgement }

    let location = try #require(delegate.locations.first)
    #expect(location.path.hasPrefix(world.folder + "/tmp/") && location.path != event.file?.path)
    #expect(!FileManager.default.fileExists(atPath: location.path))
    #expect(FileManager.default.fileExists(atPath: try #require(event.file).path))
  }

  @Test func `a staged file that changed is reported and not told`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    var event = try world.end(7, task: 1, text: "hello")
    event.file?.modified += 1

    world.daemon.end(event)
    world.daemon.waitForCalls { $0.isDamage }
    world.daemon.end(try world.end(8, task: 1, text: "whole"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 wrote 5 to 5 of 5", "1 file whole", "1 done"])
    #expect(world.daemon.calls.flatMap(\.acknowledged) == [8])
  }

  @Test func `a daemon that counts its events from the beginning again is heard`() throws {
    let (delegate, link) = (Recorder(), world.newLife())
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    world.daemon.end(try world.end(1, task: 1, text: "x"))
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    world.daemon.goAway()
    world.daemon.forgetEverything()
    world.daemon.comeBack()
    session.downloadTask(with: World.film).resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }
    world.daemon.end(try world.end(1, task: 2, text: "y"))
    world.daemon.waitForCalls(2) { $0.isAcknowledgement }

    #expect(delegate.heard.last == "2 done")
  }

  @Test func `an event told twice is heard once`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    for _ in 1...2 { session.downloadTask(with: World.film).resume() }
    let event = try world.end(1, task: 1, text: "x")

    world.daemon.end(event)
    world.daemon.end(event)
    world.daemon.waitForCalls { $0.isAcknowledgement }
    world.daemon.say(.ended(event))
    world.daemon.end(try world.end(2, task: 2, text: "y"))
    world.daemon.waitForCalls(2) { $0.isAcknowledgement }

    #expect(delegate.heard.filter { $0.hasPrefix("1 ") }.count == 3)
    #expect(delegate.heard.last == "2 done")
  }

  @Test func `progress that nobody has heard yet is replaced by newer progress`() throws {
    let gate = DispatchSemaphore(value: 0)
    let delegate = Recorder { if $0.hasSuffix("to 1 of -1") { gate.wait() } }
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()

    for count in 1...1000 {
      world.daemon.say(.progressed(.init(session: "films", task: 1, count: Int64(count))))
      if count == 1 { delegate.wait(for: 1) }
    }
    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 1000, failure: .init(code: "timedOut", detail: "")))
    world.daemon.waitUntil(session.link) { $0.held.contains(1) }
    gate.signal()
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 wrote 1 to 1 of -1", "1 wrote 999 to 1000 of -1", "1 failed -1001"])
  }

  @Test func `others get their turn on the delegate's queue while much is told`() throws {
    let (gate, queue) = (DispatchSemaphore(value: 0), OperationQueue())
    queue.maxConcurrentOperationCount = 1
    let delegate = Recorder { if $0 == "1 done" { gate.wait() } }
    let session = URLSession(
      configuration: .background(withIdentifier: "films"), delegate: delegate, delegateQueue: queue,
      link: world.newLife())
    let count = 2 * LinkLimits.tellingsAtOnce
    for number in 1...count {
      session.downloadTask(with: World.film).resume()
      world.daemon.end(try world.end(Int64(number), task: number, text: "x"))
    }
    delegate.wait(for: 3)
    world.daemon.waitUntil(session.link) { $0.held.count == count }

    let told = Mutex(0)
    queue.addOperation { told.withLock { $0 = delegate.heard.count } }
    gate.signal()
    delegate.wait(for: 3 * count)

    #expect(told.withLock { $0 } == 3 * LinkLimits.tellingsAtOnce)
    #expect(delegate.heard.filter { $0.hasSuffix("done") } == (1...count).map { "\($0) done" })
  }

  @Test func `each end is acknowledged before the next is told, however many wait`() throws {
    let daemon = world.daemon
    let acknowledged = Mutex<[Int]>([])
    let delegate = Recorder { heard in
      if heard.hasSuffix("file x") { acknowledged.withLock { $0.append(daemon.calls.flatMap(\.acknowledged).count) } }
    }
    let session = world.session(of: world.newLife(), delegate)
    session.delegateQueue.isSuspended = true
    for number in 1...10 {
      session.downloadTask(with: World.film).resume()
      world.daemon.end(try world.end(Int64(number), task: number, text: "x"))
    }
    world.daemon.waitUntil(session.link) { $0.held.count == 10 }

    session.delegateQueue.isSuspended = false
    delegate.wait(for: 30)

    #expect(acknowledged.withLock { $0 } == Array(0..<10))
  }

  @Test func `a queue that is suspended meanwhile holds back the rest`() throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let delegate = Recorder { if $0 == "1 done" { queue.isSuspended = true } }
    let session = URLSession(
      configuration: .background(withIdentifier: "films"), delegate: delegate, delegateQueue: queue,
      link: world.newLife())
    for number in 1...2 {
      session.downloadTask(with: World.film).resume()
      world.daemon.end(try world.end(Int64(number), task: number, text: "x"))
    }
    world.daemon.waitForCalls { $0.acknowledged == [1] }

    let before = delegate.heard
    queue.isSuspended = false
    world.daemon.waitForCalls { $0.acknowledged == [2] }

    #expect(before.last == "1 done")
    #expect(delegate.heard.last == "2 done")
  }
}
