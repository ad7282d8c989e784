import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite(.timeLimit(.minutes(2))) struct CodingTests {
  private static let text = Array(String(repeating: "the same words again and again; ", count: 50_000).utf8)
  private static let noise = Content(seed: 4, size: 900_000).bytes

  static let bodies: [(String, [UInt8], [UInt8])] = [
    ("gzip", Zip.gzip(text), text), ("x-gzip", Zip.gzip(noise), noise), ("deflate", Zip.zlib(noise), noise),
    ("deflate", Zip.bare(text), text), ("GZIP", Zip.gzip([]), []),
    ("gzip", Zip.gzip(text) + Zip.gzip(noise), text + noise),
    ("gzip", Zip.gzip(text) + [0, 0, 0, 0], text), ("identity", noise, noise), ("gzip", [], []),
    ("aws-chunked,gzip", Zip.gzip(text), text), ("none", noise, noise),
  ]

  @Test(arguments: [HTTPTestServer.Security.plain, .http2], [-1, nil] as [Int?])
  func `a coded body is decoded while it comes`(security: HTTPTestServer.Security, announcing: Int?) async throws {
    try await withWorkshop(security) { workshop, server in
      for (number, (coding, coded, plain)) in Self.bodies.enumerated() {
        let id = Int64(number + 1)
        server.play("/\(id)", .bytes(coded, headers: ["Content-Encoding": coding], announcing: announcing))

        let facts = try await workshop.run(.download(server.url("/\(id)"), id: id))

        #expect(facts.response?.headers[field: "Content-Encoding"] == coding, "\(facts)")
        #expect(Disk.read(workshop.part(id)) == plain, "\(coding), \(coded.count) bytes")
      }
    }
  }

  /// "nightjar" six times, as libbrotlienc 1.0.9 codes it.
  private static let brotli: [UInt8] = [
    0x1B, 0x35, 0x00, 0x00, 0x04, 0x36, 0xE0, 0x3C, 0xA1, 0x58, 0xD3, 0xF1, 0x1C, 0x44, 0x11, 0x73, 0x8A, 0xB1, 0xA4,
    0x6D, 0x5D, 0x01,
  ]

  @Test(.enabled(if: Brotli() != nil, "this machine has no libbrotlidec.so.1"))
  func `Brotli is decoded where the machine has a library for it`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(Self.brotli, headers: ["Content-Encoding": "br"]))

      try await workshop.run(.download(server.url("/x")))

      let text = Array(repeating: "nightjar", count: 6).joined(separator: " ") + "\n"
      #expect(Disk.read(workshop.part()) == Array(text.utf8))
    }
  }

  @Test(
    arguments: [
      ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("gzip, br", [1, 2, 3]), ("gzip", Array("plain after all".utf8)),
      ("compress", [0x1F, 0x9D]), ("x-compress", [0x1F, 0x9D]), ("none, zstd", [0x28, 0xB5, 0x2F, 0xFD]),
      ("deflate", [0xFF, 0xFF, 0xFF, 0xFF]), ("br", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func `what cannot be decoded fails in words, and leaves no garbage`(coding: String, body: [UInt8]) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(body, headers: ["Content-Encoding": coding]))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.failure?.detail.contains("127.0.0.1") == true)
      #expect(facts.checkpoints.allSatisfy { $0.offset == 0 })
    }
  }

  @Test(arguments: ["none", "binary", "UTF-8", "aws-chunked", "identity, none"])
  func `a word that names no coding leaves a file as it is, and resumable`(word: String) async throws {
    try await withWorkshop { workshop, server in
      let serving = Serving(Content(seed: 4, size: 900_000)).with { $0.headers = ["Content-Encoding": word] }
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 400_000) }), .serve(serving))

      let cut = try await workshop.run(.download(server.url("/x")))
      let facts = try await workshop.run(.download(server.url("/x"), attempt: 2, resume: cut.checkpoints.last))

      #expect(cut.failure?.code == .connectionLost, "\(cut)")
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").map { $0.headers["range"] } == [nil, "bytes=400000-"])
      #expect(Disk.read(workshop.part()) == Self.noise)
    }
  }

  @Test func `a coded body that ends early is not taken for the file`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(Zip.gzip(Self.noise).dropLast(9), headers: ["Content-Encoding": "gzip"]))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .connectionLost)
      #expect(facts.failure?.detail.contains("middle of the coded body") == true)
    }
  }

  @Test func `a body that unfolds without measure is given up within bounds`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(Zip.bomb(300 << 20), headers: ["Content-Encoding": "gzip"]))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.failure?.detail.contains("250 times") == true, "\(facts)")
      #expect(Disk.stamp(workshop.part()).size < 70 << 20)
    }
  }

  @Test func `a reply to an upload that unfolds without measure is given up at its bound`() async throws {
    try await withWorkshop(settings: { $0.replyMax = 1 << 20 }) { workshop, server in
      server.play("/x", .bytes(Zip.bomb(100 << 20), headers: ["Content-Encoding": "gzip"]))
      let source = Disk.write("a", to: "\(workshop.folder)/source")

      let facts = try await workshop.run(.upload(source, to: server.url("/x")))

      #expect(facts.loss?.contains("more than 1 MiB") == true, "\(facts)")
      #expect(Disk.read(workshop.reply()) == [])
    }
  }

  @Test func `what unfolds to much is handed out a part at a time`() throws {
    let decoder = try BodyDecoder(.gzip, host: "files.example", EngineSettings())
    decoder.hold(ByteBuffer(bytes: Zip.bomb(20 << 20)))
    var parts: [Int] = []
    var goesOn = true

    while goesOn {
      var size = 0
      goesOn = try decoder.decode(atMost: 4 << 20) { size += $0.readableBytes }
      parts.append(size)
    }

    #expect(parts.reduce(0, +) == 20 << 20)
    #expect(parts.max() == 4 << 20, "\(parts)")
    #expect(decoder.isComplete)
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .http2], [-1, nil] as [Int?])
  func `a coded body whose unfolding takes many turns gets whole into the file, anew as well`(
    security: HTTPTestServer.Security, announcing: Int?
  ) async throws {
    try await withWorkshop(security, settings: { $0.unfoldedPerTurnMax = 1 }) { workshop, server in
      let plain = Serving(Content(seed: 4, size: 900_000)).with { ($0.mishap, $0.mishapAfter) = (.cut, 400_000) }
      let packed = Zip.bomb(5 << 20)
      server.play(
        "/x", .serve(plain), .bytes(packed, headers: ["Content-Encoding": "gzip"], announcing: announcing))
      let cut = try await workshop.run(.download(server.url("/x")))

      let facts = try await workshop.run(.download(server.url("/x"), attempt: 2, resume: cut.checkpoints.last))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == [UInt8](repeating: 0, count: 5 << 20))
    }
  }

  @Test func `what unfolds to much keeps no other transfer waiting`() async throws {
    let settings: (inout EngineSettings) -> Void = { ($0.unfoldedPerTurnMax, $0.progressInterval) = (1, .zero) }
    try await withWorkshop(settings: settings) { workshop, server in
      server.play("/x", .bytes(Zip.bomb(60 << 20), headers: ["Content-Encoding": "gzip"]))
      async let bomb = workshop.run(.download(server.url("/x")))
      try await workshop.log.first { $0.fact.count > 0 }

      try await workshop.run(.download(server.url("/file/1/1000"), id: 2))
      let count = workshop.log.facts(of: TransferID(1), attempt: 1).map(\.count).max() ?? 0

      #expect(count < 60 << 20)
      #expect(try await bomb.failure == nil)
      #expect(Disk.stamp(workshop.part()).size == 60 << 20)
    }
  }

  @Test func `a body that comes a byte at a time is decoded in room that is made once`() throws {
    let copying = Copying()
    let decoder = BodyDecoder(.gzip, by: copying, host: "files.example", EngineSettings())
    var seen: [UInt8] = []

    for byte in Self.noise[..<1000] {
      decoder.hold(ByteBuffer(bytes: [byte]))
      _ = try decoder.decode(atMost: 1000) { seen += $0.readableBytesView }
    }

    #expect(seen == Array(Self.noise[..<1000]))
    #expect(copying.roomsMade == 1)
  }

  @Test func `a gzip file that is called gzip twice stays packed`() async throws {
    try await withWorkshop { workshop, server in
      let packed = Zip.gzip(Self.text)
      let headers = ["Content-Encoding": "gzip", "Content-Type": "application/x-gzip; charset=binary"]
      server.play("/x.tar.gz", .bytes(packed, headers: headers))

      try await workshop.run(.download(server.url("/x.tar.gz")))

      #expect(Disk.read(workshop.part()) == packed)
    }
  }

  @Test func `a part in a coding is not appended to what came before`() async throws {
    try await withWorkshop { workshop, server in
      Disk.write(Array(Self.noise[..<50_000]), to: workshop.part())
      let resume = ResumePoint(offset: 50_000, validator: .entityTag("\"4-900000\""), length: 900_000)
      let content = Content(seed: 4, size: 900_000)
      server.play(
        "/x", .serve(Serving(content).with { $0.headers = ["Content-Encoding": "gzip"] }), .serve(Serving(content)))

      try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=50000-", nil])
      #expect(Disk.read(workshop.part()) == Self.noise)
    }
  }

  @Test func `a coded answer to a request for the rest replaces what came before`() async throws {
    try await withWorkshop { workshop, server in
      Disk.write([UInt8](repeating: 7, count: 50_000), to: workshop.part())
      let resume = ResumePoint(offset: 50_000, validator: .entityTag("\"a\""), length: 900_000)
      server.play("/x", .bytes(Zip.gzip(Self.noise), headers: ["Content-Encoding": "gzip", "ETag": "\"b\""]))

      let facts = try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(facts.checkpoints.first?.offset == 0)
      #expect(Disk.read(workshop.part()) == Self.noise)
    }
  }

  @Test func `a small coded answer, there at once, replaces what came before`() async throws {
    try await withWorkshop { workshop, server in
      Disk.write([UInt8](repeating: 7, count: 50_000), to: workshop.part())
      let resume = ResumePoint(offset: 50_000, validator: .entityTag("\"a\""), length: 900_000)
      server.play("/x", .bytes(Zip.gzip(Array("small".utf8)), headers: ["Content-Encoding": "gzip", "ETag": "\"b\""]))

      let facts = try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == Array("small".utf8))
    }
  }

  @Test func `a part of a coded body that the client itself asked for stays as it is`() async throws {
    try await withWorkshop { workshop, server in
      server.play(
        "/x",
        .raw(
          "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Range: bytes 5-7/9\r\nContent-Length: 3\r\n\r\nabc"
        ))

      try await workshop.run(.download(server.url("/x")) { $0.headers = [HTTPField("Range", "bytes=5-7")] })

      #expect(Disk.read(workshop.part()) == Array("abc".utf8))
    }
  }

  @Test func `trailers are passed over`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(Self.noise, announcing: -1, trailers: ["X-Digest": "abc", "X-More": "def"]))

      let facts = try await workshop.run(.download(server.url("/x")))
      try await workshop.run(.download(server.url("/file/1/10"), id: 2))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == Self.noise)
      #expect(server.connections == 1)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n",
  ])
  func `an answer that has no body ends at its head`(answer: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .raw(answer))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.response != nil, "\(facts)")
      #expect(Disk.read(workshop.part()) == [])
    }
  }
}

/// A coding that changes nothing, and counts how often it finds no room.
private final class Copying: Decoding {
  private(set) var roomsMade = 0
  let isComplete = true

  func decode(_ input: inout ByteBuffer, into piece: inout ByteBuffer, atMost limit: Int) {
    if piece.storageCapacity < limit { roomsMade += 1 }
    piece.reserveCapacity(minimumWritableBytes: limit)
    if var bytes = input.readSlice(length: min(limit, input.readableBytes)) { piece.writeBuffer(&bytes) }
  }
}
