public import Foundation
public import FoundationNetworking

/// How a session behaves (Apple's `NSURLSessionConfiguration`).
///
/// A session copies its configuration when it is created; changing the object afterwards changes nothing. Properties
/// that Nightjar carries without acting on them say so.
// Unchecked: as in Apple's SDK, an object is filled in by one thread and then handed to a session, which copies it.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// The name of the background session within the app; nil for other kinds.
  open private(set) var identifier: String?

  /// Whether the app is launched into the background to be told of its finished transfers. `true` by default;
  /// otherwise it is told when it is launched next.
  open var sessionSendsLaunchEvents = true

  /// How long nothing may arrive before an attempt is given up and tried again, in seconds; 60 by default.
  /// A request with a `timeoutInterval` other than 60 goes first.
  open var timeoutIntervalForRequest: TimeInterval = 60

  /// How long a whole transfer may take, waiting included, in seconds; 7 days by default.
  open var timeoutIntervalForResource: TimeInterval = 604_800

  /// Header fields added to every request that does not set them itself.
  open var httpAdditionalHeaders: [AnyHashable: Any]?

  /// Whether the system may choose the best moment. Carried; transfers start as soon as they may.
  open var isDiscretionary = false

  /// Whether cellular connections may be used. Carried; the daemon does not tell networks apart yet.
  open var allowsCellularAccess = true

  /// Whether connections that cost money may be used. Carried; the daemon does not tell networks apart yet.
  open var allowsExpensiveNetworkAccess = true

  /// Whether connections in Low Data Mode may be used. Carried; the daemon does not tell networks apart yet.
  open var allowsConstrainedNetworkAccess = true

  /// Whether tasks wait for a network instead of failing. Ignored, as on iOS: background transfers always wait.
  open var waitsForConnectivity = false

  /// How many connections one host may have. Carried; the daemon's own limit per host applies.
  open var httpMaximumConnectionsPerHost = 6

  /// What kind of traffic this is. Carried.
  open var networkServiceType: NSURLRequest.NetworkServiceType = .default

  /// How caches are used. Carried; background transfers go past all caches.
  open var requestCachePolicy: NSURLRequest.CachePolicy = .useProtocolCachePolicy

  /// Whether requests may be pipelined. Carried.
  open var httpShouldUsePipelining = false

  /// Whether stored cookies are sent. Carried; the daemon keeps and sends no cookies yet. Set a `Cookie` field instead.
  open var httpShouldSetCookies = true

  /// Which cookies are kept. Carried; the daemon keeps no cookies yet.
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .onlyFromMainDocumentDomain

  /// Where cookies are kept. Carried; the daemon keeps no cookies yet.
  open var httpCookieStorage: HTTPCookieStorage? = .shared

  /// Where credentials are kept. Carried; the daemon answers no challenges yet.
  open var urlCredentialStorage: URLCredentialStorage? = .shared

  /// Where answers are cached. None for background sessions, as on iOS.
  open var urlCache: URLCache?

  /// Protocol handlers. Ignored, as on iOS: background sessions do not use them.
  open var protocolClasses: [AnyClass]?

  /// The proxies to use. Carried; the daemon uses none yet.
  open var connectionProxyDictionary: [AnyHashable: Any]?

  /// The container shared with app extensions. Carried; there are none on Linux.
  open var sharedContainerIdentifier: String?

  /// Whether connections stay open when the app leaves the screen. Carried; background transfers do not need it.
  open var shouldUseExtendedBackgroundIdleMode = false

  /// A configuration with Apple's ordinary values. Sessions cannot be made from it yet: see ``URLSession``.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }

  /// A configuration that keeps nothing on the disk. Sessions cannot be made from it yet: see ``URLSession``.
  open class var ephemeral: URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    (configuration.httpCookieStorage, configuration.urlCredentialStorage) = (nil, nil)
    return configuration
  }

  /// The configuration of a background session: its transfers are the daemon's, and outlive the process.
  ///
  /// - Parameter identifier: The session's name within the app. A session created with the same identifier in a later
  ///   life of the app has the tasks of the earlier one.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    configuration.identifier = identifier
    return configuration
  }

  /// A configuration of its own with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = URLSessionConfiguration()
    copy.identifier = identifier
    copy.takeTimes(from: self)
    copy.takeNetworks(from: self)
    copy.takeHTTP(from: self)
    return copy
  }

  private func takeTimes(from other: URLSessionConfiguration) {
    sessionSendsLaunchEvents = other.sessionSendsLaunchEvents
    timeoutIntervalForRequest = other.timeoutIntervalForRequest
    timeoutIntervalForResource = other.timeoutIntervalForResource
    isDiscretionary = other.isDiscretionary
    shouldUseExtendedBackgroundIdleMode = other.shouldUseExtendedBackgroundIdleMode
    sharedContainerIdentifier = other.sharedContainerIdentifier
  }

  private func takeNetworks(from other: URLSessionConfiguration) {
    allowsCellularAccess = other.allowsCellularAccess
    allowsExpensiveNetworkAccess = other.allowsExpensiveNetworkAccess
    allowsConstrainedNetworkAccess = other.allowsConstrainedNetworkAccess
    waitsForConnectivity = other.waitsForConnectivity
    httpMaximumConnectionsPerHost = other.httpMaximumConnectionsPerHost
    networkServiceType = other.networkServiceType
    connectionProxyDictionary = other.connectionProxyDictionary
  }

  private func takeHTTP(from other: URLSessionConfiguration) {
    httpAdditionalHeaders = other.httpAdditionalHeaders
    requestCachePolicy = other.requestCachePolicy
    httpShouldUsePipelining = other.httpShouldUsePipelining
    httpShouldSetCookies = other.httpShouldSetCookies
    httpCookieAcceptPolicy = other.httpCookieAcceptPolicy
    httpCookieStorage = other.httpCookieStorage
    urlCredentialStorage = other.urlCredentialStorage
    urlCache = other.urlCache
    protocolClasses = other.protocolClasses
  }
}
