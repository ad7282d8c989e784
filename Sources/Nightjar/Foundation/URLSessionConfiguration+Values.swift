import Foundation
import FoundationNetworking

extension URLSessionConfiguration {
  /// Takes every value but the identifier.
  func takeValues(of other: URLSessionConfiguration) {
    takeTimes(from: other)
    takeNetworks(from: other)
    takeHTTP(from: other)
    takeStores(from: other)
  }

  private func takeTimes(from other: URLSessionConfiguration) {
    sessionSendsLaunchEvents = other.sessionSendsLaunchEvents
    timeoutIntervalForRequest = other.timeoutIntervalForRequest
    timeoutIntervalForResource = other.timeoutIntervalForResource
    isDiscretionary = other.isDiscretionary
    waitsForConnectivity = other.waitsForConnectivity
    shouldUseExtendedBackgroundIdleMode = other.shouldUseExtendedBackgroundIdleMode
    sharedContainerIdentifier = other.sharedContainerIdentifier
  }

  private func takeNetworks(from other: URLSessionConfiguration) {
    allowsCellularAccess = other.allowsCellularAccess
    allowsExpensiveNetworkAccess = other.allowsExpensiveNetworkAccess
    allowsConstrainedNetworkAccess = other.allowsConstrainedNetworkAccess
    allowsUltraConstrainedNetworkAccess = other.allowsUltraConstrainedNetworkAccess
    networkServiceType = other.networkServiceType
    multipathServiceType = other.multipathServiceType
    connectionProxyDictionary = other.connectionProxyDictionary
    tlsMinimumSupportedProtocolVersion = other.tlsMinimumSupportedProtocolVersion
    tlsMaximumSupportedProtocolVersion = other.tlsMaximumSupportedProtocolVersion
    requiresDNSSECValidation = other.requiresDNSSECValidation
    enablesEarlyData = other.enablesEarlyData
    usesClassicLoadingMode = other.usesClassicLoadingMode
  }

  private func takeHTTP(from other: URLSessionConfiguration) {
    httpAdditionalHeaders = other.httpAdditionalHeaders
    httpMaximumConnectionsPerHost = other.httpMaximumConnectionsPerHost
    httpShouldUsePipelining = other.httpShouldUsePipelining
    httpShouldSetCookies = other.httpShouldSetCookies
    httpCookieAcceptPolicy = other.httpCookieAcceptPolicy
    requestCachePolicy = other.requestCachePolicy
    protocolClasses = other.protocolClasses
  }

  private func takeStores(from other: URLSessionConfiguration) {
    httpCookieStorage = other.httpCookieStorage
    urlCredentialStorage = other.urlCredentialStorage
    urlCache = other.urlCache
  }

  /// The same for FoundationNetworking, as far as it has it.
  var foreign: FoundationNetworking.URLSessionConfiguration {
    let foreign = FoundationNetworking.URLSessionConfiguration.default
    foreign.requestCachePolicy = requestCachePolicy
    foreign.timeoutIntervalForRequest = timeoutIntervalForRequest
    foreign.timeoutIntervalForResource = timeoutIntervalForResource
    foreign.networkServiceType = networkServiceType
    foreign.connectionProxyDictionary = connectionProxyDictionary
    foreign.httpShouldSetCookies = httpShouldSetCookies && httpCookieStorage != nil
    foreign.httpCookieAcceptPolicy = httpCookieStorage == nil ? .never : httpCookieAcceptPolicy
    foreign.httpAdditionalHeaders = httpAdditionalHeaders
    foreign.httpMaximumConnectionsPerHost = max(httpMaximumConnectionsPerHost, 1)
    foreign.httpCookieStorage = httpCookieStorage
    foreign.urlCredentialStorage = nil  // Challenges are answered here.
    foreign.urlCache = urlCache
    foreign.protocolClasses = protocolClasses
    return foreign
  }

  /// Empties the stores.
  func forgetEverything() {
    httpCookieStorage?.removeCookies(since: .distantPast)
    urlCache?.removeAllCachedResponses()
    for (space, credentials) in urlCredentialStorage?.allCredentials ?? [:] {
      for credential in credentials.values { urlCredentialStorage?.remove(credential, for: space) }
    }
  }

  /// The least version of TLS in older words.
  @available(*, deprecated, renamed: "tlsMinimumSupportedProtocolVersion")
  public var tlsMinimumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMinimumSupportedProtocolVersion) }
    set { tlsMinimumSupportedProtocolVersion = newValue.version ?? .TLSv12 }
  }

  /// The newest version of TLS in older words.
  @available(*, deprecated, renamed: "tlsMaximumSupportedProtocolVersion")
  public var tlsMaximumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMaximumSupportedProtocolVersion) }
    set { tlsMaximumSupportedProtocolVersion = newValue.version ?? .TLSv13 }
  }

  /// The configuration of a background session, as before iOS 8.
  @available(*, deprecated, renamed: "background(withIdentifier:)")
  public class func backgroundSessionConfiguration(_ identifier: String) -> URLSessionConfiguration {
    background(withIdentifier: identifier)
  }
}
