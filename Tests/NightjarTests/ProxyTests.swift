import NightjarWire
import Testing

@testable import Nightjar

struct ProxyTests {
  @Test func `a dictionary of Apple's keys names the proxies`() {
    let dictionary: [AnyHashable: Any] = [
      "HTTPEnable": 1, "HTTPProxy": "proxy.example", "HTTPPort": 3128, "HTTPSEnable": true, "HTTPSProxy": "::1",
      "HTTPSPort": "8080", "ExceptionsList": ["*.local", "10.0.0.0/8"], "kCFProxyUsernameKey": "ann",
      "kCFProxyPasswordKey": "s@cret",
    ]

    let proxies = WireProxies(dictionary)

    #expect(proxies?.http == "http://ann:s%40cret@proxy.example:3128")
    #expect(proxies?.https == "http://ann:s%40cret@[::1]:8080")
    #expect(proxies?.exceptions == ["*.local", "10.0.0.0/8"])
  }

  @Test func `the constants of Apple's keys name the proxies, too`() {
    let dictionary: [AnyHashable: Any] = [
      kCFNetworkProxiesHTTPEnable as String: 1, kCFNetworkProxiesHTTPProxy: "proxy.example",
      kCFNetworkProxiesHTTPPort: 3128, kCFNetworkProxiesHTTPSEnable: true, kCFStreamPropertyHTTPSProxyHost: "::1",
      kCFStreamPropertyHTTPSProxyPort: 8080, kCFNetworkProxiesExceptionsList: ["*.local"], kCFProxyUsernameKey: "ann",
      kCFProxyPasswordKey: "s@cret",
    ]
    let socks: [AnyHashable: Any] = [
      kCFNetworkProxiesSOCKSEnable: 1, kCFNetworkProxiesSOCKSProxy: "socks.example", kCFNetworkProxiesSOCKSPort: 1081,
    ]

    let proxies = WireProxies(dictionary)

    #expect(proxies?.http == "http://ann:s%40cret@proxy.example:3128")
    #expect(proxies?.https == "http://ann:s%40cret@[::1]:8080")
    #expect(proxies?.exceptions == ["*.local"])
    #expect(WireProxies(socks)?.http == "socks5://socks.example:1081")
  }

  @Test func `SOCKS serves where nothing else does, and what is not enabled is not used`() {
    let proxies = WireProxies([
      "SOCKSEnable": 1, "SOCKSProxy": "socks.example", "HTTPProxy": "off.example", "HTTPSEnable": 0,
      "HTTPSProxy": "off.example",
    ])

    #expect(proxies == WireProxies(http: "socks5://socks.example:1080", https: "socks5://socks.example:1080"))
  }

  @Test func `no dictionary leaves it to the daemon, and an empty one means no proxy`() {
    #expect(WireProxies(nil) == nil)
    #expect(WireProxies([:]) == WireProxies())
  }
}
