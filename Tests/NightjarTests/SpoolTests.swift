import Foundation
import NightjarWire
import Patience
import TestThreads
import Testing

import class FoundationNetworking.HTTPCookieStorage
import class FoundationNetworking.HTTPCookie
import struct FoundationNetworking.HTTPCookiePropertyKey
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Uploads of data and of streams in background sessions: their bytes survive in the app's container.
@Suite(.blocking) struct SpoolTests {
  let world = World()

  private var spool: String { world.folder + "/sessions/session-films/spool" }
  private var spooled: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: spool)) ?? []).sorted() }

  private func answered(_ number: Int64, task: Int64) -> AppInterface.Ended {
    .init(number: number, session: "films", task: task, count: 4, expected: 4, response: World.response)
  }

  @Test func `data is on the disk when resume returns, and gone when the end is acknowledged`() throws {
    let (delegate, link) = (Recorder(), world.newLife())
    let task = world.session(of: link, delegate).uploadTask(with: .post(), from: Data("film".utf8))

    #expect(spooled.isEmpty)
    task.resume()
    let order = try #require(world.daemon.waitForCalls { $0.isEnqueue }.first?.enqueued)
    #expect(order.direction == .upload && order.file == spool + "/1")
    #expect(try String(contentsOfFile: spool + "/1", encoding: .utf8) == "film")
    world.daemon.end(answered(1, task: 1))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    world.daemon.waitUntil(link) { $0.spent.isEmpty && $0.calls.calls.isEmpty }
    #expect(spooled.isEmpty && delegate.heard.last == "1 done")
  }

  @Test func `a stream is asked for and read before the task is queued`() throws {
    let listener = Listener(answers: .init(stream: { InputStream(data: Data("stream".utf8)) }))
    let task = world.session(of: world.newLife(), listener).uploadTask(withStreamedRequest: .post())

    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    #expect(listener.heard == ["1 created", "stream"])
    #expect(try String(contentsOfFile: spool + "/1", encoding: .utf8) == "stream")
  }

  @Test func `an upload whose stream is not given fails and leaves nothing`() async throws {
    let listener = Listener()
    let task = world.session(of: world.newLife(), listener).uploadTask(withStreamedRequest: .post())

    task.resume()

    #expect(try await listener.whole() == ["1 created", "stream", "metrics", "failed -1021"])
    #expect(spooled.isEmpty && !world.daemon.calls.contains { $0.isEnqueue })
  }

  @Test func `a cancelled upload reads no more of its stream, and leaves nothing`() async throws {
    let tap = Tap()
    let listener = Listener(answers: .init(stream: { Endless(tap) }))
    let task = world.session(of: world.newLife(), listener).uploadTask(withStreamedRequest: .post())
    task.resume()
    #expect(tap.isRead.wait(timeout: .now() + 60) == .success)

    task.cancel()
    #expect(try await listener.whole().last == "failed -999")
    tap.goesOn.signal()

    #expect(tap.isClosed.wait(timeout: .now() + 60) == .success)
    #expect(tap.reads == 1 && spooled.isEmpty)
  }

  @Test func `a stream that is given after its upload was cancelled is not read`() async throws {
    let (link, delegate) = (world.newLife(), Late())
    let task = world.session(of: link, delegate).uploadTask(withStreamedRequest: .post())
    task.resume()
    #expect(delegate.isAsked.wait(timeout: .now() + 60) == .success)

    task.cancel()
    delegate.answer.value?(InputStream(data: Data("late".utf8)))

    #expect(await link.handlersHaveReturned(within: .seconds(60)))
    #expect(!FileManager.default.fileExists(atPath: spool))
  }

  @Test func `data that the disk does not take fails in words`() async throws {
    let listener = Listener()
    let session = world.session(of: world.newLife(), listener)
    try FileManager.default.createDirectory(
      atPath: (spool as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: spool))

    session.uploadTask(with: .post(), from: Data("film".utf8)).resume()

    #expect(try await listener.whole().last == "failed \(URLError.Code.cannotWriteToFile.rawValue)")
    #expect(listener.error?.localizedDescription.contains("cannot be kept until it is sent") == true)
  }

  @Test func `an upload that was cancelled before it was accepted leaves nothing`() throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).uploadTask(with: .post(), from: Data("film".utf8))

    task.cancel()

    #expect(delegate.wait(for: 1) == ["1 failed -999"] && spooled.isEmpty)
  }

  @Test func `a later life keeps what waits to be sent and sweeps the rest`() throws {
    let first = world.newLife()
    world.session(of: first, Recorder()).uploadTask(with: .post(), from: Data("film".utf8)).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()
    try Data("left".utf8).write(to: URL(fileURLWithPath: spool + "/77"))

    let second = world.newLife()
    _ = world.session(of: second, Recorder())
    world.daemon.waitUntil(second) { $0.sessions["films"]?.isListed == true }

    #expect(spooled == ["1"])
  }

  @Test func `what is kept is old after 31 days, and never by a clock that did not know the date`() {
    let (kept, days) = (1_800_000_000, LinkLimits.spoolKeptForSeconds)

    #expect(!KeptFile.isOld(kept, at: kept + days) && KeptFile.isOld(kept, at: kept + days + 1))
    #expect(!KeptFile.isOld(60, at: kept) && !KeptFile.isOld(60, at: 60 + days + 1))
    #expect(!KeptFile.isOld(kept, at: 60))
  }

  @Test func `what is kept once more has its whole time before it, and is still the same to the daemon`() async throws {
    let files = Spool(folder: spool)
    try files.write(Data("film".utf8), ofTask: 1)
    let kept = files.keep(files.path(ofTask: 1))
    let first = try OwnedDescriptor(opening: kept, O_RDONLY).status()

    // The clock of a file system may stand still for a few milliseconds.
    let last = try await eventually("its time begins anew") { () -> stat? in
      _ = files.keep(kept)
      let status = try OwnedDescriptor(opening: kept, O_RDONLY).status()
      return nanoseconds(status.st_ctim) > nanoseconds(first.st_ctim) ? status : nil
    }

    #expect(nanoseconds(last.st_mtim) == nanoseconds(first.st_mtim) && last.st_ino == first.st_ino)
    #expect(spooled == ["1.kept"])
  }

  private func nanoseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
}

