// The keys of a `connectionProxyDictionary`, as Apple's CFNetwork names them. They are strings, so that they can be
// used with and without `as String`.

/// Whether to use a proxy for plain HTTP.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The host of the proxy for plain HTTP.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for plain HTTP; 80 without it.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// Whether to use a proxy for HTTPS.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The host of the proxy for HTTPS.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for HTTPS; 443 without it.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// Whether to use a SOCKS 5 proxy where there is no other.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The host of the SOCKS proxy.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; 1080 without it.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// The hosts that are reached without a proxy.
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"

/// The user of a proxy that asks for one.
public let kCFProxyUsernameKey = "kCFProxyUsernameKey"
/// The password of a proxy that asks for one.
public let kCFProxyPasswordKey = "kCFProxyPasswordKey"

/// The host of the proxy for plain HTTP, by the name that streams have for it.
public let kCFStreamPropertyHTTPProxyHost = kCFNetworkProxiesHTTPProxy
/// The port of the proxy for plain HTTP, by the name that streams have for it.
public let kCFStreamPropertyHTTPProxyPort = kCFNetworkProxiesHTTPPort
/// The host of the proxy for HTTPS, by the name that streams have for it.
public let kCFStreamPropertyHTTPSProxyHost = kCFNetworkProxiesHTTPSProxy
/// The port of the proxy for HTTPS, by the name that streams have for it.
public let kCFStreamPropertyHTTPSProxyPort = kCFNetworkProxiesHTTPSPort
