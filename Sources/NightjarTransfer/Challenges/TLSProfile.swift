import NightjarModel

/// How a transfer meets a server in TLS: which certificates its app has decided about, and which of its own it shows.
///
/// Transfers of the same profile share connections; those of another do not, so that no app profits from another's
/// decisions.
struct TLSProfile: Hashable, Sendable {
  /// The server's own certificates, in DER, that are accepted whatever the system says.
  var trusted: Set<[UInt8]> = []
  /// Those that the app has seen and leaves to the system.
  var approved: Set<[UInt8]> = []
  /// Whether the app wants to see what the system trusts, too.
  var examines = false
  /// The client certificate with the chain to its issuer, and its key, in PEM.
  var identity: Identity?

  struct Identity: Hashable, Sendable {
    var chain: String
    var key: String
  }

  /// Nothing was decided, and nothing is asked about certificates that are trusted.
  static let ordinary = TLSProfile()

  /// The profile of an order for one origin.
  init(_ order: TransferOrder, at origin: Origin) {
    guard origin.isSecure else { return }
    examines = order.asks.everyCertificate
    for answered in order.answers where answered.subject.space.belongs(to: origin) {
      switch (answered.subject.space.method, answered.decision) {
      case (.serverTrust, .use(.trust, _)): trusted.insert(answered.subject.leaf)
      case (.serverTrust, .performDefault): approved.insert(answered.subject.leaf)
      case (.clientCertificate, .use(.identity(let chain, let key), _)): identity = Identity(chain: chain, key: key)
      case (_, _): break
      }
    }
    if !examines { approved = [] }
  }

  private init() {}
}
