import Foundation
import NightjarWire

extension WireProxies {
  /// The proxies of a `connectionProxyDictionary`, under the keys of Apple's CFNetwork (ProxyKeys.swift): `HTTPEnable`,
  /// `HTTPProxy`, `HTTPPort`, the same with `HTTPS` and `SOCKS`, `ExceptionsList`, and `kCFProxyUsernameKey` with
  /// `kCFProxyPasswordKey`. Nil without a dictionary: then the daemon's own settings apply. An empty one means no
  /// proxy.
  init?(_ dictionary: [AnyHashable: Any]?) {
    guard let dictionary else { return nil }
    let socks = Self.url("socks5", "SOCKS", dictionary, port: 1080)
    self.init(
      http: Self.url("http", "HTTP", dictionary, port: 80) ?? socks,
      https: Self.url("http", "HTTPS", dictionary, port: 443) ?? socks,
      exceptions: (dictionary[kCFNetworkProxiesExceptionsList] as? [Any])?.map { "\($0)" })
  }

  private static func url(_ scheme: String, _ kind: String, _ dictionary: [AnyHashable: Any], port: Int) -> String? {
    guard isOn(dictionary["\(kind)Enable"]), let host = dictionary["\(kind)Proxy"] as? String, !host.isEmpty else {
      return nil
    }
    let port = number(dictionary["\(kind)Port"]) ?? port
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme)://\(credentials(dictionary))\(name):\(port)"
  }

  private static func credentials(_ dictionary: [AnyHashable: Any]) -> String {
    guard let user = dictionary[kCFProxyUsernameKey] as? String else { return "" }
    let password = dictionary[kCFProxyPasswordKey] as? String ?? ""
    let parts = [user, password].map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
    return parts.joined(separator: ":") + "@"
  }

  private static func isOn(_ value: Any?) -> Bool { value as? Bool ?? number(value).map { $0 != 0 } ?? false }

  private static func number(_ value: Any?) -> Int? {
    value as? Int ?? (value as? NSNumber)?.intValue ?? (value as? String).flatMap { Int($0) }
  }
}
