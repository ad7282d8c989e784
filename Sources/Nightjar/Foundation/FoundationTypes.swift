// The types that Nightjar shares with FoundationNetworking, one by one: with `import Foundation` and `import Nightjar`
// a file has all of Apple's names, and none of them twice. The session family itself is Nightjar's own, because a
// delegate method that FoundationNetworking does not require could never be called through its protocols.

public import FoundationNetworking

/// A request, as FoundationNetworking has it.
public typealias URLRequest = FoundationNetworking.URLRequest
/// A request, as a class.
public typealias NSURLRequest = FoundationNetworking.NSURLRequest
/// A request that can be changed, as a class.
public typealias NSMutableURLRequest = FoundationNetworking.NSMutableURLRequest
/// A server's answer.
public typealias URLResponse = FoundationNetworking.URLResponse
/// A server's answer over HTTP.
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
/// An answer kept in a cache.
public typealias CachedURLResponse = FoundationNetworking.CachedURLResponse
/// A cache of answers.
public typealias URLCache = FoundationNetworking.URLCache
/// A cookie.
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
/// Where cookies are kept.
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
/// A credential.
public typealias URLCredential = FoundationNetworking.URLCredential
/// Where credentials are kept.
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage
/// What a credential is for.
public typealias URLProtectionSpace = FoundationNetworking.URLProtectionSpace
/// A server's question for a credential.
public typealias URLAuthenticationChallenge = FoundationNetworking.URLAuthenticationChallenge
/// The base of protocol handlers.
public typealias URLProtocol = FoundationNetworking.URLProtocol

// Constants have no aliases: these are FoundationNetworking's, declared once more.

/// The ordinary way of a protocol to sign in.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// A name and a password, sent as they are.
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// A name, and the proof that one knows the password.
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// A form on a page. Never asked.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// Windows' own way. Never asked.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Kerberos or NTLM. Never asked.
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"

// The protocols have Apple's values, which a space's `protocol` holds. FoundationNetworking's own it never holds.

/// What `protocol` of a space is for a server that was spoken to without encryption.
public let NSURLProtectionSpaceHTTP = "http"
/// What `protocol` of a space is for a server that was spoken to over TLS.
public let NSURLProtectionSpaceHTTPS = "https"
/// What `protocol` of a space is for a server of files. Never asked.
public let NSURLProtectionSpaceFTP = "ftp"
/// What `proxyType` of a space is for a proxy that reads the requests.
public let NSURLProtectionSpaceHTTPProxy = "NSURLProtectionSpaceHTTPProxy"
/// What `proxyType` of a space is for a proxy that makes tunnels.
public let NSURLProtectionSpaceHTTPSProxy = "NSURLProtectionSpaceHTTPSProxy"
/// What `proxyType` of a space is for a proxy to servers of files. Never asked.
public let NSURLProtectionSpaceFTPProxy = "NSURLProtectionSpaceFTPProxy"
/// What `proxyType` of a space is for a SOCKS proxy. Never asked.
public let NSURLProtectionSpaceSOCKSProxy = "NSURLProtectionSpaceSOCKSProxy"

extension NSURLRequest.NetworkServiceType {
  /// Traffic that a person waits for. FoundationNetworking has no such case; it is carried as the default.
  public static let responsiveData = NSURLRequest.NetworkServiceType.default
}
