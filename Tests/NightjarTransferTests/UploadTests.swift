import NightjarModel
import NightjarTransfer
import Patience
import ScriptedServer
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite(.timeLimit(.minutes(2))) struct UploadTests {
  private let content = Content(seed: 5, size: 700_000)

  private func source(_ workshop: Workshop, _ content: Content) -> String {
    Disk.write(content.bytes, to: "\(workshop.folder)/source")
  }

  @Test func `one that breaks off tells how much of it had left`() async throws {
    try await withWorkshop(settings: { $0.progressInterval = .seconds(3600) }) { workshop, server in
      let path = Disk.write(Content(seed: 5, size: 4_000_000).bytes, to: "\(workshop.folder)/source")
      server.play("/x", .cutRequest(after: 400_000))

      let facts = try await workshop.run(.upload(path, to: server.url("/x")))

      #expect(facts.failure != nil, "\(facts)")
      guard case .progressed(let count, 4_000_000)? = facts.dropLast().last else {
        return #expect(Bool(false), "\(facts)")
      }
      #expect(count >= 200_000)  // What had left only in part is not counted.
    }
  }

  @Test(arguments: [0, 1, 700_000] as [Int64], [HTTPTestServer.Security.plain, .tls, .http2])
  func `every byte of the file is sent, and the reply is kept`(
    size: Int64, security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security, settings: { $0.sendSize = 50_000 }) { workshop, server in
      let content = Content(seed: 5, size: size)

      let facts = try await workshop.run(.upload(source(workshop, content), to: server.url("/upload/a")))

      let seen = server.requests("/upload/a").first
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(seen?.bodyDigest == content.sha256)
      #expect(seen?.headers["content-length"] == "\(size)")
      #expect(Disk.read(workshop.reply()) == Array("taken".utf8))
      #expect(facts.dropLast().last == .progressed(count: size, expected: size))
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `a file that has left is told so before it is answered`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security, settings: { $0.progressInterval = .seconds(3600) }) { workshop, server in
      server.play("/x", .silence)
      let order = TransferOrder.upload(source(workshop, content), to: server.url("/x"))
      let whole = TransferFact.progressed(count: content.size, expected: content.size)
      workshop.engine.start(order)

      try await workshop.log.first { $0.fact == whole }

      workshop.engine.stop(order.id, attempt: 1)
      #expect(try await workshop.end(of: order).last == .stopped)
    }
  }

  @Test func `a file that is no longer what was queued is not sent`() async throws {
    try await withWorkshop { workshop, server in
      let path = source(workshop, content)
      let order = TransferOrder.upload(path, to: server.url("/upload/a"))
      Disk.write([1], to: path, mode: "a")

      let facts = try await workshop.run(order)

      #expect(facts.failure?.code == .sourceChanged)
      #expect(server.requests("/upload/a").isEmpty)
    }
  }

  @Test func `a file that changes while it is sent is found out`() async throws {
    try await withWorkshop { workshop, server in
      let path = source(workshop, content)
      workshop.log.hook { if case .progressed = $0.fact { Disk.write([1], to: path, mode: "a") } }

      let facts = try await workshop.run(.upload(path, to: server.url("/upload/a")))

      #expect(facts.failure?.code == .sourceChanged)
    }
  }

  @Test func `a file dated after 2262 is sent as well`() async throws {
    try await withWorkshop { workshop, server in
      let path = source(workshop, content)
      let date = timespec(tv_sec: 9_300_000_000, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, path, [date, date], 0) == 0)

      let facts = try await workshop.run(.upload(path, to: server.url("/upload/a")))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/upload/a").first?.bodyDigest == content.sha256)
    }
  }

  @Test func `a file that is gone cannot be read`() async throws {
    try await withWorkshop { workshop, server in
      let path = source(workshop, content)
      let order = TransferOrder.upload(path, to: server.url("/upload/a"))
      unlink(path)

      let facts = try await workshop.run(order)

      #expect(facts.failure?.code == .cannotReadSource)
    }
  }

  @Test func `an answer before the end is the answer`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answerEarly(status: 413))

      let facts = try await workshop.run(.upload(source(workshop, content), to: server.url("/x")))

      #expect(facts.response?.status == 413)
      #expect(Disk.read(workshop.reply()) == Array("enough\n".utf8))
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `a server that takes the file before its end, and reads on, gets every byte`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      let long = Content(seed: 5, size: 16 << 20)  // More than the kernel takes on the way.
      server.play("/x", .answerEarly(status: 202))

      let facts = try await workshop.run(.upload(source(workshop, long), to: server.url("/x")))
      try await eventually("the server has the end") { !server.requests("/x").isEmpty }

      #expect(facts.response?.status == 202, "\(facts)")
      #expect(facts.dropLast().last == .progressed(count: long.size, expected: long.size))
      #expect(server.requests("/x").map(\.bodyDigest) == [long.sha256])
      #expect(facts.response?.earlyInWords == nil)
      #expect(Disk.read(workshop.reply()) == Array("enough\n".utf8))
    }
  }

  @Test func `a server that takes the file early and says that it closes is not told as having it all`() async throws {
    let words = "HTTP/1.1 202 Accepted\r\nConnection: close\r\nContent-Length: 6\r\n\r\nenough"
    let hasty = try await RawServer.start(.says(Array(words.utf8)), isSecure: false)
    try await withWorkshop { workshop, _ in
      let path = Disk.write([UInt8](repeating: 7, count: 32 << 20), to: "\(workshop.folder)/source")

      let facts = try await workshop.run(.upload(path, to: "http://127.0.0.1:\(hasty.port)/x"))

      #expect(facts.response?.status == 202, "\(facts)")
      #expect(Disk.read(workshop.reply()) == Array("enough".utf8))
      guard case .progressed(let count, let expected)? = facts.dropLast().last else {
        Issue.record("\(facts)")
        return
      }
      #expect(count < 32 << 20 && expected == 32 << 20)
      #expect(facts.response?.earlyInWords == "only \(count) of \(32 << 20) bytes had left")
    }
    try await hasty.stop()
  }

  @Test func `a server that stops reading loses the connection`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .cutRequest(after: 500_000))

      let facts = try await workshop.run(.upload(source(workshop, content), to: server.url("/x")))

      #expect(facts.failure?.code == .connectionLost)
      #expect(facts.checkpoints.isEmpty)
    }
  }

  @Test(arguments: [307, 308])
  func `a redirect that keeps the method sends the file again`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(status: status, to: "/upload/there"))

      try await workshop.run(.upload(source(workshop, content), to: server.url("/x")))

      let seen = server.requests("/upload/there").first
      #expect(seen?.method == "PUT")
      #expect(seen?.bodyDigest == content.sha256)
    }
  }

  @Test func `a server that points to a page before it has the file is told as not having it all`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/page", .answer(status: 200, body: "log in first"))
      let fields = "Location: \(server.url("/page"))\r\nConnection: close\r\nContent-Length: 0"
      let hasty = try await RawServer.start(
        .says(Array("HTTP/1.1 302 Found\r\n\(fields)\r\n\r\n".utf8)), isSecure: false)
      let path = Disk.write([UInt8](repeating: 7, count: 32 << 20), to: "\(workshop.folder)/source")

      let facts = try await workshop.run(.upload(path, to: "http://127.0.0.1:\(hasty.port)/x") { $0.method = "POST" })

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(facts.response?.earlyInWords?.hasSuffix(" of \(32 << 20) bytes had left") == true, "\(facts)")
      try await hasty.stop()
    }
  }

  @Test func `a redirect to a page is fetched without the file`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(status: 303, to: "/done"))
      server.play("/done", .answer(status: 200, body: "see here"))

      let facts = try await workshop.run(.upload(source(workshop, content), to: server.url("/x")))

      #expect(facts.response?.url == server.url("/done"))
      #expect(server.requests("/done").first?.method == "GET")
      #expect(server.requests("/done").first?.bodyLength == 0)
      #expect(Disk.read(workshop.reply()) == Array("see here".utf8))
    }
  }

  @Test(arguments: [true, false])
  func `a link that is slow, but moves, is no stall`(isFile: Bool) async throws {
    try await withWorkshop(.http2, settings: { $0.uploadVersions = [] }) { workshop, server in
      let path = source(workshop, content)

      let facts = try await workshop.runPatiently(from: .milliseconds(800)) { attempt, patience in
        // One piece takes two timeouts.
        let speed = 262_144_000 / patience.wholeMilliseconds
        server.play("/x\(attempt)", .collect(Collecting().with { $0.speed = speed }))
        let (url, id) = (server.url("/x\(attempt)"), Int64(attempt))
        guard !isFile else { return .upload(path, to: url, id: id) { $0.requestTimeout = patience } }
        return .download(url, id: id) {
          ($0.method, $0.body, $0.requestTimeout) = ("POST", content.bytes, patience)
        }
      }

      #expect(facts.response != nil, "\(facts)")
    }
  }

  @Test(arguments: ["PUT", "POST"])
  func `what the kernel has and a slow link still carries is no stall`(method: String) async throws {
    try await withWorkshop(receiveBuffer: 16 << 10, settings: { $0.uploadVersions = [] }) { workshop, server in
      let content = Content(seed: 3, size: 400_000)  // All of it fits into the kernel's buffer.
      let path = source(workshop, content)

      let facts = try await workshop.runPatiently(from: .milliseconds(800)) { attempt, patience in
        let speed = 200_000_000 / patience.wholeMilliseconds  // It takes two timeouts.
        server.play("/x\(attempt)", .collect(Collecting().with { $0.speed = speed }))
        return .upload(path, to: server.url("/x\(attempt)"), id: Int64(attempt)) {
          ($0.method, $0.requestTimeout) = (method, patience)
        }
      }

      #expect(facts.response != nil, "\(facts)")
    }
  }

  @Test(arguments: ["PUT", "POST"])
  func `a server that reads nothing of what the kernel has is a stall`(method: String) async throws {
    try await withWorkshop(receiveBuffer: 16 << 10, settings: { $0.uploadVersions = [] }) { workshop, server in
      let path = source(workshop, Content(seed: 3, size: 400_000))
      server.play("/x", .collect(Collecting().with { $0.speed = 1 }))

      let facts = try await workshop.run(
        .upload(path, to: server.url("/x")) { ($0.method, $0.requestTimeout) = (method, .milliseconds(600)) })

      let end: TransferFact? = method == "PUT" ? facts.failure.map { .failed($0, retryAfter: nil) } : facts.last
      #expect(facts.response == nil && facts.last == end, "\(facts)")
    }
  }

  @Test func `a busy server's wish is told for an upload too`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, headers: ["Retry-After": "3"]))

      let facts = try await workshop.run(.upload(source(workshop, content), to: server.url("/x")))

      #expect(facts.last == .failed(facts.failure ?? TransferFailure(.badURL, ""), retryAfter: .seconds(3)))
      #expect(facts.failure?.code == .serverBusy)
    }
  }
}
