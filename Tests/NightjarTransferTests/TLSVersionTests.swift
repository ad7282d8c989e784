import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct `A server that speaks only older TLS` {
  private let content = Content(seed: 7, size: 5_000)

  static let spoken: [(HTTPTestServer.Security, TLSVersion, UInt16)] = [
    (.tls10, .tls10, 0x0301), (.tls11, .tls10, 0x0302), (.tls11, .tls11, 0x0302), (.tls12, .tls11, 0x0303),
    (.tls12, .tls12, 0x0303),
  ]

  @Test(arguments: spoken)
  func `is spoken to by a transfer that may speak it`(
    security: HTTPTestServer.Security, minimum: TLSVersion, version: UInt16
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/5000")) { $0.options.tlsMinimum = minimum })

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(workshop.log.metrics(of: TransferID(1), attempt: 1)?.exchanges.last?.tlsVersion == version)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  static let refused: [(HTTPTestServer.Security, TLSVersion?)] = [
    (.tls10, .tls11), (.tls11, nil), (.tls11, .tls12), (.tls12, .tls13),
  ]

  @Test(arguments: refused)
  func `is refused by one that may not, and told nothing`(
    security: HTTPTestServer.Security, minimum: TLSVersion?
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/5000")) { $0.options.tlsMinimum = minimum })

      #expect(facts.failure?.code == .secureConnectionFailed, "\(facts)")
      #expect(facts.failure?.detail.contains("older TLS") == true, "\(facts)")
      #expect(server.requests("/file/7/5000").isEmpty)
    }
  }

  @Test func `shares no connection with a transfer that insists on newer`() async throws {
    try await withWorkshop(.tls12) { workshop, server in
      let first = try await workshop.run(.download(server.url("/file/7/5000")) { $0.options.tlsMinimum = .tls12 })
      let second = try await workshop.run(
        .download(server.url("/file/7/5000"), id: 2) { $0.options.tlsMinimum = .tls13 })

      #expect(first.response?.status == 200)
      #expect(second.failure?.code == .secureConnectionFailed)
    }
  }
}
