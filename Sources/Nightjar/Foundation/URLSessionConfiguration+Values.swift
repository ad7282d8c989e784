import Foundation
import FoundationNetworking

extension URLSessionConfiguration {
  /// Copies every value but the identifier.
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

  /// The configuration for FoundationNetworking, with the values that it has. Nightjar itself handles cookies, caches,
  /// the session's header fields and challenges, for which FoundationNetworking does not follow the rules.
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

  /// Empties the stores of cookies, credentials and responses.
  func forgetEverything() {
    httpCookieStorage?.removeCookies(since: .distantPast)
    urlCache?.removeAllCachedResponses()
    for (space, credentials) in urlCredentialStorage?.allCredentials ?? [:] {
      for credential in credentials.values { urlCredentialStorage?.remove(credential, for: space) }
    }
  }

  /// The minimum version of TLS, as older code names it.
  @available(*, deprecated, renamed: "tlsMinimumSupportedProtocolVersion")
  public var tlsMinimumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMinimumSupportedProtocolVersion) }
    set { tlsMinimumSupportedProtocolVersion = newValue.version ?? .TLSv12 }
  }

  /// The maximum version of TLS, as older code names it.
  @available(*, deprecated, renamed: "tlsMaximumSupportedProtocolVersion")
  public var tlsMaximumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMaximumSupportedProtocolVersion) }
    set { tlsMaximumSupportedProtocolVersion = newValue.version ?? .TLSv13 }
  }

  /// Creates the configuration of a background session, under its name before iOS 8.
  @available(*, deprecated, renamed: "background(withIdentifier:)")
  public class func backgroundSessionConfiguration(_ identifier: String) -> URLSessionConfiguration {
    background(withIdentifier: identifier)
  }
}

// FoundationNetworking counts whole seconds, and ends the process for a timeout that it cannot count.
extension TimeInterval {
  /// The longest timeout, 32 years, which is as good as none.
  static let longestTimeout: TimeInterval = 1e9

  /// The timeout clamped to what FoundationNetworking can count, at least a second. NaN becomes the longest.
  var asTimeout: TimeInterval { isNaN ? Self.longestTimeout : min(max(self, 1), Self.longestTimeout) }
}

extension URLRequest {
  /// The request with the given header fields, but for those that it has itself.
  func adding(_ fields: [AnyHashable: Any]?) -> URLRequest {
    var request = self
    for (name, text) in fields ?? [:] where value(forHTTPHeaderField: "\(name)") == nil {
      request.setValue("\(text)", forHTTPHeaderField: "\(name)")
    }
    return request
  }

  /// The request with a timeout that FoundationNetworking can count. One that is not greater than 0 is none, so that
  /// the session's applies. One that needs no change is not set, for the same reason.
  func timed(in settings: URLSessionConfiguration) -> URLRequest {
    let timeout = timeoutInterval > 0 ? timeoutInterval : settings.timeoutIntervalForRequest
    guard timeoutInterval != timeout.asTimeout else { return self }
    var request = self
    request.timeoutInterval = timeout.asTimeout
    return request
  }
}
