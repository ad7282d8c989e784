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

  /// The same for FoundationNetworking, as far as it has it. Cookies, caches, the session's header fields and challenges
  /// are seen to here: it goes by no rule for any of them.
  var foreign: FoundationNetworking.URLSessionConfiguration {
    let foreign = FoundationNetworking.URLSessionConfiguration.default
    foreign.timeoutIntervalForRequest = timeoutIntervalForRequest.asTimeout
    foreign.timeoutIntervalForResource = timeoutIntervalForResource.asTimeout
    foreign.networkServiceType = networkServiceType
    foreign.connectionProxyDictionary = connectionProxyDictionary
    (foreign.httpShouldSetCookies, foreign.httpCookieAcceptPolicy) = (false, .never)
    (foreign.httpCookieStorage, foreign.urlCredentialStorage) = (nil, nil)
    foreign.httpMaximumConnectionsPerHost = max(httpMaximumConnectionsPerHost, 1)
    foreign.urlCache = nil
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

// FoundationNetworking counts whole seconds and ends the process where it cannot.
extension TimeInterval {
  /// The longest timeout, 32 years: as good as none.
  static let longestTimeout: TimeInterval = 1e9

  /// The same as far as FoundationNetworking can count it, a second at least. What is no number sets no bound.
  var asTimeout: TimeInterval { isNaN ? Self.longestTimeout : min(max(self, 1), Self.longestTimeout) }
}

extension URLRequest {
  /// The request with header fields that it does not have itself.
  func adding(_ fields: [AnyHashable: Any]?) -> URLRequest {
    var request = self
    for (name, text) in fields ?? [:] where value(forHTTPHeaderField: "\(name)") == nil {
      request.setValue("\(text)", forHTTPHeaderField: "\(name)")
    }
    return request
  }

  /// The request with a timeout that FoundationNetworking can count. Left alone, the session's goes on to count.
  var withTimeout: URLRequest {
    guard timeoutInterval != timeoutInterval.asTimeout else { return self }
    var request = self
    request.timeoutInterval = timeoutInterval.asTimeout
    return request
  }
}
