public import Foundation
public import FoundationNetworking

// The part of Apple's Security framework that delegates need to judge certificates.

/// A certificate (Apple's `SecCertificate`).
public final class SecCertificate: Hashable, Sendable {
  /// The certificate in DER.
  let data: Data

  init(_ data: Data) { self.data = data }

  public static func == (a: SecCertificate, b: SecCertificate) -> Bool { a.data == b.data }
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

/// The certificates that a server presented, and the system's verdict on them (Apple's `SecTrust`).
public final class SecTrust: Sendable {
  let chain: [SecCertificate]
  let distrust: URLError?

  init(chain: [SecCertificate], distrust: URLError?) { (self.chain, self.distrust) = (chain, distrust) }
}

/// A client certificate and its private key (Apple's `SecIdentity`). There is no keychain on Linux, so it is made from
/// both in PEM.
public final class SecIdentity: Sendable {
  let chain: String
  let key: String

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - certificateChain: The certificate in PEM, followed by those that lead to its issuer, if any.
  ///   - privateKey: The private key in PEM, without a password.
  public init(certificateChain: String, privateKey: String) { (chain, key) = (certificateChain, privateKey) }
}

/// The error of an evaluation (`SecTrustEvaluateWithError`).
public typealias CFError = NSError

/// Returns the certificates that the server presented, its own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.chain }

/// Returns the number of certificates that the server presented.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.chain.count }

/// Returns one of the certificates that the server presented, its own at 0; nil beyond the last.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? {
  trust.chain.indices.contains(index) ? trust.chain[index] : nil
}

/// Returns whether the system trusts the server, as the daemon found when it connected, by the system's root
/// certificates.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  error?.pointee = trust.distrust.map {
    NSError(domain: NSURLErrorDomain, code: $0.code.rawValue, userInfo: $0.userInfo)
  }
  return trust.distrust == nil
}

/// The result code of a function of Apple's Security framework.
public typealias OSStatus = Int32

/// The function succeeded.
public let errSecSuccess: OSStatus = 0

/// The result of an evaluation (Apple's `SecTrustResultType`). Only ``unspecified`` and ``recoverableTrustFailure``
/// occur.
public enum SecTrustResultType: UInt32, Sendable {
  /// There was no evaluation.
  case invalid = 0
  /// A person trusts the server.
  case proceed = 1
  /// A person does not trust the server.
  case deny = 3
  /// The system trusts the server, and no person has decided otherwise.
  case unspecified = 4
  /// The system does not trust the server; the app may.
  case recoverableTrustFailure = 5
  /// The server cannot be trusted.
  case fatalTrustFailure = 6
  /// The evaluation failed.
  case otherError = 7
}

/// Evaluates whether the system trusts the server (the function of earlier systems). Always succeeds; the verdict is in
/// `result`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
  result.pointee = trust.distrust == nil ? .unspecified : .recoverableTrustFailure
  return errSecSuccess
}

/// Returns a certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { certificate.data }

/// Creates a certificate from DER; nil for empty data. The data is not checked otherwise.
public func SecCertificateCreateWithData(_ allocator: Any?, _ data: Data) -> SecCertificate? {
  data.isEmpty ? nil : SecCertificate(data)
}

/// The delegate judges a server's certificate. FoundationNetworking has no such method.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
/// The server requires a client certificate. FoundationNetworking has no such method.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension FoundationNetworking.URLProtectionSpace {
  /// The certificates that the server presented; nil unless the method is `NSURLAuthenticationMethodServerTrust`.
  public var serverTrust: SecTrust? { (self as? AskedSpace)?.trust }
}

/// Adds initializers for credentials that FoundationNetworking lacks. Only `URLCredential` conforms to it.
public protocol URLCredentialMaking {}

extension FoundationNetworking.URLCredential: URLCredentialMaking {}

extension URLCredentialMaking {
  /// Creates a credential that trusts exactly the certificate that the server presented.
  public init(trust: SecTrust) {
    guard let made = TrustCredential() as? Self else { preconditionFailure("credentials cannot be subclassed") }
    self = made
  }

  /// Creates a credential with a client certificate. The identity has its own chain, so `certificates` is ignored.
  public init(
    identity: SecIdentity, certificates: [Any]?, persistence: FoundationNetworking.URLCredential.Persistence
  ) {
    guard let made = IdentityCredential(identity, persistence) as? Self else {
      preconditionFailure("credentials cannot be subclassed")
    }
    self = made
  }
}

/// A credential that trusts the certificate of the challenge.
// Unchecked: nothing in it changes.
final class TrustCredential: FoundationNetworking.URLCredential, @unchecked Sendable {
  init() { super.init(user: "", password: "", persistence: .forSession) }
  required init?(coder: NSCoder) { nil }
}

/// A credential with a client certificate.
// Unchecked: nothing in it changes.
final class IdentityCredential: FoundationNetworking.URLCredential, @unchecked Sendable {
  let identity: SecIdentity

  init(_ identity: SecIdentity, _ persistence: FoundationNetworking.URLCredential.Persistence) {
    self.identity = identity
    super.init(user: "", password: "", persistence: persistence)
  }

  required init?(coder: NSCoder) { nil }
}
