import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire

/// The credentials of one task in this process: what its server wants to see, and what it is shown.
///
/// FoundationNetworking's own way with challenges is not used: it ends the process at a Digest challenge that is answered
/// with a credential, and leaves a task for ever that is answered with none.
struct LocalCredentials {
  /// A way in that a server has offered.
  struct Offer: Hashable, Sendable {
    var space: AppInterface.ProtectionSpace
    var way: AuthOffer
  }

  /// What a server asks: one way after the other, until one is taken.
  struct Question: Sendable {
    var response: HTTPURLResponse
    var offers: [Offer]
    var previousFailures: Int
  }

  /// What is shown to a server.
  private struct Shown {
    var space: AppInterface.ProtectionSpace
    var user: String
    var password: String
    /// The proof that goes with the next request, if it is one.
    var digest: DigestChallenge?
    /// Whether it has gone along since the last redirect.
    var hasGone = false
    /// How often our nonce was called stale.
    var stales = 0

    /// Whether an offer is the same door, which has to be knocked at once more with the same words.
    func serves(_ offer: Offer) -> Bool {
      guard offer.space == space else { return false }
      return !hasGone || offer.way.isStale && stales < AuthOffer.stalesMax
    }
  }

  private var shown: Shown?
  private var failures = 0
  /// The request that it is shown with, as redirects have left it; nil for the app's own.
  private var base: URLRequest?
  /// What is kept in the session's storage once the server has let us in.
  private(set) var toKeep: (space: AppInterface.ProtectionSpace, credential: URLCredential)?

  /// What a server's answer asks; nil if nothing that could be answered here.
  mutating func read(_ response: URLResponse) -> Question? {
    guard let response = response as? HTTPURLResponse, response.statusCode == 401, let url = response.url else {
      return nil
    }
    let offers = Offer.all(response.value(forHTTPHeaderField: "WWW-Authenticate") ?? "", of: url)
    guard !offers.isEmpty else { return nil }
    if let shown, !offers.contains(where: shown.serves) {
      if shown.hasGone { failures += 1 }
      toKeep = nil
    }
    return Question(response: response, offers: offers, previousFailures: failures)
  }

  /// What may be shown without asking: the same as before a redirect of the same server, or with a newer nonce.
  func again(for question: Question) -> Offer? {
    shown.flatMap { shown in question.offers.first(where: shown.serves) }
  }

  /// Shows a credential from the next request on; with nil what was shown before.
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

  /// A redirect follows: what has gone along belongs to the request before.
  mutating func redirected() { shown?.hasGone = false }

  /// Whether what was shown holds for one request only.
  var isProof: Bool { shown?.digest != nil }

  /// Takes what is to be kept.
  mutating func takeKept() -> (space: AppInterface.ProtectionSpace, credential: URLCredential)? {
    defer { toKeep = nil }
    return toKeep
  }

  /// The request as it goes out.
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
  /// The ways that a field offers, the strongest first.
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
  /// The question about the first way, as a delegate hears it.
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
  /// Path and query, as they stand in a request's first line.
  fileprivate var target: String {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
  }
}
