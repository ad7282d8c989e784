public import Foundation
public import FoundationNetworking

// What Apple's Security framework has and Linux has not, as far as delegates that judge certificates need it.

/// A certificate (Apple's `SecCertificate`).
public final class SecCertificate: Hashable, Sendable {
  /// The certificate in DER.
  let data: Data

  init(_ data: Data) { self.data = data }

  public static func == (a: SecCertificate, b: SecCertificate) -> Bool { a.data == b.data }
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

/// What a server showed of itself, and what the system makes of it (Apple's `SecTrust`).
public final class SecTrust: Sendable {
  let chain: [SecCertificate]
  let distrust: URLError?

  init(chain: [SecCertificate], distrust: URLError?) { (self.chain, self.distrust) = (chain, distrust) }
}

/// A certificate of our own and its private key (Apple's `SecIdentity`). There is no keychain on Linux: it is made of the
/// two in PEM.
public final class SecIdentity: Sendable {
  let chain: String
  let key: String

  /// An identity.
  ///
  /// - Parameters:
  ///   - certificateChain: The certificate in PEM, followed by those that lead to its issuer, if any.
  ///   - privateKey: The private key in PEM, without a password.
  public init(certificateChain: String, privateKey: String) { (chain, key) = (certificateChain, privateKey) }
}

/// The error of a judgement (`SecTrustEvaluateWithError`).
public typealias CFError = NSError

/// The certificates that the server showed, its own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.chain }

/// How many certificates the server showed.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.chain.count }

/// One of the certificates that the server showed, its own at 0; nil beyond the last.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? {
  trust.chain.indices.contains(index) ? trust.chain[index] : nil
}

/// Whether the system trusts the server: what the daemon found when it connected, by the system's roots.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  error?.pointee = trust.distrust.map {
    NSError(domain: NSURLErrorDomain, code: $0.code.rawValue, userInfo: $0.userInfo)
  }
  return trust.distrust == nil
}

/// What a function of Apple's Security framework came to.
public typealias OSStatus = Int32

/// It did what it should.
public let errSecSuccess: OSStatus = 0

/// What a judgement came to (Apple's `SecTrustResultType`). Given are ``unspecified`` and ``recoverableTrustFailure``.
public enum SecTrustResultType: UInt32, Sendable {
  /// There was none.
  case invalid = 0
  /// A person has said that the server is trusted.
  case proceed = 1
  /// A person has said that it is not.
  case deny = 3
  /// The system trusts the server, and nobody has said anything else.
  case unspecified = 4
  /// The system does not trust the server. An app that knows better may.
  case recoverableTrustFailure = 5
  /// Nobody may trust it.
  case fatalTrustFailure = 6
  /// It could not be judged.
  case otherError = 7
}

/// Whether the system trusts the server, in the words of earlier systems. It always succeeds: the judgement is in `result`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
  result.pointee = trust.distrust == nil ? .unspecified : .recoverableTrustFailure
  return errSecSuccess
}

/// A certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { certificate.data }

/// A certificate of its DER; whether it is one is not looked at.
public func SecCertificateCreateWithData(_ allocator: Any?, _ data: Data) -> SecCertificate? {
  data.isEmpty ? nil : SecCertificate(data)
}

/// A server shows its certificate: is it to be trusted? FoundationNetworking has no such method.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
/// A server wants to see a certificate. FoundationNetworking has no such method.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension FoundationNetworking.URLProtectionSpace {
  /// What the server showed of itself; nil unless the method is `NSURLAuthenticationMethodServerTrust`.
  public var serverTrust: SecTrust? { (self as? AskedSpace)?.trust }
}

/// What makes the credentials that FoundationNetworking does not know. Only `URLCredential` conforms to it.
public protocol URLCredentialMaking {}

extension FoundationNetworking.URLCredential: URLCredentialMaking {}

extension URLCredentialMaking {
  /// Trust in exactly the certificate that the server showed.
  public init(trust: SecTrust) {
    guard let made = TrustCredential() as? Self else { preconditionFailure("credentials cannot be subclassed") }
    self = made
  }

  /// A certificate of our own. It carries its own chain, so `certificates` is not looked at.
  public init(
    identity: SecIdentity, certificates: [Any]?, persistence: FoundationNetworking.URLCredential.Persistence
  ) {
    guard let made = IdentityCredential(identity, persistence) as? Self else {
      preconditionFailure("credentials cannot be subclassed")
    }
    self = made
  }
}

/// Trust in the certificate that was asked about.
// Unchecked: nothing in it changes.
final class TrustCredential: FoundationNetworking.URLCredential, @unchecked Sendable {
  init() { super.init(user: "", password: "", persistence: .forSession) }
  required init?(coder: NSCoder) { nil }
}

/// A certificate of our own.
// Unchecked: nothing in it changes.
final class IdentityCredential: FoundationNetworking.URLCredential, @unchecked Sendable {
  let identity: SecIdentity

  init(_ identity: SecIdentity, _ persistence: FoundationNetworking.URLCredential.Persistence) {
    self.identity = identity
    super.init(user: "", password: "", persistence: persistence)
  }

  required init?(coder: NSCoder) { nil }
}
