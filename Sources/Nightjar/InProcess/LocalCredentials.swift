import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire

/// The challenges and credentials of one task in this process.
///
/// FoundationNetworking's own handling of challenges is not used: it ends the process when a Digest challenge is
/// answered with a credential, and never ends a task whose challenge is answered without one.
struct LocalCredentials {
  /// An authentication method that a server offers.
  struct Offer: Hashable, Sendable {
    var space: AppInterface.ProtectionSpace
    var way: AuthOffer
  }

  /// A server's challenge. Its offers are put to the delegate one after the other, until one is taken.
  struct Question: Sendable {
    var response: HTTPURLResponse
    var offers: [Offer]
    var previousFailures: Int
  }

  /// The credential that is sent to a server.
  private struct Shown {
    var space: AppInterface.ProtectionSpace
    var user: String
    var password: String
    /// The challenge from which the next proof is made; nil for Basic.
    var digest: DigestChallenge?
    /// Whether it was sent since the last redirect.
    var hasGone = false
    /// How often the server has called our nonce stale.
    var stales = 0

    /// Whether the same credential should be sent for an offer: it is for the same space, and the credential was not
    /// yet sent there, or its nonce is stale.
    func serves(_ offer: Offer) -> Bool {
      guard offer.space == space else { return false }
      return !hasGone || offer.way.isStale && stales < AuthOffer.stalesMax
    }
  }

  private var shown: Shown?
  private var failures = 0
  /// The request that was challenged, after redirects; nil for the app's own.
  private var base: URLRequest?
  /// The credential to store in the session's storage once the server has accepted it.
  private(set) var toKeep: (space: AppInterface.ProtectionSpace, credential: URLCredential)?

  /// The challenge of an answer; nil if it has none that can be answered here.
  mutating func read(_ response: URLResponse) -> Question? {
    guard let response = response as? HTTPURLResponse, response.statusCode == 401, let url = response.url else {
      return nil
    }
    let offers = Offer.all(response.value(forHTTPHeaderField: "WWW-Authenticate") ?? "", of: url)
    guard !offers.isEmpty else {
      toKeep = nil  // A refusal all the same.
      return nil
    }
    if let shown, !offers.contains(where: shown.serves) {
      if shown.hasGone { failures += 1 }
      toKeep = nil
    }
    return Question(response: response, offers: offers, previousFailures: failures)
  }

  /// The offer that the present credential serves without asking again: after a redirect on the same server, or with a
  /// new nonce.
  func again(for question: Question) -> Offer? {
    shown.flatMap { shown in question.offers.first(where: shown.serves) }
  }

  /// Sends a credential from the next request on; if nil, the present one.
  mutating func show(_ credential: URLCredential?, for offer: Offer, with request: URLRequest?) {
    if let credential {
      shown = Shown(
        space: offer.space, user: credential.user ?? "", password: credential.password ?? "", digest: offer.way.digest)
      if credential.persistence != .none { toKeep = (offer.space, credential) }
    } else {
      if shown?.hasGone == true { shown?.stales += 1 }
      shown?.digest = offer.way.digest
    }
    base = request
  }

  /// Notes a redirect: the credential was not yet sent with the next request.
  mutating func redirected() { shown?.hasGone = false }

  /// Whether the `Authorization` field is a proof, and holds for one request only.
  var isProof: Bool { shown?.digest != nil }

  /// Takes the credential to store.
  mutating func takeKept() -> (space: AppInterface.ProtectionSpace, credential: URLCredential)? {
    defer { toKeep = nil }
    return toKeep
  }

  /// The request with its `Authorization` field.
  mutating func signed(_ original: URLRequest) -> URLRequest {
    guard shown != nil else { return original }
    var request = base ?? original
    request.setValue(field(for: request), forHTTPHeaderField: "Authorization")
    shown?.hasGone = true
    return request
  }

  private mutating func field(for request: URLRequest) -> String? {
    guard let (user, password) = shown.map({ ($0.user, $0.password) }) else { return nil }
    guard shown?.digest != nil else {
      return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
    return shown?.digest?.field(
      user: user, password: password, method: request.httpMethod ?? "GET", target: request.url?.target ?? "/",
      clientNonce: UUID().uuidString, hash: Self.hash)
  }

  private static func hash(_ algorithm: DigestChallenge.Algorithm, _ bytes: [UInt8]) -> [UInt8] {
    switch algorithm {
    case .md5: Hashes.md5(bytes)
    case .sha256: Hashes.sha256(bytes)
    }
  }
}

extension LocalCredentials.Offer {
  /// The offers of a field, the strongest first.
  static func all(_ field: String, of url: URL) -> [Self] {
    let schemes = AuthScheme.all(in: [HTTPField("www-authenticate", field)], named: "www-authenticate")
    return AuthOffer.all(among: schemes).map { Self($0, url) }
  }

  private init(_ way: AuthOffer, _ url: URL) {
    let isSecure = url.scheme?.lowercased() == "https"
    self.way = way
    space = AppInterface.ProtectionSpace(
      method: way.digest == nil ? .basic : .digest, host: url.host ?? "",
      port: Int64(url.effectivePort ?? 80), secure: isSecure, realm: way.realm, proxy: false)
  }
}

extension LocalCredentials.Question {
  /// The challenge for a delegate about the first offer.
  func challenge(_ storage: URLCredentialStorage?) -> AskedChallenge {
    let headers = response.allHeaderFields.map { WireHeader(name: "\($0.key)", value: "\($0.value)") }
    let answer = AppInterface.Response(
      url: response.url?.absoluteString ?? "", status: Int64(response.statusCode),
      headers: headers.sorted { $0.name < $1.name })
    return AskedChallenge(
      AppInterface.Challenge(space: offers[0].space, previousFailures: Int64(previousFailures), response: answer),
      storage)
  }
}

extension URL {
  /// Path and query, as in a request line.
  fileprivate var target: String {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
  }
}
