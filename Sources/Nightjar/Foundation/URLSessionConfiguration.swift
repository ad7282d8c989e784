public import Foundation
public import FoundationNetworking

/// How a session behaves (Apple's `NSURLSessionConfiguration`).
///
/// A session copies its configuration when it is created; later changes to the object have no effect. Properties that
/// are marked as "carried" are kept but have no effect, some of them only in sessions of this process.
// Unchecked: as in Apple's SDK, an object is filled in by one thread and then handed to a session, which copies it.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// How several networks are used at once. Carried: Linux uses one route at a time.
  public enum MultipathServiceType: Int, Sendable {
    case none
    case handover
    case interactive
    case aggregate
  }

  /// The name of the background session within the app; nil for other kinds.
  open private(set) var identifier: String?

  // MARK: When

  /// Whether the app is launched into the background to be told of its finished transfers; `true` by default. If
  /// `false`, it is told when it is launched next.
  open var sessionSendsLaunchEvents = true

  /// How long an attempt may make no progress before it is given up (and, in the background, retried), in seconds; 60
  /// by default. A request's `timeoutInterval` takes precedence if it is greater than 0 and not 60.
  open var timeoutIntervalForRequest: TimeInterval = 60

  /// How long a whole transfer may take, including waiting, in seconds; 7 days by default.
  open var timeoutIntervalForResource: TimeInterval = 604_800

  /// Whether the system may choose the best time, with an unmetered network and power. In this process carried.
  open var isDiscretionary = false

  /// Whether tasks wait for a network instead of failing. Carried: background transfers always wait, as on iOS, and
  /// those in this process never do.
  open var waitsForConnectivity = false

  /// Whether connections stay open when the app leaves the screen. Carried; background transfers do not need it.
  open var shouldUseExtendedBackgroundIdleMode = false

  // MARK: Over which network

  /// Whether cellular connections may be used. In this process carried.
  open var allowsCellularAccess = true
  /// Whether metered connections may be used. In this process carried.
  open var allowsExpensiveNetworkAccess = true
  /// Whether connections in Low Data Mode may be used. In this process carried.
  open var allowsConstrainedNetworkAccess = true
  /// Whether connections of the lowest quality, such as by satellite, may be used. Carried, as in a request: Linux does
  /// not report such networks.
  open var allowsUltraConstrainedNetworkAccess = false
  /// The kind of traffic. Carried: networks are not told.
  open var networkServiceType: NSURLRequest.NetworkServiceType = .default
  /// How several networks are used at once. Carried.
  open var multipathServiceType = MultipathServiceType.none
  /// The proxies to use, by Apple's keys (`HTTPEnable`, `HTTPProxy`, `HTTPPort`, …). In this process carried: libcurl
  /// takes its proxies from the environment.
  open var connectionProxyDictionary: [AnyHashable: Any]?
  /// The minimum version of TLS. In this process carried: libcurl has its own minimum.
  open var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv12
  /// The maximum version of TLS. Carried: the newest version that both sides support is used.
  open var tlsMaximumSupportedProtocolVersion = tls_protocol_version_t.TLSv13
  /// Whether names must be validated by DNSSEC. Carried: the system's resolver decides (resolved.conf(5)).
  open var requiresDNSSECValidation = false
  /// Whether TLS 1.3 may send requests before its handshake has ended. Carried: it never does.
  open var enablesEarlyData = false
  /// Whether Apple's older loading system is used. Carried: there is only one here.
  open var usesClassicLoadingMode = true

  // MARK: HTTP

  /// Header fields added to every request that does not set them itself.
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  /// How many of the session's transfers may run with one host at a time. In the background all apps together may have
  /// 16 with one host, unless the daemon is configured otherwise.
  open var httpMaximumConnectionsPerHost = 6
  /// Whether requests may be pipelined. Carried.
  open var httpShouldUsePipelining = false
  /// Whether stored cookies are sent.
  open var httpShouldSetCookies = true
  /// Which cookies are stored.
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .onlyFromMainDocumentDomain
  /// The store of cookies. If nil, none are sent or stored.
  open var httpCookieStorage: HTTPCookieStorage?
  /// The store of credentials.
  open var urlCredentialStorage: URLCredentialStorage?
  /// How caches are used. Background transfers ignore all caches. In this process the two policies that return cached
  /// data of any age take effect; all others load.
  open var requestCachePolicy: NSURLRequest.CachePolicy = .useProtocolCachePolicy
  /// The store of responses that the app itself has cached: no load stores one. Nil for background sessions, as on iOS.
  open var urlCache: URLCache?
  /// Protocol handlers, asked before those of FoundationNetworking. Background sessions do not use them, as on iOS.
  open var protocolClasses: [AnyClass]?

  /// The container shared with app extensions. Carried: there are no app extensions on Linux.
  open var sharedContainerIdentifier: String?

  /// A configuration with Apple's default values, for sessions that end with the process.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(as: .default) }

  /// A configuration that stores nothing on the disk, for sessions that end with the process. It has its own stores of
  /// cookies, credentials and cached responses.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(as: .ephemeral) }

  /// Creates the configuration of a background session, whose transfers are carried out by the daemon and outlive the
  /// process.
  ///
  /// - Parameter identifier: The session's name within the app. A session created with the same identifier in a later
  ///   life of the app has the tasks of the earlier one.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    configuration.identifier = identifier
    configuration.urlCache = nil
    return configuration
  }

  /// Creates a configuration with Apple's default values, like `default`.
  public override convenience init() { self.init(as: .default) }

  /// Takes the stores and protocol handlers of a configuration of FoundationNetworking.
  private init(as foreign: FoundationNetworking.URLSessionConfiguration) {
    (httpCookieStorage, urlCredentialStorage) = (foreign.httpCookieStorage, foreign.urlCredentialStorage)
    (urlCache, protocolClasses) = (foreign.urlCache, foreign.protocolClasses)
    super.init()
  }

  /// Returns a copy with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = URLSessionConfiguration()
    copy.identifier = identifier
    copy.takeValues(of: self)
    return copy
  }
}
