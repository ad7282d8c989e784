public import Foundation
public import FoundationNetworking

/// How a session behaves (Apple's `NSURLSessionConfiguration`).
///
/// A session copies its configuration when it is created; changing the object afterwards changes nothing. Properties
/// that Nightjar carries without acting on them say so.
// Unchecked: as in Apple's SDK, an object is filled in by one thread and then handed to a session, which copies it.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// How several networks are used at once. Carried: Linux has one road at a time.
  public enum MultipathServiceType: Int, Sendable {
    case none
    case handover
    case interactive
    case aggregate
  }

  /// The name of the background session within the app; nil for other kinds.
  open private(set) var identifier: String?

  // MARK: When

  /// Whether the app is launched into the background to be told of its finished transfers. `true` by default;
  /// otherwise it is told when it is launched next.
  open var sessionSendsLaunchEvents = true

  /// How long nothing may arrive before an attempt is given up (and, in the background, tried again), in seconds; 60 by
  /// default. A request with a `timeoutInterval` other than 60 goes first.
  open var timeoutIntervalForRequest: TimeInterval = 60

  /// How long a whole transfer may take, waiting included, in seconds; 7 days by default.
  open var timeoutIntervalForResource: TimeInterval = 604_800

  /// Whether the system may choose the best moment: an unmetered network, and power. In this process carried.
  open var isDiscretionary = false

  /// Whether tasks wait for a network instead of failing. Carried: background transfers always wait, as on iOS, and those in
  /// this process never do.
  open var waitsForConnectivity = false

  /// Whether connections stay open when the app leaves the screen. Carried; background transfers do not need it.
  open var shouldUseExtendedBackgroundIdleMode = false

  // MARK: Over which network

  /// Whether cellular connections may be used. In this process carried.
  open var allowsCellularAccess = true
  /// Whether connections that cost money may be used. In this process carried.
  open var allowsExpensiveNetworkAccess = true
  /// Whether connections in Low Data Mode may be used. In this process carried.
  open var allowsConstrainedNetworkAccess = true
  /// Whether connections of the lowest quality, such as by satellite, may be used. Carried: Linux does not tell,
  /// and a request's own word decides nothing either.
  open var allowsUltraConstrainedNetworkAccess = false
  /// What kind of traffic this is. Carried: no network is told.
  open var networkServiceType: NSURLRequest.NetworkServiceType = .default
  /// How several networks are used at once. Carried.
  open var multipathServiceType = MultipathServiceType.none
  /// The proxies to use, by Apple's keys (`HTTPEnable`, `HTTPProxy`, `HTTPPort`, …). In this process carried: libcurl takes
  /// its own from the environment.
  open var connectionProxyDictionary: [AnyHashable: Any]?
  /// The least version of TLS. In this process carried: libcurl's own counts.
  open var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv12
  /// The newest version of TLS. Carried: the newest that both sides speak is used.
  open var tlsMaximumSupportedProtocolVersion = tls_protocol_version_t.TLSv13
  /// Whether names must be signed (DNSSEC). Carried: it is the resolver's to require (resolved.conf(5)).
  open var requiresDNSSECValidation = false
  /// Whether TLS 1.3 may send requests before its handshake is done. Carried: it is never done.
  open var enablesEarlyData = false
  /// Whether Apple's older loading machine is used. Carried: there is one.
  open var usesClassicLoadingMode = true

  // MARK: HTTP

  /// Header fields added to every request that does not set them itself.
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  /// How many of the session's transfers may run with one host at a time. In the background there are no more than 16 with
  /// one host at a time, whoever they belong to, unless the daemon is told otherwise.
  open var httpMaximumConnectionsPerHost = 6
  /// Whether requests may be pipelined. Carried.
  open var httpShouldUsePipelining = false
  /// Whether stored cookies are sent.
  open var httpShouldSetCookies = true
  /// Which cookies are kept.
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .onlyFromMainDocumentDomain
  /// Where cookies are kept. With nil none are sent or kept.
  open var httpCookieStorage: HTTPCookieStorage?
  /// Where credentials are kept.
  open var urlCredentialStorage: URLCredentialStorage?
  /// How caches are used. Background transfers go past all caches; in this process the two policies count that return what a
  /// cache has, however old it is, and all others load.
  open var requestCachePolicy: NSURLRequest.CachePolicy = .useProtocolCachePolicy
  /// Where the app keeps answers: no load puts one there. None for background sessions, as on iOS.
  open var urlCache: URLCache?
  /// Protocol handlers, asked before those of FoundationNetworking. Background sessions do not use them, as on iOS.
  open var protocolClasses: [AnyClass]?

  /// The container shared with app extensions. Carried: there are no app extensions on Linux.
  open var sharedContainerIdentifier: String?

  /// A configuration with Apple's ordinary values, for sessions that live and end with the process.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(as: .default) }

  /// A configuration that keeps nothing on the disk, for sessions that live and end with the process. Cookies,
  /// credentials and cached answers are the configuration's own.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(as: .ephemeral) }

  /// The configuration of a background session: its transfers are the daemon's, and outlive the process.
  ///
  /// - Parameter identifier: The session's name within the app. A session created with the same identifier in a later
  ///   life of the app has the tasks of the earlier one.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    configuration.identifier = identifier
    configuration.urlCache = nil
    return configuration
  }

  /// A configuration with Apple's ordinary values, like `default`.
  public override convenience init() { self.init(as: .default) }

  /// Takes the stores and protocol handlers of FoundationNetworking's own.
  private init(as foreign: FoundationNetworking.URLSessionConfiguration) {
    (httpCookieStorage, urlCredentialStorage) = (foreign.httpCookieStorage, foreign.urlCredentialStorage)
    (urlCache, protocolClasses) = (foreign.urlCache, foreign.protocolClasses)
    super.init()
  }

  /// A configuration of its own with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = URLSessionConfiguration()
    copy.identifier = identifier
    copy.takeValues(of: self)
    return copy
  }
}
