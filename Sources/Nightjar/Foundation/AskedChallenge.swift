import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire
import Synchronization

/// A challenge from the daemon as Apple's type. It records whether the delegate implements the method: the default
/// implementations mark it as unheard.
// Unchecked: the mutex guards what changes.
final class AskedChallenge: FoundationNetworking.URLAuthenticationChallenge, @unchecked Sendable {
  private let unheard = Mutex(false)

  init(_ challenge: AppInterface.Challenge, _ storage: URLCredentialStorage?) {
    let space = AskedSpace(challenge)
    let isFirst = challenge.previousFailures == 0 && space.wantsPassword
    let known = isFirst ? storage?.credential(for: space) : nil
    let distrust = challenge.distrust.map { SessionFailure($0).error(for: nil) }
    super.init(
      protectionSpace: space, proposedCredential: known, previousFailureCount: Int(challenge.previousFailures),
      failureResponse: challenge.response.flatMap(NamedResponse.init), error: distrust, sender: NoSender())
  }

  required init?(coder: NSCoder) { nil }

  /// Whether a method that was called, of the session or of the task, is not implemented by the delegate.
  var isUnheard: Bool { unheard.withLock { $0 } }

  func markUnheard() { unheard.withLock { $0 = true } }

  /// Returns whether the last method called is not implemented, and resets that.
  func takeUnheard() -> Bool {
    unheard.withLock { was in
      defer { was = false }
      return was
    }
  }
}

extension FoundationNetworking.URLAuthenticationChallenge {
  /// Notes that the delegate does not implement the method for this challenge.
  func goesUnheard() { (self as? AskedChallenge)?.markUnheard() }
}

/// The protection space of a challenge, with the certificates that the server presented.
// Unchecked: nothing in it changes.
final class AskedSpace: FoundationNetworking.URLProtectionSpace, @unchecked Sendable {
  let trust: SecTrust?
  let wantsPassword: Bool

  init(_ challenge: AppInterface.Challenge) {
    let space = challenge.space
    wantsPassword = space.method == .basic || space.method == .digest
    trust =
      space.method == .serverTrust
      ? SecTrust(
        chain: (challenge.chain ?? []).compactMap { Data(base64Encoded: $0) }.map { SecCertificate($0) },
        distrust: challenge.distrust.map { SessionFailure($0).error(for: nil) }) : nil
    if space.proxy {
      super.init(
        proxyHost: space.host, port: Int(space.port),
        type: space.secure ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy, realm: space.realm,
        authenticationMethod: space.method.foundationName)
    } else {
      super.init(
        host: space.host, port: Int(space.port), protocol: space.secure ? "https" : "http", realm: space.realm,
        authenticationMethod: space.method.foundationName)
    }
  }

  required init?(coder: NSCoder) { nil }
}

extension URLCredentialStorage {
  /// Stores a credential as the default of a space, under an equal space that is stored already, if there is one.
  func keep(_ credential: URLCredential, for space: URLProtectionSpace) {
    setDefaultCredential(credential, for: known(space))
  }

  /// The space that is stored and equal to another, or else that one. FoundationNetworking's own lookup compares spaces
  /// by identity.
  func known(_ space: URLProtectionSpace) -> URLProtectionSpace {
    allCredentials.keys.first { $0.isLike(space) } ?? space
  }

  /// The credential to propose for a space: the default one, or else the first by name.
  fileprivate func credential(for space: URLProtectionSpace) -> URLCredential? {
    for (known, credentials) in allCredentials where known.isLike(space) {
      return defaultCredential(for: known) ?? credentials.sorted { $0.key < $1.key }.first?.value
    }
    return nil
  }
}

extension URLProtectionSpace {
  fileprivate func isLike(_ other: URLProtectionSpace) -> Bool {
    (host.lowercased(), port, realm) == (other.host.lowercased(), other.port, other.realm)
      && (self.protocol, authenticationMethod) == (other.protocol, other.authenticationMethod)
      && (isProxy(), proxyType) == (other.isProxy(), other.proxyType)
  }
}

extension AppInterface.ProtectionSpace.Method {
  fileprivate var foundationName: String {
    switch self {
    case .basic: NSURLAuthenticationMethodHTTPBasic
    case .digest: NSURLAuthenticationMethodHTTPDigest
    case .serverTrust: NSURLAuthenticationMethodServerTrust
    case .clientCertificate: NSURLAuthenticationMethodClientCertificate
    }
  }
}

/// A sender that does nothing: delegates answer by completion handlers, which replace `challenge.sender`.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
  func cancel(_ challenge: URLAuthenticationChallenge) {}
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

extension AppInterface.Decision {
  /// The decision of a delegate about a challenge.
  init(
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?, _ challenge: AskedChallenge
  ) {
    switch disposition {
    case .cancelAuthenticationChallenge: self.init(disposition: .cancel)
    case .rejectProtectionSpace: self.init(disposition: .rejectSpace)
    case .useCredential: self.init(using: credential)
    case .performDefaultHandling: self.init(using: challenge.proposedCredential)
    }
  }

  /// Without a credential the default handling applies.
  private init(using credential: URLCredential?) {
    guard let credential = credential.flatMap(AppInterface.Credential.init) else {
      self.init(disposition: .performDefault)
      return
    }
    self.init(disposition: .use, credential: credential)
  }
}

extension AppInterface.Credential {
  fileprivate init?(_ credential: URLCredential) {
    let isShared = credential.persistence != .none
    switch credential {
    case is TrustCredential: self.init(trust: true, session: true)
    case let credential as IdentityCredential:
      self.init(certificates: credential.identity.chain, key: credential.identity.key, session: isShared)
    default:
      guard let user = credential.user else { return nil }
      self.init(user: user, password: credential.password ?? "", session: isShared)
    }
  }
}