/// What a test sees of a stream, and when that goes on.
private final class Tap: @unchecked Sendable {  // Unchecked: one thread counts, and closes then.
  let (isRead, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let isClosed = DispatchSemaphore(value: 0)
  var reads = 0
}

/// A stream that goes on for very long, once it may after its first byte.
private final class Endless: InputStream {
  private let tap: Tap

  init(_ tap: Tap) {
    self.tap = tap
    super.init(data: Data())
  }

  override func open() {}
  override func close() { tap.isClosed.signal() }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    tap.reads += 1
    if tap.reads == 1 {
      tap.isRead.signal()
      tap.goesOn.wait()
    }
    return tap.reads < 1000 ? 1 : 0
  }
}

/// A delegate that takes its time to give a stream.
private final class Late: NSObject, URLSessionTaskDelegate {
  let isAsked = DispatchSemaphore(value: 0)
  let answer = Kept<@Sendable (InputStream?) -> Void>()

  func urlSession(
    _ session: Nightjar.URLSession, task: Nightjar.URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    answer.value = completionHandler
    isAsked.signal()
  }
}

/// What background sessions carry besides bytes.
@Suite(.blocking) struct BackgroundSettingTests {
  let world = World()

  private var storage: HTTPCookieStorage { URLSessionConfiguration.ephemeral.httpCookieStorage! }

