import Glibc
import NIOCore
import NIOPosix
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct `A server that wants HTTP 1` {
  private let content = Content(seed: 7, size: 100_000)

  @Test func `gets it at once, and is not asked in HTTP 2 again`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      server.play("/x", .onlyInHTTP1(then: .serve(Serving(content))))

      let first = try await workshop.run(.download(server.url("/x")))
      let second = try await workshop.run(.download(server.url("/x"), id: 2))

      #expect(first.response?.status == 200, "\(first)")
      #expect(second.response?.status == 200, "\(second)")
      #expect(Disk.read(workshop.part()) == content.bytes)
      #expect(server.requests("/x").map(\.connection) == [1, 2, 2])
      let exchanges = workshop.log.metrics(of: TransferID(1), attempt: 1)?.exchanges ?? []
      #expect(exchanges.map(\.protocolName) == ["h2", "http/1.1"])
    }
  }

  @Test(arguments: ["POST", "PUT"])
  func `gets an upload again from its first byte, whatever the method`(method: String) async throws {
    try await withWorkshop(.http2) { workshop, server in
      server.play("/x", .onlyInHTTP1(then: .take()))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")

      let facts = try await workshop.run(.upload(source, to: server.url("/x")) { $0.method = method })

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").map(\.connection) == [1, 2])
      #expect(server.requests("/x").last?.bodyDigest == content.sha256)
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A connection that is used again` {
  @Test(
    arguments: [(.hangUp, nil), (.raw("SSH-2.0-OpenSSH_9.2\r\n"), .badServerResponse)]
      as [(Script, TransferFailure.Code?)])
  func `costs a second request where it is closed, and none where what comes over it is no HTTP`(
    script: Script, code: TransferFailure.Code?
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .take(), script, .take())
      let source = Disk.write("bytes", to: "\(workshop.folder)/source")

      let first = try await workshop.run(.upload(source, to: server.url("/x")))
      let second = try await workshop.run(.upload(source, to: server.url("/x"), id: 2))

      #expect(first.response?.status == 200, "\(first)")
      #expect(second.failure?.code == code, "\(second)")
      #expect(server.requests("/x").count == (code == nil ? 3 : 2))
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A connection that nobody has used for long` {
  @Test(arguments: [HTTPTestServer.Security.plain, .http2])
  func `is given up before it is closed, which may take a while`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      let settings = workshop.trusting { $0.idleTimeout = .milliseconds(1) }
      let route = Route(origin: Origin(isSecure: security != .plain, host: "localhost", port: server.port))

      let isGivenUp = try await withDialer(settings) { dialer, loop in
        try await loop.flatSubmit {
          dialer.dial(route, on: loop).flatMap { Self.isGivenUp(whenClosed: $0, settings) }
        }.get()
      }

      #expect(isGivenUp)
    }
  }

  /// Whether a connection is out of use at the time when its channel is asked to close.
  private static func isGivenUp(whenClosed line: Line, _ settings: EngineSettings) -> EventLoopFuture<Bool> {
    switch line {
    case .http1(let channel, let facts):
      look(at: channel) {
        let connection = try HTTP1Connection(channel, facts, settings)
        var isGivenUp = false
        connection.onFree = { isReusable in isGivenUp = !isReusable }
        connection.rest(for: settings.idleTimeout)
        return { isGivenUp }
      }
    case .http2(let channel, let multiplexer, let facts):
      look(at: channel) {
        let connection = try HTTP2Connection(channel, multiplexer, facts, settings)
        return { !connection.isUsable }
      }
    }
  }

  private static func look(at channel: any Channel, _ begin: () throws -> () -> Bool) -> EventLoopFuture<Bool> {
    let seen = channel.eventLoop.makePromise(of: Bool.self)
    do {
      let isGivenUp = try begin()
      try channel.pipeline.syncOperations.addHandler(ClosingWatch { seen.succeed(isGivenUp()) })
    } catch {
      seen.fail(error)
    }
    return seen.futureResult
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A connection whose TLS cannot be made ready` {
  @Test func `fails, and so does the next one`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (loop, files) = (group.next(), NIOThreadPool(numberOfThreads: 1))  // Threads that were never started.
    let dialer = Dialer(settings: EngineSettings(), files: files)
    let route = Route(origin: Origin(isSecure: true, host: "origin.example", port: 443))

    for _ in 1...2 {
      await #expect(throws: NIOThreadPoolError.ThreadPoolInactive.self) {
        try await loop.flatSubmit { dialer.context(for: route, on: loop).map { _ in } }.get()
      }
    }

    try await group.shutdownGracefully()
  }
}

@Suite(.timeLimit(.minutes(2))) struct AuthorityFileTests {
  @Test func `authorities that cannot be read for a while cost a transfer nothing but the wait`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let file = "\(workshop.folder)/authority.pem"
      let authorities = Disk.read(file) ?? []
      unlink(file)
      let order = TransferOrder.download(server.url("/file/1/10"))

      let away = try await workshop.run(order)
      Disk.write(authorities, to: file)
      let back = try await workshop.run(.download(server.url("/file/1/10"), attempt: 2))

      #expect(away.failure?.code == .cannotConnect, "it is tried again without end: \(away)")
      #expect(away.failure?.detail.contains("trusted.certificates names \(file), which cannot be read") == true)
      #expect(back.response?.status == 200)
    }
  }

  @Test(arguments: [
    ("authority.pem", "which is no absolute path"), ("/nowhere/authority.pem", "which cannot be read: no such file"),
    ("/proc", "which is no file"), ("/proc/version", "which cannot be read as certificates in PEM"),
  ])
  func `a file that holds no authorities is told from one that does`(path: String, words: String) {
    let fault = AuthorityFile(at: path).fault

    #expect(fault?.hasPrefix("\(path), \(words)") == true, "\(fault ?? "")")
  }
}

/// Looks at something the moment its channel is asked to close.
private final class ClosingWatch: ChannelOutboundHandler {
  typealias OutboundIn = Never

  private let look: () -> Void

  init(_ look: @escaping () -> Void) { self.look = look }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    look()
    context.close(mode: mode, promise: promise)
  }
}

extension Workshop {
  /// Settings for a dialer that trusts the test servers.
  func trusting(_ change: (inout EngineSettings) -> Void = { _ in }) -> EngineSettings {
    var settings = EngineSettings()
    settings.trustedCertificates = "\(folder)/authority.pem"
    change(&settings)
    return settings
  }
}

/// Runs a test with a dialer and an event loop of its own, and ends both whatever happens.
func withDialer<Seen>(
  _ settings: EngineSettings, lookUp: @escaping NameResolver.LookUp = { try NameResolver.addresses(of: $0) },
  _ body: (Dialer, any EventLoop) async throws -> Seen
) async throws -> Seen {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  let files = NIOThreadPool(numberOfThreads: 1)
  files.start()
  let dialer = Dialer(settings: settings, files: files, lookUp: lookUp)
  let result: Result<Seen, any Error>
  do { result = .success(try await body(dialer, group.next())) } catch { result = .failure(error) }
  try await group.shutdownGracefully()
  try await files.shutdownGracefully()
  return try result.get()
}
