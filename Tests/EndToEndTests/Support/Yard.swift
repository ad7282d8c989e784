import ForeignServer
import ScriptedServer

/// The servers of a siege: one for each way in which bytes are carried.
struct Yard {
  private let servers: [Carriage: HTTPTestServer]
  private let foreign: UploadPeer

  /// How a connection carries bytes; `foreign` is somebody else's server for resumable uploads.
  enum Carriage: Hashable {
    case plain, tls, http2, foreign

    fileprivate static let ours: [(Carriage, HTTPTestServer.Security)] = [
      (.plain, .plain), (.tls, .tls), (.http2, .http2),
    ]
  }

  /// Opens servers that do with these what they will do. The first connections to somebody else's are cut.
  static func open(for cargo: [Cargo], _ dice: inout Dice) async throws -> Yard {
    var servers: [Carriage: HTTPTestServer] = [:]
    for (carriage, security) in Carriage.ours { servers[carriage] = try await HTTPTestServer.start(security) }
    for cargo in cargo { servers[cargo.carriage]?.play(cargo.path, cargo.scripts(&dice)) }
    let cuts = (0..<20).map { _ in Int.random(in: 1...200_000, using: &dice) }
    return Yard(servers: servers, foreign: try await UploadPeer.start(cuts: cuts))
  }

  /// Where it comes from or goes to.
  func url(of cargo: Cargo) -> String { servers[cargo.carriage]?.url(cargo.path) ?? foreign.url(cargo.path) }

  /// The SHA-256 of whatever came whole, as often as it came.
  func digests(of cargo: Cargo) -> [String] {
    servers[cargo.carriage]?.requests(cargo.path).compactMap(\.bodyDigest) ?? foreign.digests(cargo.path)
  }

  /// The setting by which a daemon trusts the servers.
  static func trust(in home: Home) throws -> (name: String, path: String) {
    let path = home.folder + "/authority.pem"
    try Files.write(Fixtures.authority.utf8, to: path)
    return ("NIGHTJAR_TRUSTED_CERTIFICATES", path)
  }

  func close() async throws {
    for server in servers.values { try await server.stop() }
    try await foreign.stop()
  }
}