  private func cookie(_ name: String, _ more: [HTTPCookiePropertyKey: Any] = [:]) -> HTTPCookie {
    let usual: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "1", .domain: "films.example", .path: "/"]
    return HTTPCookie(properties: usual.merging(more) { $1 })!
  }

  @Test func `cookies are sent as they are at resume, unless the request has its own`() throws {
    let storage = storage
    storage.setCookie(cookie("seen"))
    let session = world.session(of: world.newLife(), Recorder()) { $0.httpCookieStorage = storage }
    var own = URLRequest(url: World.film)
    own.setValue("mine=1", forHTTPHeaderField: "Cookie")

    session.downloadTask(with: World.film).resume()
    session.downloadTask(with: own).resume()

    let cookies = world.daemon.enqueued.map { $0.headers.filter { $0.name == "Cookie" }.map(\.value) }
    #expect(cookies == [["seen=1"], ["mine=1"]])
  }

  @Test func `cookies go where they belong, the one with the longest path first`() throws {
    let storage = storage
    for cookie in [cookie("seen"), cookie("secret", [.secure: "TRUE"]), cookie("admin", [.path: "/admin"])] {
      storage.setCookie(cookie)
    }
    let session = world.session(of: world.newLife(), Recorder()) { $0.httpCookieStorage = storage }

    session.downloadTask(with: World.film).resume()
    session.downloadTask(with: try #require(URL(string: "https://films.example/admin/1"))).resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }

    let cookies = world.daemon.enqueued.map { $0.headers.filter { $0.name == "Cookie" }.map(\.value) }
    #expect(cookies == [["seen=1"], ["admin=1; secret=1; seen=1"]])
  }

  @Test func `a server sets cookies for its own host and the domains above it`() throws {
    let (storage, delegate) = (storage, Recorder())
    let session = world.session(of: world.newLife(), delegate) { $0.httpCookieStorage = storage }
    session.downloadTask(with: World.film).resume()
    var end = try world.end(1, task: 1, text: "x")
    end.response?.url = "http://www.films.example/1"
    let domains = [
      "own": "", "wide": "; Domain=films.example", "other": "; Domain=bank.org", "all": "; Domain=example",
    ]
    end.response?.headers += domains.map { WireHeader(name: "Set-Cookie", value: "\($0.key)=1\($0.value)") }

    world.daemon.end(end)
    delegate.wait(for: 3)

    let kept = (storage.cookies ?? []).map { "\($0.name) \($0.domain)" }.sorted()
    #expect(kept == ["own www.films.example", "wide .films.example"])
  }

  @Test(arguments: [HTTPCookie.AcceptPolicy.always, .onlyFromMainDocumentDomain, .never])
  func `cookies of an answer are kept by the session's policy`(policy: HTTPCookie.AcceptPolicy) throws {
    let (storage, delegate) = (storage, Recorder())
    let session = world.session(of: world.newLife(), delegate) {
      ($0.httpCookieStorage, $0.httpCookieAcceptPolicy) = (storage, policy)
    }
    session.downloadTask(with: World.film).resume()
    var end = try world.end(1, task: 1, text: "x")
    end.response?.headers += ["a=1; Path=/", "b=2; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT"].map {
      WireHeader(name: "Set-Cookie", value: $0)
    }

    world.daemon.end(end)
    delegate.wait(for: 3)

    let kept = (storage.cookies(for: World.film) ?? []).map(\.name).sorted()
    #expect(kept == (policy == .never ? [] : ["a", "b"]))
  }

  @Test func `what is changed after resume is handed over, and outlives a life without the daemon`() throws {
    let first = world.newLife()
    let task = world.session(of: first, Recorder()).downloadTask(with: World.film)
    task.taskDescription = "before"
    task.resume()
    world.daemon.goAway()
    task.priority = 0.75
    task.taskDescription = "after"
    first.die()
    world.daemon.comeBackQuietly()

    let second = world.newLife()
    _ = world.session(of: second, Recorder())
    let updates = world.daemon.waitForCalls(2) { if case .update = $0 { true } else { false } }

    #expect(world.daemon.enqueued.first?.label == "before")
    #expect(
      updates == [
        .update(.init(session: "films", task: 1, priority: 0.75)),
        .update(.init(session: "films", task: 1, label: "after")),
      ])
  }

  @Test func `the oldest TLS is handed over when it is not the usual`() {
    let session = world.session(of: world.newLife(), Recorder()) { $0.tlsMinimumSupportedProtocolVersion = .TLSv13 }

    session.downloadTask(with: World.film).resume()

    world.daemon.waitForCalls { $0.isEnqueue }
    #expect(world.daemon.enqueued[0].options?.tlsMinimum == "1.3")
  }

  @Test func `metrics are told before the end`() async throws {
    let listener = Listener()
    let task = world.session(of: world.newLife(), listener).downloadTask(with: World.film)
    task.resume()
    var exchange = WireMetrics.Exchange(url: "http://films.example/2", fetchStart: 1_700_000_000_000_000_000)
    (exchange.status, exchange.protocol, exchange.tlsVersion) = (200, "h2", 772)
    exchange.response = .init(start: 1_700_000_001_000_000_000, end: 1_700_000_002_000_000_000)
    var end = try world.end(1, task: 1, text: "x")
    end.response?.url = "http://films.example/2"
    end.metrics = WireMetrics(exchanges: [exchange], redirects: 1)

    world.daemon.end(end)
    let heard = try await listener.whole()

    #expect(heard.suffix(3) == ["file", "metrics", "done"])
    let metrics = try #require(listener.metrics)
    let last = try #require(metrics.transactionMetrics.last)
    #expect(metrics.redirectCount == 1 && abs(metrics.taskInterval.duration - 2) < 0.01)
    #expect(last.networkProtocolName == "h2" && last.negotiatedTLSProtocolVersion == .TLSv13)
    #expect(task.currentRequest?.url?.path == "/2" && task.originalRequest?.url == World.film)
  }

  @Test func `a failure has the daemon's own word underneath`() throws {
    let error = SessionFailure(FailureMessage(code: "diskFull", detail: "no room")).error(for: World.film)

    let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(cause.domain == "dev.nightjar.TransferFailure" && cause.localizedDescription == "diskFull")
    #expect(error.backgroundTaskCancelledReason == nil && error.networkUnavailableReason == nil)
  }
}
