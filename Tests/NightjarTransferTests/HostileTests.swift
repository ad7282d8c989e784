import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Servers that mean no good. Each comes to a typed failure in words, and gets rid of no more bytes than a bound.
@Suite(.timeLimit(.minutes(2))) struct HostileTests {
  /// What a server may get rid of before it is cut off: our bounds and the buffers of two kernels.
  private static let sentMax = 32 << 20

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let answers: [(String, RawServer.Conduct, [TransferFailure.Code])] = [
    (
      "a head that never ends",
      .repeats(text("HTTP/1.1 200 OK\r\n"), then: text("X: " + String(repeating: "x", count: 500) + "\r\n")),
      [.badServerResponse]
    ),
    (
      "one field that never ends",
      .repeats(text("HTTP/1.1 200 OK\r\nX: "), then: text(String(repeating: "x", count: 1000))), [.badServerResponse]
    ),
    (
      "a status line that never ends", .repeats(text("HTTP/1.1 200 "), then: text(String(repeating: "O", count: 1000))),
      [.badServerResponse, .timedOut]
    ),
    (
      "endless informational answers", .repeats([], then: text("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
      [.badServerResponse]
    ),
    (
      "trailers that never end",
      .repeats(
        text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"),
        then: text("X: " + String(repeating: "x", count: 500) + "\r\n")), [.badServerResponse]
    ),
    (
      "a chunk of 2^63 bytes",
      .says(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\nabc")),
      [.badServerResponse, .timedOut]
    ),
    (
      "a chunk of 2^64 bytes",
      .says(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\nabc")), [.badServerResponse]
    ),
    (
      "a chunk without a size", .says(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nabc\r\n")),
      [.badServerResponse, .timedOut]
    ),
    (
      "a chunk's extension that never ends",
      .repeats(
        text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;"), then: text(String(repeating: "x", count: 1000))
      ), [.badServerResponse, .timedOut]
    ),
    (
      "a length with chunks",
      .says(text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")),
      [.badServerResponse]
    ),
    ("a negative length", .says(text("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc")), [.badServerResponse]),
    (
      "two lengths", .says(text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd")),
      [.badServerResponse]
    ),
    (
      "two lengths in one field", .says(text("HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\nabcd")),
      [.badServerResponse]
    ),
    (
      "a length of 2^64", .says(text("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nabcd")),
      [.badServerResponse]
    ),
    (
      "a length of nearly 2^63", .says(text("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabcd")),
      [.diskFull]
    ),
    (
      "a NUL in a field", .says(text("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 3\r\n\r\nabc")),
      [.badServerResponse]
    ),
    ("a NUL in a name", .says(text("HTTP/1.1 200 OK\r\nX\0: a\r\nContent-Length: 3\r\n\r\nabc")), [.badServerResponse]),
    ("a space before the colon", .says(text("HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc")), [.badServerResponse]),
    ("a version nobody knows", .says(text("HTTP/9.9 200 OK\r\nContent-Length: 3\r\n\r\nabc")), [.badServerResponse]),
    (
      "a transfer coding that nobody asked for",
      .says(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")),
      [.badServerResponse]
    ),
    ("a status of nothing", .says(text("HTTP/1.1 000 No\r\nContent-Length: 3\r\n\r\nabc")), [.badServerResponse]),
    ("a status of four digits", .says(text("HTTP/1.1 2000 OK\r\nContent-Length: 3\r\n\r\nabc")), [.badServerResponse]),
    (
      "a byte in a while",
      .drips(text("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1000)), milliseconds: 20), [.timedOut]
    ),
    ("a reset instead of an answer", .resets(after: []), [.connectionLost]),
    ("TLS where none was asked for", .says([21, 3, 3, 0, 2, 2, 40]), [.badServerResponse]),
    (
      "switching protocols unasked",
      .says(text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")),
      [.badServerResponse]
    ),
  ]

  @Test(arguments: answers)
  func `an answer that breaks HTTP ends in words`(
    name: String, conduct: RawServer.Conduct, codes: [TransferFailure.Code]
  ) async throws {
    try await expect(codes, of: conduct, isSecure: false, name)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `lines that end without a carriage return are read or refused, never misread`(end: String) async throws {
    try await withWorkshop { workshop, _ in
      let text = ["HTTP/1.1 200 OK", "Content-Length: 3", "", "abc"].joined(separator: end)
      let server = try await RawServer.start(.says(Self.text(text)), isSecure: false)

      let facts = try await workshop.run(.download("http://127.0.0.1:\(server.port)/x"))
      try await server.stop()

      let isRefused = facts.failure?.code == .badServerResponse
      #expect(isRefused || Disk.read(workshop.part()) == Self.text("abc"), "\(facts)")
    }
  }

  @Test(arguments: [
    RawServer.Conduct.resets(after: []), .resets(after: [22, 3, 3, 0, 122, 2, 0, 0, 118]),
    .says(text("no TLS here\r\n")),
    .says([22, 3, 3, 255, 255]), .repeats([], then: [22, 3, 3, 0, 1, 0]), .repeats([], then: [20, 3, 3, 0, 1, 1]),
  ])
  func `TLS that is broken off or broken ends in words`(conduct: RawServer.Conduct) async throws {
    try await withWorkshop(settings: { $0.connectTimeout = .milliseconds(300) }) { workshop, _ in
      let server = try await RawServer.start(conduct, isSecure: false)

      let facts = try await workshop.run(.download("https://127.0.0.1:\(server.port)/x"))
      let sent = server.sent
      try await server.stop()

      let codes: [TransferFailure.Code?] = [.secureConnectionFailed, .connectionLost, .timedOut]
      #expect(codes.contains(facts.failure?.code), "\(facts)")
      #expect(sent < Self.sentMax)
    }
  }

  @Test(arguments: [
    "file:///etc/passwd", "data:text/plain,x", "ftp://127.0.0.1/x", "http:/x", "http://[::1", "//", "http://h:0/",
    "gopher://127.0.0.1:70/", "HTTP://", "javascript:alert(1)", "unix:/run/x.sock",
  ])
  func `a redirect to where HTTP does not lead is not followed`(location: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(to: location))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badRedirect)
    }
  }

  @Test func `a redirect whose body never comes is followed`() async throws {
    try await withWorkshop { workshop, server in
      let head = ["HTTP/1.1 302 Found", "Location: \(server.url("/file/3/1000"))", "Content-Length: 5", "", ""]
      let mute = try await RawServer.start(.says(Self.text(head.joined(separator: "\r\n"))), isSecure: false)

      let facts = try await workshop.runPatiently(from: .milliseconds(300)) { attempt, patience in
        .download("http://127.0.0.1:\(mute.port)/x", attempt: attempt) { $0.requestTimeout = patience }
      }
      try await mute.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part())?.count == 1000)
    }
  }

  @Test func `a redirect to a port that speaks another scheme ends in words`() async throws {
    try await withWorkshop { workshop, server in
      let secure = try await HTTPTestServer.start(.tls)
      server.play("/plain", .redirect(to: "http://127.0.0.1:\(secure.port)/x"))
      server.play("/secure", .redirect(to: "https://127.0.0.1:\(server.port)/x"))

      let plain = try await workshop.run(.download(server.url("/plain")))
      let other = try await workshop.run(.download(server.url("/secure"), id: 2))
      try await secure.stop()

      #expect([.badServerResponse, .connectionLost].contains(plain.failure?.code), "\(plain)")
      #expect([.secureConnectionFailed, .connectionLost].contains(other.failure?.code), "\(other)")
    }
  }

  @Test func `a connection that is switched to another protocol is used no more, whatever comes over it`() async throws
  {
    let good = Self.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
    let switched = Self.text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
    let flood = [UInt8](repeating: 0x61, count: 100_000)
    try await withWorkshop { workshop, _ in
      let server = try await RawServer.start(.answersTwice(good, switched, then: flood), isSecure: false)
      let url = "http://127.0.0.1:\(server.port)/x"

      let first = try await workshop.run(.download(url, id: 1))
      let second = try await workshop.run(.download(url, id: 2))
      let third = try await workshop.run(.download(url, id: 3))
      let (sent, connections) = (server.sent, server.connections)
      try await server.stop()

      #expect(first.response?.status == 200, "\(first)")
      #expect(second.response?.status == 200, "\(second)")  // It was asked for again, on another connection.
      #expect(third.response?.status == 200, "\(third)")
      #expect(connections == 3)
      #expect(sent < Self.sentMax, "\(sent)")
    }
  }

  // MARK: - HTTP/2

  static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let size = payload.count
    return [UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255), type, flags, 0, 0, 0, stream] + payload
  }

  static func times(_ count: Int, _ bytes: [UInt8]) -> [UInt8] { (0..<count).flatMap { _ in bytes } }

  private static let settings = frame(4)
  /// `:status: 200` as HPACK's table has it.
  private static let head = frame(1, 4, 1, [0x88])

  static let floods: [(String, RawServer.Conduct)] = [
    ("settings without end", .repeats(settings, then: times(1000, settings))),
    ("settings of unknown kinds", .repeats(settings, then: frame(4, 0, 0, times(1000, [0x99, 0x99, 0, 0, 0, 1])))),
    ("pings without end", .repeats(settings, then: times(1000, frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])))),
    (
      "a head in endless pieces",
      .repeats(settings + frame(1, 0, 1, [0x88]), then: frame(9, 0, 1, times(1000, [0x40, 1, 97, 1, 98])))
    ),
    ("empty pieces of a head", .repeats(settings + frame(1, 0, 1, [0x88]), then: times(1000, frame(9, 0, 1)))),
    ("empty pieces of a body", .repeats(settings + head, then: times(1000, frame(0, 0, 1)))),
    (
      "a head that unfolds",
      .says(
        settings + frame(1, 4, 1, [0x88] + [0x40, 1, 97, 0x7F, 0x81, 0x1E] + times(4000, [98]) + times(12_000, [0xBE])))
    ),
    ("a table of enormous size", .says(settings + frame(1, 4, 1, [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x88]))),
    ("resets of streams that nobody opened", .repeats(settings, then: times(1000, frame(3, 0, 7, [0, 0, 0, 8])))),
    ("a window beyond 2^31", .says(settings + times(3, frame(8, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF])))),
    ("windows that grow by nothing", .repeats(settings, then: times(1000, frame(8, 0, 1, [0, 0, 0, 0])))),
    ("windows that grow by one", .repeats(settings, then: times(1000, frame(8, 0, 0, [0, 0, 0, 1])))),
    ("promises that nobody wants", .repeats(settings, then: frame(5, 4, 1, [0, 0, 0, 2, 0x88]))),
    ("priorities without end", .repeats(settings, then: times(1000, frame(2, 0, 1, [0, 0, 0, 3, 1])))),
    ("frames of unknown kinds", .repeats(settings, then: times(1000, frame(0x77, 0, 0, [1, 2, 3])))),
    ("a frame larger than allowed", .says(settings + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1] + times(1000, [0]))),
    ("going away at once", .says(settings + frame(7, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0]))),
    ("no streams at all", .says(frame(4, 0, 0, [0, 3, 0, 0, 0, 0]))),
    ("a body before its head", .says(settings + frame(0, 0, 1, [1, 2, 3]))),
    ("two heads", .says(settings + head + head + head)),
    ("HTTP/1.1 after all", .says(text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))),
    ("silence", .says(settings)),
  ]

  @Test(arguments: floods)
  func `HTTP 2 that is abused ends in words`(name: String, conduct: RawServer.Conduct) async throws {
    try await expect(
      [.badServerResponse, .connectionLost, .timedOut, .cannotConnect], of: conduct, isSecure: true, name)
  }

  @Test(arguments: ["", "-5", "5", "20", "099", "2000", "-50", "+200", "2x0", "9223372036854775807", "2\u{301}"])
  func `a status in HTTP 2 that is none ends in words, in the first head or a later one`(status: String) async throws {
    let head = Self.frame(1, 5, 1, Self.status(status))
    let hints = Self.frame(1, 4, 1, Self.status("103"))

    try await expect([.badServerResponse], of: .says(Self.settings + head), isSecure: true, status)
    try await expect([.badServerResponse], of: .says(Self.settings + hints + head), isSecure: true, status)
  }

  /// `:status` by its number in HPACK's table, with a value as it is.
  private static func status(_ value: String) -> [UInt8] { [0x08, UInt8(value.utf8.count)] + text(value) }

  @Test func `a window that lets nothing of an upload through times out`() async throws {
    let settings = Self.frame(4, 0, 0, [0, 4, 0, 0, 0, 0])
    let server = try await RawServer.start(.says(settings), isSecure: true)
    try await withWorkshop(.http2) { workshop, _ in
      let source = Disk.write(Content(seed: 1, size: 100_000).bytes, to: "\(workshop.folder)/source")

      let facts = try await workshop.run(
        .upload(source, to: "https://127.0.0.1:\(server.port)/x") { $0.requestTimeout = .milliseconds(400) })

      #expect(facts.failure?.code == .timedOut, "\(facts)")
    }
    try await server.stop()
  }

  private func expect(
    _ codes: [TransferFailure.Code], of conduct: RawServer.Conduct, isSecure: Bool, _ name: String
  ) async throws {
    // Short only where running out of time is an end that may come: a busy machine takes its time for the others.
    let patience: Duration = codes.contains(.timedOut) ? .milliseconds(400) : .seconds(60)
    try await withWorkshop(isSecure ? .http2 : .plain) { workshop, _ in
      let server = try await RawServer.start(conduct, isSecure: isSecure)

      let facts = try await workshop.run(
        .download("\(isSecure ? "https" : "http")://127.0.0.1:\(server.port)/x") {
          $0.requestTimeout = patience
        })
      let sent = server.sent
      try await server.stop()

      #expect(facts.failure.map { codes.contains($0.code) } == true, "\(name): \(facts)")
      #expect(
        facts.failure?.detail.contains("127.0.0.1") == true || facts.failure?.code == .diskFull, "\(name): \(facts)")
      #expect(sent < Self.sentMax || facts.failure?.code == .timedOut, "\(name) sent \(sent) bytes")
    }
  }
}
