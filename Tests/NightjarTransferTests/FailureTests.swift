import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct FailureTests {
  private static let serving = Serving(Content(seed: 3, size: 200_000))

  static let scripts: [(Script, TransferFailure.Code)] = [
    (.serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 1000) }), .connectionLost),
    (.serve(serving.with { ($0.mishap, $0.mishapAfter) = (.reset, 1000) }), .connectionLost),
    (.serve(serving.with { $0.announcedLength = 200_001 }), .connectionLost),
    (.serve(serving.with { ($0.mishap, $0.mishapAfter, $0.isChunked) = (.cut, 1000, true) }), .connectionLost),
    (.hangUp, .connectionLost),
    (.endlessHeaders, .badServerResponse),
    (.endlessInformation, .badServerResponse),
    (.raw("SSH-2.0-OpenSSH_9.2\r\n"), .badServerResponse),
    (.raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), .badServerResponse),
    (.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfour!"), .badServerResponse),
    (.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), .badServerResponse),
    (.raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc"), .badServerResponse),
  ]

  @Test(arguments: scripts)
  func `an answer that breaks HTTP is a failure with its code`(script: Script, code: TransferFailure.Code) async throws
  {
    try await withWorkshop { workshop, server in
      server.play("/x", script)

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == code, "\(facts)")
      #expect(facts.failure?.detail.contains("127.0.0.1") == true)
    }
  }

  @Test func `what came of a lying answer is disowned`() async throws {
    try await withWorkshop(settings: { $0.checkpointBytes = 1 }) { workshop, server in
      server.play("/x", .raw("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\nfour!"))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.checkpoints.last?.offset ?? 0 == 0)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .http2])
  func `what came of an answer that ends short of its length is kept`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .serve(Self.serving.with { $0.announcedLength = 200_001 }))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      #expect(facts.checkpoints.last?.offset == 200_000, "\(facts)")
    }
  }

  @Test func `a rest in a transfer coding is refused, and what came before is kept`() async throws {
    try await withWorkshop { workshop, server in
      let resume = ResumePoint(offset: 100_000, validator: .entityTag("\"3-200000\""), length: 200_000)
      Disk.write(Self.serving.content.bytes(0..<100_000), to: workshop.part())
      let fields = [
        "ETag: \"3-200000\"", "Content-Range: bytes 100000-199999/200000", "Transfer-Encoding: gzip, chunked",
      ]
      let head = (["HTTP/1.1 206 Partial Content"] + fields).joined(separator: "\r\n")
      server.play("/x", .raw(head + "\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))

      let facts = try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(facts.failure?.code == .badServerResponse, "\(facts)")
      #expect(Disk.read(workshop.part()) == Self.serving.content.bytes(0..<100_000))
    }
  }

  @Test(arguments: [
    Script.silence, .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 1000) }),
  ])
  func `a server that goes quiet is given up after the request timeout`(script: Script) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", script)

      let facts = try await workshop.run(.download(server.url("/x")) { $0.requestTimeout = .milliseconds(50) })

      #expect(facts.failure?.code == .timedOut)
    }
  }

  @Test func `a server that does not greet in TLS is given up`() async throws {
    try await withWorkshop(settings: { $0.connectTimeout = .milliseconds(50) }) { workshop, server in
      // The plain server waits for a request line that a TLS greeting never ends.
      let facts = try await workshop.run(.download("https://127.0.0.1:\(server.port)/x"))

      #expect([.timedOut, .secureConnectionFailed, .connectionLost].contains(facts.failure?.code))
    }
  }

  @Test func `a failure of TLS is told without numbers and without the paths of a library's sources`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200, body: "in the clear"))

      let facts = try await workshop.run(.download("https://127.0.0.1:\(server.port)/x"))

      let detail = facts.failure?.detail ?? ""
      #expect(!detail.contains("/") && !detail.contains("error:"), "\(detail)")
    }
  }

  @Test(arguments: [
    (NIOSSLError.failedToLoadCertificate, "the certificate to be shown there cannot be read"),
    (NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), "it ended the handshake"),
  ])
  func `an error of TLS without a code of its own is told in words`(error: NIOSSLError, words: String) {
    let failure = TransferFailure.reading(error, host: "h.example")

    #expect(failure.detail == "no secure connection to h.example: \(words)")
  }

  @Test(
    arguments: [
      (HTTPParserError.invalidConstant, "h.example does not answer in HTTP: the answer does not begin with HTTP/1"),
      (HTTPParserError.unknown, "h.example does not answer in HTTP: the answer cannot be read"),
      (NIOHTTPDecoderError.unsolicitedResponse, "h.example sent an answer that nobody had asked for"),
      (NIOHTTP2Errors.excessiveContinuationFrames(), "h.example breaks HTTP/2 (excessive continuation frames)"),
      (NIOHTTP2Errors.excessiveRSTFrames(), "h.example breaks HTTP/2 (excessive rst frames)"),
      (
        NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .protocolError),
        "the stream to h.example ended with a breach of HTTP/2 (protocol error)"
      ),
      (
        NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .internalError),
        "h.example ended the stream without an answer (internal error)"
      ),
      (ChannelError.alreadyClosed, "the connection to h.example broke: already closed"),
      (ExchangeError.noStatus, "h.example answers without a status from 100 to 999"),
    ] as [(any Error, String)])
  func `an error of a library is told in words, and not by its name there`(error: any Error, words: String) {
    #expect(TransferFailure.reading(error, host: "h.example").detail == words)
  }

  @Test(arguments: [ExchangeError.closedEarly, HTTPParserError.invalidEOFState] as [any Error])
  func `who hangs up is said to have given no answer, or not all of it`(error: any Error) {
    let details = [false, true].map { TransferFailure.reading(error, host: "h.example", isAnswered: $0).detail }

    let words = ["without an answer", "before the last byte"]
    #expect(details == words.map { "h.example closed the connection \($0)" })
  }

  @Test func `a connection that is closed amid the handshake is lost, as one without TLS would be`() {
    let closed = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))

    #expect(TransferFailure.reading(closed, host: "h.example").code == .connectionLost)
  }

  @Test func `a port where nobody listens cannot be connected to`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download("http://127.0.0.1:1/x"))

      #expect(facts.failure?.code == .cannotConnect)
    }
  }

  @Test func `a name without an address is told as such`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download("http://nowhere.invalid/x"))

      #expect(facts.failure?.code == .cannotFindHost)
    }
  }

  @Test(arguments: ["ftp://host/x", "nonsense", "http:///x", "http://h:99999/", "http://[::1"])
  func `a URL that cannot be used is refused`(url: String) async throws {
    try await withWorkshop { workshop, _ in
      let facts = try await workshop.run(.download(url))
      #expect(facts.failure?.code == .badURL)
    }
  }

  @Test func `a header field that would smuggle another is refused and not shown`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(
        .download(server.url("/x")) { $0.headers = [HTTPField("Authorization", "secret\r\nX: y")] })

      #expect(facts.failure?.code == .badURL)
      #expect(facts.failure?.detail.contains("secret") == false)
    }
  }

  @Test(arguments: [("17", "17 s"), ("7200", "2 h"), ("86400", "1 d"), ("31622400", "more than 1 d")])
  func `a busy server's wish is told in words, as far as it counts`(wish: String, words: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, headers: ["Retry-After": wish]))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.detail == "127.0.0.1 answered 503; it asks to wait \(words)")
    }
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `a busy server is a failure that carries its wish`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: status, headers: ["Retry-After": "17"], body: "not now"))

      let facts = try await workshop.run(.download(server.url("/x")))

      guard case .failed(let failure, let retryAfter)? = facts.last else {
        Issue.record("not failed: \(facts)")
        return
      }
      #expect(failure.code == .serverBusy)
      #expect(retryAfter == .seconds(17))
    }
  }

  @Test(arguments: [(429, true), (503, true), (500, false), (502, false)])
  func `a host that has had too many requests is told of apart from the attempt`(status: Int, isTold: Bool) async throws
  {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      let busy = Script.answer(status: status, headers: ["Retry-After": "17"])
      server.play("/down", busy)
      server.play("/up", busy)
      server.play("/silent", .answer(status: status))

      let download = try await workshop.run(.download(server.url("/down")))
      let upload = try await workshop.run(.upload(film, to: server.url("/up"), id: 2))
      let silent = try await workshop.run(.download(server.url("/silent"), id: 3))

      #expect(download.throttlings == (isTold ? [.seconds(17)] : []))
      #expect(upload.throttlings == download.throttlings && silent.throttlings.isEmpty)
    }
  }

  @Test func `another host, or port, than the one that was asked is not told of`() async throws {
    try await withWorkshop { workshop, server in
      let there = server.url("/there").replacing("127.0.0.1", with: "localhost")
      server.play("/here", .redirect(to: there))
      server.play("/there", .answer(status: 429, headers: ["Retry-After": "17"]))

      let facts = try await workshop.run(.download(server.url("/here")))

      #expect(facts.failure?.code == .serverBusy)
      #expect(facts.throttlings.isEmpty)
    }
    let (plain, secure) = (Origin(isSecure: false, host: "h", port: 80), Origin(isSecure: true, host: "h", port: 443))
    #expect(plain.isSameHost(as: secure) && !plain.isSameHost(as: Origin(isSecure: false, host: "h", port: 8080)))
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `what must not be done twice is repeated only where the server has not done it`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      server.play("/post", .answer(status: status, body: "done, perhaps"))

      let download = try await workshop.run(.download(server.url("/post")) { $0.method = "POST" })
      let upload = try await workshop.run(.upload(film, to: server.url("/post"), id: 2) { $0.method = "POST" })

      let isUnheard = [408, 425, 429, 503].contains(status)
      #expect([download, upload].map(\.failure?.code) == (isUnheard ? [.serverBusy, .serverBusy] : [nil, nil]))
      #expect([download, upload].map(\.response?.status) == (isUnheard ? [nil, nil] : [status, status]))
    }
  }

  @Test(arguments: ["POST", "GET"])
  func `what was done already is not done again because its answer is of no use`(method: String) async throws {
    try await withWorkshop { workshop, server in
      for (number, coding) in ["zstd", "gzip"].enumerated() {
        server.play("/\(number)", .bytes([1, 2, 3], headers: ["Content-Encoding": coding]))

        let id = Int64(number + 1)
        let facts = try await workshop.run(.download(server.url("/\(number)"), id: id) { $0.method = method })

        #expect(facts.failure?.code == .badServerResponse, "\(facts)")
        #expect(facts.isUnanswered == (method == "POST"), "\(facts)")
      }
    }
  }

  @Test(arguments: ["POST", "GET"])
  func `what was done already is not done again because there is no room for the file`(method: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/post", .serve(Serving(Content(seed: 1, size: 1 << 50))))

      let facts = try await workshop.run(.download(server.url("/post")) { $0.method = method })

      #expect(facts.failure?.code == .diskFull && facts.isUnanswered == (method == "POST"), "\(facts)")
    }
  }

  @Test func `a busy server's answer is a file where the client wants it`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, body: "not now"))

      let facts = try await workshop.run(.download(server.url("/x"), retriesServerErrors: false))

      #expect(facts.response?.status == 503)
      #expect(Disk.read(workshop.part()) == Array("not now".utf8))
    }
  }

  @Test func `a busy server costs nothing of what came before`() async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 3, size: 200_000)
      let resume = ResumePoint(offset: 100_000, validator: .entityTag("\"3-200000\""), length: 200_000)
      Disk.write(content.bytes(0..<100_000), to: workshop.part())
      server.play("/x", .answer(status: 503), .serve(Self.serving))

      let busy = try await workshop.run(.download(server.url("/x"), resume: resume))
      try await workshop.run(.download(server.url("/x"), attempt: 2, resume: resume))

      #expect(busy.checkpoints.isEmpty)
      #expect(server.requests("/x").last?.headers["range"] == "bytes=100000-")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `after its terminal fact an attempt is never heard of again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Self.serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }))
      let order = TransferOrder.download(server.url("/x"))
      try await workshop.run(order)

      workshop.engine.stop(order.id, attempt: 1)
      try await workshop.run(.download(server.url("/file/1/10"), id: 2))

      #expect(workshop.log.facts(of: order.id, attempt: 1).count(where: \.isTerminal) == 1)
      #expect(workshop.log.facts(of: order.id, attempt: 1).last?.isTerminal == true)
    }
  }

  @Test func `a stream that ends short of its length harms no other on its connection`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      server.play("/x", .serve(Self.serving.with { ($0.mishap, $0.mishapAfter) = (.hold, 100_000) }))
      server.play("/short", .serve(Self.serving.with { $0.announcedLength = 200_001 }))
      let order = TransferOrder.download(server.url("/x"))
      workshop.engine.start(order)
      try await workshop.log.first { if case .progressed = $0.fact { true } else { false } }

      let short = try await workshop.run(.download(server.url("/short"), id: 2))
      server.release("/x")
      let facts = try await workshop.end(of: order)

      #expect(short.failure?.code == .connectionLost, "\(short)")
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == Self.serving.content.bytes)
      #expect(server.connections == 1)
    }
  }

  @Test func `a connection on which a stream has stalled gets no further ones`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      server.play("/stalled", .silence)

      let stalled = try await workshop.run(.download(server.url("/stalled")) { $0.requestTimeout = .milliseconds(300) })
      let next = try await workshop.run(.download(server.url("/file/7/1000"), id: 2))

      #expect(stalled.failure?.code == .timedOut)
      #expect(next.response?.status == 200)
      #expect(server.connections == 2)
    }
  }
}
