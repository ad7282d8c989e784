import Foundation
import Glibc
import HTTPTypes
import Patience
import Synchronization
import Testing

@testable import NightjarHome

/// The server itself, over real sockets, with its file in a folder of its own.
@Suite(.timeLimit(.minutes(2))) struct ServingTests {
  @Test func `a file that cannot be written ends it at once, and is named`() async throws {
    let stage = try Stage()
    let screen = stage.screen(folder: stage.folder + "/missing")

    let failure = await #expect(throws: HomeError.self) { try await screen.run(port: 0) { _ in } }

    #expect(failure?.code == .unwritable)
    #expect(failure?.detail.contains(stage.folder + "/missing/home-") == true)
  }

  @Test func `a code that the file cannot be given is told with the reason, and the next one is written again`()
    async throws
  {
    let stage = try Stage()
    let run = stage.run(stage.screen())
    let opened = try #require(await stage.entrance())
    let draft = opened.file + ".new"

    try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
    stage.letTimePass()
    let second = try #require(await stage.entrance())
    try FileManager.default.removeItem(atPath: draft)
    stage.letTimePass()
    let third = try #require(await stage.entrance())
    let text = try String(contentsOfFile: opened.file, encoding: .utf8)
    run.cancel()
    _ = await run.result

    #expect(opened.trouble == nil && third.trouble == nil)
    #expect(second.occasion == .renewed && second.trouble?.code == .unwritable)
    #expect(second.code != third.code && text.contains(third.code))
    #expect(!FileManager.default.fileExists(atPath: opened.file))
  }

  @Test func `what others have left goes, unless somebody serves its port`() async throws {
    let stage = try Stage()
    let first = stage.run(stage.screen())
    let served = try #require(await stage.entrance()).file
    let left = ["home-1.html", "home-1.html.new"].map { "\(stage.folder)/\($0)" }
    let others = ["home-x.html", "home-99999.html", "nightjar.sock"].map { "\(stage.folder)/\($0)" }
    for file in left + others { _ = FileManager.default.createFile(atPath: file, contents: nil) }

    let second = stage.run(stage.screen())
    let own = try #require(await stage.entrance()).file
    let there = ([served, own] + left + others).filter(FileManager.default.fileExists(atPath:))
    for run in [first, second] { run.cancel() }
    for run in [first, second] { _ = await run.result }

    #expect(there == [served, own] + others)
  }

  @Test func `connections that say nothing, or half a request, keep nobody out for long`() async throws {
    let stage = try Stage()
    var screen = stage.screen()
    (screen.connectionsMax, screen.silenceMax) = (2, .milliseconds(250))
    let run = stage.run(screen)
    let port = try #require(await stage.entrance().flatMap { URL(string: $0.address)?.port })

    let idle = try (0..<8).map { _ in try Visitor(port: port) }
    for visitor in idle.prefix(4) { visitor.say("GET / HTTP/1.1\r\nHost: ") }
    let answer = try await Visitor.answer(port: port)
    run.cancel()
    _ = await run.result

    #expect(answer == "HTTP/1.1 200 OK")
    withExtendedLifetime(idle) {}
  }

  @Test func `those who may not come in keep nobody out for long, however much they say and however little they hear`()
    async throws
  {
    let stage = try Stage()
    var screen = stage.screen()
    (screen.connectionsMax, screen.silenceMax) = (2, .milliseconds(250))
    let run = stage.run(screen)
    let port = try #require(await stage.entrance().flatMap { URL(string: $0.address)?.port })
    let host = "Host: 127.0.0.1:\(port)\r\n"
    let piece = "4000\r\n\(String(repeating: "x", count: 0x4000))\r\n"

    for request in ["POST /enter", "GET /", "POST /api/Status"] {
      for _ in 0..<2 {
        let stranger = try Visitor(port: port)
        stranger.say("\(request) HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n")
        stranger.goOn(saying: piece)
      }
    }
    for _ in 0..<2 { try Visitor(port: port).goOn(saying: "GET /home.css HTTP/1.1\r\n\(host)\r\n") }
    let answer = try await Visitor.answer(port: port)
    run.cancel()
    _ = await run.result

    #expect(answer == "HTTP/1.1 200 OK")
  }

  @Test func `who has been let in hears the news for longer than others are listened to`() async throws {
    let stage = try Stage()
    var screen = stage.screen()
    screen.silenceMax = .seconds(15)  // Time enough to come in, however busy this machine is.
    let run = stage.run(screen)
    let entrance = try #require(await stage.entrance())
    let port = try #require(URL(string: entrance.address)?.port)

    let guest = try Visitor(port: port)
    guest.ask("GET /events", with: await guest.enter(entrance))
    _ = await guest.hear(until: "data: ")
    let stranger = try await Visitor(port: port).hear()  // It has come later, and is closed when its time is over.
    let isOpen = guest.isOpen
    run.cancel()
    _ = await run.result

    #expect(stranger.isEmpty && isOpen)
  }

  @Test(arguments: [
    ("HEAD /", "200 OK", ""), ("PUT /home.js", "405 Method Not Allowed", "GET, HEAD"),
    ("GET /enter", "405 Method Not Allowed", "POST"), ("HEAD /view", "405 Method Not Allowed", "GET"),
    ("GET /nothing", "404 Not Found", ""),
  ])
  func `a path takes its own methods, and says which to who comes with another`(
    what: String, status: String, allowed: String
  ) async throws {
    let stage = try Stage()
    let run = stage.run(stage.screen())
    let entrance = try #require(await stage.entrance())
    let port = try #require(URL(string: entrance.address)?.port)

    let visitor = try Visitor(port: port)
    visitor.say("\(what) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    let head = await visitor.hear(until: "\r\n\r\n").split(separator: "\r\n").map(String.init)
    run.cancel()
    _ = await run.result

    #expect(head.first == "HTTP/1.1 \(status)")
    #expect(head.filter { $0.hasPrefix("Allow: ") } == (allowed.isEmpty ? [] : ["Allow: \(allowed)"]))
  }

  @Test(
    arguments: [
      ("GET /", "\r\n", 200), ("GET /nothing", "\r\n", 404), ("PUT /home.js", "\r\n", 405),
      ("GET /events", "\r\n", 401),
      ("POST /enter", "Content-Length: 257\r\n\r\n" + String(repeating: "x", count: 257), 413),
      ("POST /enter", "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", 400), ("NONSENSE /", "\r\n", 400),
    ] as [(String, String, Int)])
  func `every answer has what protects the page, be it to nonsense`(what: String, rest: String, status: Int)
    async throws
  {
    let stage = try Stage()
    let run = stage.run(stage.screen())
    let entrance = try #require(await stage.entrance())
    let port = try #require(URL(string: entrance.address)?.port)

    let visitor = try Visitor(port: port)
    visitor.say("\(what) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(rest)")
    let head = await visitor.hear(until: "\r\n\r\n").lowercased().components(separatedBy: "\r\n")
    run.cancel()
    _ = await run.result

    let names = Set(head.dropFirst().map { String($0.prefix { $0 != ":" }) })
    #expect(head[0].hasPrefix("http/1.1 \(status) "))
    #expect(Letterhead.fields.allSatisfy { names.contains($0.name.canonicalName) }, "\(names)")
  }

  @Test func `so many hear the news at a time, and one more once one of them has gone`() async throws {
    let stage = try Stage()
    var screen = stage.screen()
    screen.streamsMax = 1
    let run = stage.run(screen)
    let entrance = try #require(await stage.entrance())
    let port = try #require(URL(string: entrance.address)?.port)

    var guest: Visitor? = try Visitor(port: port)
    let token = await guest?.enter(entrance) ?? ""
    guest?.ask("GET /events", with: token)
    _ = await guest?.hear(until: "data: ")
    let other = try Visitor(port: port)
    other.ask("GET /events", with: token)
    let refusal = [await other.hear(), await other.hear(until: "}")]
    other.ask("POST /api/Unknown", with: token)
    let answer = await other.hear()
    guest = nil
    try await eventually("the server has noticed that the guest is gone") {
      let visitor = try Visitor(port: port)
      visitor.ask("GET /events", with: token)
      return await visitor.hear() == "HTTP/1.1 200 OK"
    }
    run.cancel()
    _ = await run.result

    #expect(refusal[0] == "HTTP/1.1 503 Service Unavailable" && refusal[1].contains("too many windows"))
    #expect(answer == "HTTP/1.1 404 Not Found")
  }

  @Test func `a daemon that hangs up on everybody is called less and less often, and is said to be away once`()
    async throws
  {
    let stage = try Stage()
    let daemon = try RudeDaemon(socket: stage.folder + "/nightjar.sock")
    let pauses = Mutex<[Duration]>([])
    let screen = stage.screen { pause in
      let isEnough = pauses.withLock { pauses in
        guard pause < .seconds(10) else { return true }  // That one is for a code to expire.
        pauses.append(pause)
        return pauses.count == 7
      }
      if isEnough { try await stage.pause(pause) }
    }
    let run = stage.run(screen)
    let entrance = try #require(await stage.entrance())
    let port = try #require(URL(string: entrance.address)?.port)
    let away = "{\"away\":"

    let guest = try Visitor(port: port)
    guest.ask("GET /events", with: await guest.enter(entrance))
    _ = await guest.hear(until: away)
    try await eventually("it has been called often") { pauses.withLock { $0.count == 7 } }
    run.cancel()
    _ = await run.result
    let rest = await guest.hear(until: "\u{0}")

    let doubled = [50, 100, 200, 400, 800, 1600, 2000].map { (count: Int) in Duration.milliseconds(count) }
    #expect(pauses.withLock { $0 } == doubled)
    #expect(!rest.contains(away), "\(rest)")
    withExtendedLifetime(daemon) {}
  }
}

/// Listens in place of the daemon, and hangs up on whoever calls.
private final class RudeDaemon: Sendable {
  private let listener: Int32

  init(socket path: String) throws {
    let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    try #require(status == 0 && listen(listener, 8) == 0)
    Thread.detachNewThread {
      while true {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return }
        close(caller)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}

/// A folder, and time that is moved by hand.
private final class Stage: Sendable {
  let folder: String
  private let time = Mutex(Duration.zero)
  /// Those who wait for time to pass, and how often it has for nobody yet.
  private let waiting = Mutex((signals: [AsyncStream<Void>.Continuation](), passed: 0))
  private let (entrances, tell) = AsyncStream<HomeScreen.Entrance>.makeStream()

  init() throws {
    folder = "/tmp/nightjar-home-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func screen(folder: String? = nil, pause: (@Sendable (Duration) async throws -> Void)? = nil) -> HomeScreen {
    HomeScreen(
      socket: (folder ?? self.folder) + "/nightjar.sock", icon: { _ in nil }, now: { self.time.withLock { $0 } },
      pause: pause ?? { try await self.pause($0) }, entropy: { UInt64.random(in: .min ... .max) })
  }

  /// Serves on any port until it is cancelled.
  func run(_ screen: HomeScreen) -> Task<Void, any Error> {
    Task { [tell] in try await screen.run(port: 0) { tell.yield($0) } }
  }

  /// How to come in, as it is told next.
  func entrance() async -> HomeScreen.Entrance? { await entrances.first { _ in true } }

  /// What has been waited for the longest has come. One who waits no more, since they were cancelled, is passed over.
  func letTimePass() {
    waiting.withLock { waiting in
      while !waiting.signals.isEmpty { if case .enqueued = waiting.signals.removeFirst().yield() { return } }
      waiting.passed += 1
    }
  }

  func pause(_ duration: Duration) async throws {
    let (signals, signal) = AsyncStream<Void>.makeStream()
    waiting.withLock { waiting in
      guard waiting.passed > 0 else { return waiting.signals.append(signal) }
      waiting.passed -= 1
      signal.yield()
    }
    for await _ in signals {
      time.withLock { $0 += duration }
      return
    }
    throw CancellationError()
  }
}
