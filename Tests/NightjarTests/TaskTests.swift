import Foundation
import NightjarWire
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

@Suite(.blocking) struct TaskTests {
  let world = World()

  @Test func `each suspend needs its own resume`() {
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)
    task.resume()

    task.suspend()
    task.suspend()
    task.resume()
    #expect(task.state == .suspended)
    task.resume()

    #expect(task.state == .running)
    world.daemon.waitForCalls { $0.isResumption }
    let calls = world.daemon.calls
    #expect(calls.filter(\.isEnqueue).count == 1)
    #expect(calls.filter(\.isSuspension).count == 1 && calls.filter(\.isResumption).count == 1)
  }

  @Test func `a running task that is resumed does nothing`() {
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)

    for _ in 1...3 { task.resume() }

    #expect(world.daemon.enqueued.count == 1 && !world.daemon.calls.contains { $0.isResumption })
  }

  @Test func `a task that was never resumed is cancelled without the daemon`() {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)

    task.cancel()

    #expect(delegate.wait(for: 1) == ["1 failed -999"])
    #expect(!world.daemon.calls.contains { $0.isCancel || $0.isEnqueue })
  }

  @Test func `a cancelled task ends when the daemon says so, with its URL in the error`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let task = session.downloadTask(with: World.film)
    task.resume()

    task.cancel()
    #expect(task.state == .canceling)
    world.daemon.waitForCalls { $0.isCancel }
    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 0, failure: .init(code: "cancelled", detail: "cancelled")))

    #expect(delegate.wait(for: 1) == ["1 failed -999"])
    let error = try #require(task.error as? URLError)
    #expect(error.code == .cancelled && error.failingURL == World.film)
  }

  @Test func `progress can be used to cancel`() {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)

    task.progress.cancel()

    #expect(delegate.wait(for: 1) == ["1 failed -999"])
  }

  @Test func `a session's header fields are added where the request sets none`() {
    let session = world.session(of: world.newLife(), Recorder()) {
      $0.httpAdditionalHeaders = ["Accept": "text/html", "X-Device": 7]
      $0.timeoutIntervalForRequest = 5
    }
    var request = URLRequest(url: World.film)
    request.setValue("video/mp4", forHTTPHeaderField: "accept")
    request.httpBody = Data("q".utf8)

    session.downloadTask(with: request).resume()

    world.daemon.waitForCalls { $0.isEnqueue }
    let order = world.daemon.enqueued[0]
    #expect(order.headers.map { "\($0.name.lowercased()): \($0.value)" } == ["accept: video/mp4", "x-device: 7"])
    #expect(order.body == "cQ==" && order.requestTimeoutMs == 5000)
  }

  @Test func `what an upload has sent is known while it runs, and its progress shows it`() throws {
    let delegate = Recorder()
    let file = world.folder + "/letter"
    try Data("hello".utf8).write(to: URL(fileURLWithPath: file))
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(with: .post(), fromFile: URL(fileURLWithPath: file))
    #expect(task.countOfBytesSent == 0 && task.countOfBytesExpectedToSend == NSURLSessionTransferSizeUnknown)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))

    #expect(delegate.wait(for: 1) == ["1 sent 3 to 3 of 5"])
    #expect(task.countOfBytesSent == 3 && task.countOfBytesExpectedToSend == 5)
    #expect(task.progress.completedUnitCount == 3 && task.progress.totalUnitCount == 5)
    #expect(task.countOfBytesReceived == 0)
  }

  @Test func `how much will be sent is known of a request's own body, also that it has none`() async throws {
    let (link, local) = (world.newLife(), URLSession(configuration: .ephemeral))
    let session = world.session(of: link, Recorder())
    var post = URLRequest.post()
    post.httpBody = Data("question".utf8)
    var stream = URLRequest.post()
    stream.httpBodyStream = InputStream(data: Data("question".utf8))

    for (request, expected) in [(URLRequest(url: World.film), 0), (post, 8), (stream, -1)] as [(URLRequest, Int64)] {
      #expect(session.downloadTask(with: request).countOfBytesExpectedToSend == expected)
      #expect(local.dataTask(with: request).countOfBytesExpectedToSend == expected)
    }
    session.downloadTask(with: post).resume()
    session.downloadTask(with: World.film).resume()
    await world.daemon.untilCalls(2) { $0.isEnqueue }
    link.die()
    let restored = await world.session(of: world.newLife(), Recorder()).allTasks

    #expect(restored.map(\.countOfBytesExpectedToSend) == [NSURLSessionTransferSizeUnknown, 0])
  }

  @Test func `whether bytes are wanted as they come is kept, with Apple's values where nothing is said`() {
    let (local, session) = (URLSession(configuration: .ephemeral), world.session(of: world.newLife(), Recorder()))
    let handled = local.dataTask(with: World.film) { _, _, _ in }
    let upload = local.uploadTask(with: .post(), from: Data())
    let told = local.dataTask(with: World.film)
    told.prefersIncrementalDelivery = false
    let download = session.downloadTask(with: World.film)
    let insisting = session.downloadTask(with: World.film)
    insisting.prefersIncrementalDelivery = true

    #expect(local.dataTask(with: World.film).prefersIncrementalDelivery && upload.prefersIncrementalDelivery)
    #expect(!local.downloadTask(with: World.film).prefersIncrementalDelivery)
    #expect(!handled.prefersIncrementalDelivery && !told.prefersIncrementalDelivery)
    #expect(!download.prefersIncrementalDelivery && insisting.prefersIncrementalDelivery)
  }

  @Test(arguments: [(6, nil), (2, 2), (1, 1), (0, 1), (-3, 1), (40, 40)] as [(Int, Int64?)])
  func `a session's bound on connections goes to the daemon with its tasks`(asked: Int, sent: Int64?) {
    let session = world.session(of: world.newLife(), Recorder()) { $0.httpMaximumConnectionsPerHost = asked }

    session.downloadTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    #expect(world.daemon.enqueued.map { $0.options?.connectionsPerHostMax } == [sent])
    #expect(session.configuration.httpMaximumConnectionsPerHost == asked)
  }

  @Test func `a description that the daemon refuses stays in this life, and the standard error says so`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World()
      let link = world.newLife()
      let task = world.session(of: link, Recorder()).downloadTask(with: World.film)
      task.resume()
      world.daemon.refuse(with: .limitReached(what: "bytes of a label", limit: 65_536)) {
        if case .update = $0 { true } else { false }
      }

      task.taskDescription = "a long story"
      world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
      world.daemon.hush()

      #expect(task.taskDescription == "a long story")
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("a change of task 1 of the session films is not kept: no more than 65536 bytes of a label"))
  }

  @Test func `a request that is too large to hand over fails`() {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    var request = URLRequest(url: World.film)
    request.httpBody = Data(count: LinkLimits.bodyBytesMax + 1)

    session.downloadTask(with: request).resume()

    #expect(delegate.wait(for: 1) == ["1 failed -1103"])
  }

  @Test func `a stream is no body of a download or data task, which fails in words, but one of an upload`() {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    var request = URLRequest.post()
    request.httpBodyStream = InputStream(data: Data("letter".utf8))

    session.downloadTask(with: request).resume()
    session.dataTask(with: request).resume()
    let heard = delegate.wait(for: 2)
    session.uploadTask(withStreamedRequest: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    #expect(heard == ["1 failed -1021", "2 failed -1021"])
    #expect(delegate.failures.allSatisfy { $0.localizedDescription.contains("uploadTask(withStreamedRequest:)") })
    #expect(world.daemon.enqueued.map(\.direction) == [.upload])
  }

  @Test func `times that are no numbers set no bound, and the farthest ones are cut`() {
    let session = world.session(of: world.newLife(), Recorder()) {
      ($0.timeoutIntervalForRequest, $0.timeoutIntervalForResource) = (Double.nan, Double.infinity)
    }

    for seconds in [Double.nan, .infinity, -.infinity] {
      let task = session.downloadTask(with: World.film)
      task.earliestBeginDate = Date(timeIntervalSince1970: seconds)
      task.resume()
      task.earliestBeginDate = Date(timeIntervalSince1970: .nan)
    }
    world.daemon.waitForCalls(3) { $0.isEnqueue }

    let orders = world.daemon.enqueued
    #expect(orders.map { $0.options?.earliestBegin } == [nil, 9_000_000_000_000_000_000, -9_000_000_000_000_000_000])
    #expect(Set(orders.flatMap { [$0.requestTimeoutMs, $0.resourceTimeoutMs] }) == [1_000_000_000_000])
  }

  @Test func `a configuration is copied by its session`() {
    let configuration = URLSessionConfiguration.background(withIdentifier: "films")
    configuration.allowsCellularAccess = false
    let session = URLSession(
      configuration: configuration, delegate: Recorder(), delegateQueue: nil, link: world.newLife())

    configuration.allowsCellularAccess = true

    #expect(!session.configuration.allowsCellularAccess && session.configuration.identifier == "films")
  }

  @Test func `a session that sends no launch events says so`() {
    _ = world.session(of: world.newLife(), Recorder()) { $0.sessionSendsLaunchEvents = false }

    let opening = world.daemon.waitForCalls { $0.isOpening }.first

    let asks = AppInterface.Asks(credentials: true, everyCertificate: true, delays: true)
    #expect(opening == .openSession(.init(session: "films", options: .init(sendsLaunchEvents: false, asks: asks))))
  }
}
