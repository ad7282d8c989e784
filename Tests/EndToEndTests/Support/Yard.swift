import ScriptedServer

/// The servers of a siege: one for each way in which bytes are carried.
struct Yard {
  private let servers: [Carriage: HTTPTestServer]

  /// How a connection carries bytes.
  enum Carriage: CaseIterable {
    case plain, tls, http2

    fileprivate var security: HTTPTestServer.Security {
      switch self {
      case .plain: .plain
      case .tls: .tls
      case .http2: .http2
      }
    }
  }

  private init(_ servers: [Carriage: HTTPTestServer]) { self.servers = servers }

  static func open() async throws -> Yard {
    var servers: [Carriage: HTTPTestServer] = [:]
    for carriage in Carriage.allCases { servers[carriage] = try await HTTPTestServer.start(carriage.security) }
    return Yard(servers)
  }

  subscript(carriage: Carriage) -> HTTPTestServer { servers[carriage]! }

  /// The setting by which a daemon trusts the servers.
  static func trust(in home: Home) throws -> (name: String, path: String) {
    let path = home.folder + "/authority.pem"
    try Files.write(Fixtures.authority.utf8, to: path)
    return ("NIGHTJAR_TRUSTED_CERTIFICATES", path)
  }

  func close() async throws {
    for server in servers.values { try await server.stop() }
  }
}
