// The types that Nightjar shares with FoundationNetworking, one by one: with `import Foundation` and `import Nightjar`
// a file has all of Apple's names, and none of them twice. The session family itself is Nightjar's own, because a
// delegate method that FoundationNetworking does not require could never be called through its protocols.

public import FoundationNetworking

/// A request.
public typealias URLRequest = FoundationNetworking.URLRequest
/// A request, as a class.
public typealias NSURLRequest = FoundationNetworking.NSURLRequest
/// A request that can be changed, as a class.
public typealias NSMutableURLRequest = FoundationNetworking.NSMutableURLRequest
/// A server's response.
public typealias URLResponse = FoundationNetworking.URLResponse
/// A server's response over HTTP.
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
/// A response stored in a cache.
public typealias CachedURLResponse = FoundationNetworking.CachedURLResponse
/// A cache of responses.
public typealias URLCache = FoundationNetworking.URLCache
/// A cookie.
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
/// A property of a cookie.
public typealias HTTPCookiePropertyKey = FoundationNetworking.HTTPCookiePropertyKey
/// A store of cookies.
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
/// A credential.
public typealias URLCredential = FoundationNetworking.URLCredential
/// A store of credentials.
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage
/// A server, or a part of one, that requires authentication.
public typealias URLProtectionSpace = FoundationNetworking.URLProtectionSpace
/// A challenge from a server that requires authentication.
public typealias URLAuthenticationChallenge = FoundationNetworking.URLAuthenticationChallenge
/// Who answers a challenge. Delegates answer by completion handlers instead.
public typealias URLAuthenticationChallengeSender = FoundationNetworking.URLAuthenticationChallengeSender
/// The base class of protocol handlers.
public typealias URLProtocol = FoundationNetworking.URLProtocol
/// Who is told what a protocol handler has loaded.
public typealias URLProtocolClient = FoundationNetworking.URLProtocolClient

// Constants cannot have aliases: these repeat FoundationNetworking's.

/// The option of `URLCredentialStorage` to remove credentials that are synchronised, too. There are none on Linux.
public let NSURLCredentialStorageRemoveSynchronizableCredentials =
  "NSURLCredentialStorageRemoveSynchronizableCredentials"

/// The default authentication method of a protocol.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// Basic authentication: a name and a password, sent as they are.
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// Digest authentication: a name, and a proof of the password.
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// Authentication by an HTML form. Never used.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// NTLM authentication. Never used.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Negotiated authentication, Kerberos or NTLM. Never used.
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"

// The protocols have Apple's values, as in a space's `protocol`, which never has FoundationNetworking's values.

/// The `protocol` of a space on a server reached over plain HTTP.
public let NSURLProtectionSpaceHTTP = "http"
/// The `protocol` of a space on a server reached over TLS.
public let NSURLProtectionSpaceHTTPS = "https"
/// The `protocol` of a space on an FTP server. Never used.
public let NSURLProtectionSpaceFTP = "ftp"
/// The `proxyType` of a proxy for plain HTTP requests.
public let NSURLProtectionSpaceHTTPProxy = "NSURLProtectionSpaceHTTPProxy"
/// The `proxyType` of a proxy for tunnels.
public let NSURLProtectionSpaceHTTPSProxy = "NSURLProtectionSpaceHTTPSProxy"
/// The `proxyType` of a proxy for FTP. Never used.
public let NSURLProtectionSpaceFTPProxy = "NSURLProtectionSpaceFTPProxy"
/// The `proxyType` of a SOCKS proxy. Never used.
public let NSURLProtectionSpaceSOCKSProxy = "NSURLProtectionSpaceSOCKSProxy"

// FoundationNetworking lacks these cases or has other names for them; they are carried as the nearest that it has.
extension NSURLRequest.NetworkServiceType {
  /// Traffic that a person waits for. Carried as the default.
  public static let responsiveData = NSURLRequest.NetworkServiceType.default
  /// Sound and pictures that are played as they arrive. Carried as `video`.
  public static let avStreaming = NSURLRequest.NetworkServiceType.video
  /// Sound and pictures that a person waits for. Carried as `video`.
  public static let responsiveAV = NSURLRequest.NetworkServiceType.video
  /// What sets up a call.
  public static let callSignaling = NSURLRequest.NetworkServiceType.networkServiceTypeCallSignaling
}
