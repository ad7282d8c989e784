/// A supported way to authenticate that a server or a proxy offers: Basic (RFC 7617), or Digest (RFC 7616).
public struct AuthOffer: Hashable, Sendable {
  /// The challenge to be met; nil for Basic.
  public let digest: DigestChallenge?
  /// What the password is for, in the server's or proxy's words.
  public let realm: String?
  /// Whether only the nonce was wrong, not the password (RFC 7616, section 3.3).
  public let isStale: Bool

  /// The offers among some challenges, the strongest first.
  public static func all(among schemes: [AuthScheme]) -> [AuthOffer] {
    let digest = DigestChallenge.best(of: schemes).map { AuthOffer($0.scheme, $0.digest) }
    let basic = schemes.first { $0.name == "basic" }.map { AuthOffer($0, nil) }
    return [digest, basic].compactMap { $0 }
  }

  private init(_ scheme: AuthScheme, _ digest: DigestChallenge?) {
    (self.digest, realm) = (digest, scheme.parameters["realm"])
    isStale = digest != nil && scheme.parameters["stale"]?.lowercased() == "true"
  }

  /// How often in a row a nonce may be called stale before the password counts as wrong.
  public static let stalesMax = 3
}
