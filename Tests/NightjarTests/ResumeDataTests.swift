import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

@Suite(.blocking) struct ResumeDataTests {
  let world = World()
  private let token = String(repeating: "ab", count: 16)

  private func data(_ url: URL = World.film, headers: [String: String] = [:]) -> Data {
    world.seal.sealed(unsealed(url, headers: headers))
  }

  private func unsealed(_ url: URL = World.film, headers: [String: String] = [:]) -> Data {
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return ResumeData.of(.init(token: token, offset: 7, length: 10), request: request) ?? Data()
  }

  @Test func `a cancelled download hands over what another goes on with, in a later life too`() async throws {
    world.daemon.leave(.init(token: token, offset: 7, length: 10))
    let first = world.newLife()
    let session = world.session(of: first, Recorder())
    let task = session.downloadTask(with: World.film)
    task.resume()

    let data = try #require(await task.cancelByProducingResumeData())
    first.die()
    let delegate = Recorder()
    let later = world.session(of: world.newLife(), delegate).downloadTask(withResumeData: data)
    later.resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }
    world.say(answered: true, count: 8, of: later.taskIdentifier)

    let number = later.taskIdentifier
    #expect(delegate.wait(for: 2) == ["\(number) resumed at 7 of 10", "\(number) wrote 1 to 8 of 10"])
    #expect(world.daemon.enqueued.last?.remnant == token)
    #expect(world.daemon.enqueued.last?.url == World.film.absoluteString)
    #expect(later.countOfBytesReceived == 8)
    #expect(later.progress.completedUnitCount == 8 && later.progress.totalUnitCount == 10)
  }

  @Test func `what a request forbids stays forbidden, in one life and in the next`() async throws {
    var request = URLRequest(url: World.film)
    request.allowsCellularAccess = false
    let remnant = AppInterface.Remnant(token: token, offset: 7, length: 10)
    let data = try #require(ResumeData.of(remnant, request: request))
    #expect(try !ResumeData(data).request.allowsCellularAccess)

    let first = world.newLife()
    world.session(of: first, Recorder()).downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()
    let tasks = await world.session(of: world.newLife(), Recorder()).allTasks

    #expect(tasks.map { $0.originalRequest?.allowsCellularAccess } == [false])
    #expect(tasks.map { $0.originalRequest?.allowsExpensiveNetworkAccess } == [true])
  }

  @Test func `what is handed over names the request that was put in the place of a delayed one`() async throws {
    let other = try #require(URL(string: "http://films.example/other"))
    let (link, delegate) = (world.newLife(), Replacing(other))
    let task = world.session(of: link, delegate).downloadTask(with: World.film)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: nil)))
    world.daemon.waitForCalls { if case .answer = $0 { true } else { false } }
    world.daemon.leave(.init(token: token, offset: 7, length: 10))

    let data = try #require(await task.cancelByProducingResumeData())

    #expect(try world.read(data).request.url == other)
    #expect(task.originalRequest?.url == World.film)
  }

  @Test func `a task of a session that another process has hands over nothing`() async {
    let holder = world.newLife()
    _ = world.session(of: holder, Recorder())
    let session = world.session(of: world.newLife(), Recorder())
    session.delegateQueue.isSuspended = true
    let task = session.downloadTask(with: World.film)
    task.resume()

    let data = await task.cancelByProducingResumeData()

    #expect(data == nil)
    session.delegateQueue.isSuspended = false
    holder.die()
  }

  @Test func `a download of which nothing is left hands over nothing`() async {
    let session = world.session(of: world.newLife(), Recorder())
    let (asked, unasked) = (session.downloadTask(with: World.film), session.downloadTask(with: World.film))
    asked.resume()

    #expect(await asked.cancelByProducingResumeData() == nil)
    #expect(await unasked.cancelByProducingResumeData() == nil)
  }

  @Test func `a download that is cancelled before it is resumed hands over what it was made with`() async throws {
    let (delegate, given) = (Recorder(), data())
    let task = world.session(of: world.newLife(), delegate).downloadTask(withResumeData: given)

    let left = try #require(await task.cancelByProducingResumeData())
    delegate.wait(for: 1)

    let error = try #require(delegate.failures.first as? URLError)
    #expect(try world.read(left) == world.read(given))
    #expect(error.code == .cancelled)
    #expect(try world.read(#require(error.downloadTaskResumeData)) == world.read(given))
    #expect(world.daemon.enqueued.isEmpty)
  }

  @Test func `a download that is cancelled for good before it is resumed hands over nothing`() throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(withResumeData: data())

    task.cancel()
    delegate.wait(for: 1)

    let error = try #require(delegate.failures.first as? URLError)
    #expect(error.code == .cancelled && error.downloadTaskResumeData == nil)
  }

  @Test(arguments: [
    (Refusal.limitReached(what: "tasks", limit: 1), true), (.invalidRequest(field: "remnant", reason: "gone"), false),
  ])
  func `a download that the daemon refuses hands over what it was made with, unless that is why`(
    refusal: Refusal, isLeft: Bool
  ) throws {
    let (delegate, given) = (Recorder(), data())
    world.daemon.refuse(with: refusal) { $0.isEnqueue }

    world.session(of: world.newLife(), delegate).downloadTask(withResumeData: given).resume()
    delegate.wait(for: 1)

    let left = try #require(delegate.failures.first as? URLError).downloadTaskResumeData
    #expect(try left.map { try world.read($0) } == (isLeft ? world.read(given) : nil))
  }

  @Test func `a failed download has its resume data in the error`() throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.end(
      .init(
        number: 1, session: "films", task: 1, count: 7, failure: .init(code: "connectionLost", detail: "it broke"),
        remnant: .init(token: token, offset: 7)))
    delegate.wait(for: 1)

    let error = try #require(delegate.failures.first as? URLError)

    #expect(error.code == .networkConnectionLost)
    #expect(error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data == error.downloadTaskResumeData)
    #expect(try world.read(#require(error.downloadTaskResumeData)).token == token)
  }

  @Test func `credentials that a server challenges for are no part of it, and keys that it wants unasked are`() throws {
    let data = data(headers: [
      "Authorization": "Bearer s3cret", "Proxy-Authorization": "Basic s3cret", "cookie": "s3cret", "Accept": "video/*",
      "X-Api-Key": "k3y",
    ])

    #expect(data.range(of: Data("s3cret".utf8)) == nil)
    #expect(try world.read(data).request.value(forHTTPHeaderField: "X-Api-Key") == "k3y")
    #expect(try world.read(data).request.value(forHTTPHeaderField: "Accept") == "video/*")
  }

  @Test func `a name and a password in the URL are no part of it, and a download goes on without them`() throws {
    let data = data(try #require(URL(string: "http://anna:s3cret@films.example/1")))
    let delegate = Recorder()
    world.daemon.leave(.init(token: token, offset: 7, length: 10))

    world.session(of: world.newLife(), delegate).downloadTask(withResumeData: data).resume()

    #expect(data.range(of: Data("anna".utf8)) == nil && data.range(of: Data("s3cret".utf8)) == nil)
    world.daemon.waitForCalls { $0.isEnqueue }
    world.say(answered: true, count: 8, of: 1)
    #expect(delegate.wait(for: 2).first == "1 resumed at 7 of 10")
    #expect(world.daemon.enqueued.last?.url == World.film.absoluteString)
    #expect(world.daemon.enqueued.last?.remnant == token)
  }

  @Test func `what is cut off at any byte is refused in words`() {
    let whole = unsealed()

    for count in 0..<whole.count {
      #expect(throws: SessionFailure.self) { try ResumeData(whole.prefix(count)) }
    }
  }

  /// Foundation's reader ended the process with a few of these.
  @Test func `what has any one byte changed is read or refused, and ends nothing`() {
    let whole = [UInt8](unsealed())

    for place in whole.indices {
      for change in UInt8(1)...255 {
        var changed = whole
        changed[place] ^= change
        _ = try? ResumeData(Data(changed))
      }
    }
  }

  /// Has an object of a width that there is not, with which Foundation's reader ended the process.
  private static let forged =
    "YnBsaXN0MDDYAQIDBAUGBwgJDQ4PEBESE1doZWFkZXJzVmxlbmd0aFZtZXRob2RWb2Zmc2V0VXRva2VuU3VybFl2YWxpZGF0"
    + "b3JXdmVyc2lvbqEKogsMVkFjY2VwdFd2aWRlUwovKkdvEEVUEAdfECBhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJh"
    + "Yl8QFmh0dHA6Ly9maWxtcy5leGFtcGxlLzFVInRhZyIQAQgZISgvNjxASlJUV15maGxukaqwAAAAAAAAAQEAAAAAAAAAFAAA"
    + "AAAAAAAAAAAAAAAAALI="

  @Test(arguments: [
    Data(base64Encoded: forged)!, Data("not a property list".utf8), Data("bplist00".utf8),
    Data(repeating: 0xFF, count: 4096),
    Data(repeating: 0, count: (512 << 10) + 33),
  ])
  func `what was never given out makes a task that fails with the reason`(data: Data) throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(withResumeData: data)

    task.resume()
    delegate.wait(for: 1)

    let error = try #require(delegate.failures.first as? URLError)
    #expect(error.code == .cannotDecodeRawData)
    #expect(error.localizedDescription.contains("resume data"))
    #expect(world.daemon.enqueued.isEmpty)
    #expect(throws: SessionFailure.self) { try ResumeData(data) }
  }

  private func file(_ name: String = "/film") throws -> URL {
    let file = URL(fileURLWithPath: world.folder + name)
    try Data("film".utf8).write(to: file)
    return file
  }

  @Test func `a cancelled upload hands over what another goes on with, in a later life too`() async throws {
    world.daemon.leave(.init(token: token, offset: 2, length: 4))
    let (first, file) = (world.newLife(), try file())
    let task = world.session(of: first, Recorder()).uploadTask(with: .post(), fromFile: file)
    task.resume()

    let data = try #require(await task.cancelByProducingResumeData())
    first.die()
    let later = world.session(of: world.newLife(), Recorder()).uploadTask(withResumeData: data)
    later.resume()
    world.daemon.waitForCalls { $0.enqueued?.remnant != nil }

    let order = try #require(world.daemon.enqueued.last)
    #expect(order.remnant == token && order.direction == .upload && order.method == "POST" && order.file == file.path)
  }

  @Test func `the copy of what an upload from data sends stays until another has gone on with it`() async throws {
    world.daemon.leave(.init(token: token, offset: 2, length: 4))
    let spool = world.folder + "/sessions/session-films/spool"
    let first = world.newLife()
    let task = world.session(of: first, Recorder()).uploadTask(with: .post(), from: Data("film".utf8))
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    let data = try #require(await task.cancelByProducingResumeData())
    world.daemon.end(
      .init(
        number: 1, session: "films", task: 1, count: 2, failure: .init(code: "cancelled", detail: "cancelled"),
        remnant: .init(token: token, offset: 2)))
    world.daemon.waitForCalls { $0.isAcknowledgement }
    first.die()
    let link = world.newLife()
    let later = world.session(of: link, Recorder()).uploadTask(withResumeData: data)
    later.resume()
    world.daemon.waitForCalls { $0.enqueued?.remnant != nil }
    let kept = try #require(world.daemon.enqueued.last?.file)
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "film" && kept == spool + "/1.kept")
    world.daemon.end(.init(number: 2, session: "films", task: 2, count: 4, response: World.response))
    world.daemon.waitUntil(link) { $0.spent.isEmpty && $0.calls.calls.isEmpty && $0.acknowledged.contains(2) }

    #expect(try FileManager.default.contentsOfDirectory(atPath: spool).isEmpty)
  }

  @Test func `the copy outlives a task that the daemon refuses, for another to go on with`() async throws {
    world.daemon.leave(.init(token: token, offset: 2, length: 4))
    let kept = world.folder + "/sessions/session-films/spool/1.kept"
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(with: .post(), from: Data("film".utf8))
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    let data = try #require(await task.cancelByProducingResumeData())

    world.daemon.refuse(with: .limitReached(what: "tasks", limit: 1)) { $0.enqueued?.remnant != nil }
    session.uploadTask(withResumeData: data).resume()
    delegate.wait(for: 1)
    await session.flush()  // What follows from the end is done when the delegate's queue goes on.
    session.uploadTask(withResumeData: data).resume()
    world.daemon.waitForCalls(2) { $0.enqueued?.remnant != nil }

    #expect(delegate.heard.first?.hasPrefix("2 failed") == true)
    #expect(world.daemon.enqueued.last?.task == 3 && world.daemon.enqueued.last?.file == kept)
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "film")
  }

  @Test func `an upload that is cancelled before it is resumed hands over what it was made with, and its copy`()
    async throws
  {
    world.daemon.leave(.init(token: token, offset: 2, length: 4))
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(with: .post(), from: Data("film".utf8))
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    let given = try #require(await task.cancelByProducingResumeData())

    let left = try #require(await session.uploadTask(withResumeData: given).cancelByProducingResumeData())
    delegate.wait(for: 1)
    await session.flush()  // What follows from the end is done when the delegate's queue goes on.

    let error = try #require(delegate.failures.first as? URLError)
    #expect(try world.read(left) == world.read(given))
    #expect(try world.read(#require(error.uploadTaskResumeData)) == world.read(given))
    #expect(try String(contentsOfFile: #require(world.read(left).file), encoding: .utf8) == "film")
  }

  @Test func `a failed upload has its resume data in the error, under its own key`() throws {
    let (delegate, file) = (Recorder(), try file())
    world.session(of: world.newLife(), delegate).uploadTask(with: .post(), fromFile: file).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.end(
      .init(
        number: 1, session: "films", task: 1, count: 2, failure: .init(code: "timedOut", detail: "it took long"),
        remnant: .init(token: token, offset: 2)))
    delegate.wait(for: 1)

    let error = try #require(delegate.failures.last as? URLError)

    #expect(error.userInfo[NSURLSessionUploadTaskResumeData] as? Data == error.uploadTaskResumeData)
    #expect(error.downloadTaskResumeData == nil)
    #expect(try world.read(#require(error.uploadTaskResumeData)).file == file.path)
  }

  @Test func `the data of a download is none of an upload, nor the other way round`() throws {
    var request = URLRequest(url: World.film)
    request.httpMethod = "PUT"
    let unsealed = ResumeData.of(.init(token: token, offset: 7), request: request, file: "/film") ?? Data()
    let upload = world.seal.sealed(unsealed)
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)

    session.uploadTask(withResumeData: data()).resume()
    session.downloadTask(withResumeData: upload).resume()
    delegate.wait(for: 2)

    #expect(delegate.failures.compactMap { ($0 as? URLError)?.code } == [.cannotDecodeRawData, .cannotDecodeRawData])
    #expect(world.daemon.enqueued.isEmpty)
  }

  @Test func `a file URL is no download`() {
    #expect(throws: SessionFailure.self) { try ResumeData(unsealed(URL(fileURLWithPath: "/etc/passwd"))) }
  }
}

/// A delegate that has a delayed task load something else.
private final class Replacing: NSObject, Nightjar.URLSessionTaskDelegate {
  let url: URL

  init(_ url: URL) { self.url = url }

  func urlSession(
    _ session: Nightjar.URLSession, task: Nightjar.URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (Nightjar.URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) { completionHandler(.useNewRequest, URLRequest(url: url)) }
}
