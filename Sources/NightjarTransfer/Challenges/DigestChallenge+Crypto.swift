import Crypto
import NightjarModel

extension DigestChallenge {
  /// The value of an `Authorization` field for one request, hashed by swift-crypto. Each call counts as a use of the
  /// nonce.
  ///
  /// - Parameter clientNonce: Random, a new one for each request.
  mutating func field(user: String, password: String, method: String, target: String, clientNonce: String) -> String {
    field(
      user: user, password: password, method: method, target: target, clientNonce: clientNonce,
      hash: { algorithm, bytes in
        switch algorithm {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        }
      })
  }

  /// A random client nonce.
  static func clientNonce() -> String {
    var chance = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(chance.next(), radix: 16) }.joined()
  }
}
