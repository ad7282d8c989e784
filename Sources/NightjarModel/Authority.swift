/// The part of a URL that names a server: `name:password@host:port` (RFC 3986, section 3.2).
package struct Authority: Hashable, Sendable {
  /// `name:password`, as it stands before the `@`. A secret.
  package let userinfo: Substring?
  /// As it stands: an IPv6 address has its brackets.
  package let host: Substring
  /// What stands behind the colon; nil without one.
  package let port: Substring?

  /// Takes an authority apart.
  package init(_ text: Substring) {
    let sign = text.utf8.lastIndex(of: UInt8(ascii: "@"))
    userinfo = sign.map { text[..<$0] }
    let server = sign.map { text[text.utf8.index(after: $0)...] } ?? text
    // The colons of an IPv6 address stand in its brackets.
    let isBare = server.utf8.last == UInt8(ascii: "]")
    let colon = isBare ? nil : server.utf8.lastIndex(of: UInt8(ascii: ":"))
    host = colon.map { server[..<$0] } ?? server
    port = colon.map { server[server.utf8.index(after: $0)...] }
  }

  /// The authority of a URL; nil where it has none.
  package init?(of url: String) {
    guard let place = url.authority else { return nil }
    self.init(url[place])
  }

  /// Why no server can be reached by it, in words without secrets; nil if nothing is wrong with it.
  package var fault: String? {
    guard host.utf8.allSatisfy(\.isVisible), port?.utf8.allSatisfy(\.isVisible) ?? true,
      userinfo?.utf8.allSatisfy(\.isVisible) ?? true
    else { return "no space and no control character can stand before its path" }
    guard !address.isEmpty else { return "it names no host" }
    guard !address.utf8.contains(where: Self.brackets.contains) else {
      return "an IPv6 address stands between [ and ], and only it"
    }
    guard address.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else {
      return "its host is not plain ASCII (write xn-- names in full)"
    }
    guard let port, !port.isEmpty else { return nil }
    let isNumber = port.utf8.allSatisfy { (48...57).contains($0) } && UInt16(port) ?? 0 > 0
    return isNumber ? nil : "its port is no number from 1 to 65535"
  }

  private static let brackets = Array("[]".utf8)

  /// The host; an IPv6 address without its brackets.
  package var address: Substring {
    host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]") ? host.dropFirst().dropLast() : host
  }
}

extension UInt8 {
  /// Whether it is neither a space nor a control character of ASCII.
  fileprivate var isVisible: Bool { self > 0x20 && self != 0x7F }
}

extension String {
  /// The range of a URL's authority.
  package var authority: Range<Index>? {
    let mark = Array("://".utf8)
    guard let colon = utf8.indices.first(where: { utf8[$0...].starts(with: mark) }) else { return nil }
    let start = utf8.index(colon, offsetBy: mark.count)
    return start..<(utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? endIndex)
  }

  /// A URL without the name and password that it may carry.
  package var withoutCredentials: String {
    guard let authority, let sign = utf8[authority].lastIndex(of: UInt8(ascii: "@")) else { return self }
    return String(self[..<authority.lowerBound]) + self[utf8.index(after: sign)...]
  }
}

extension StringProtocol {
  /// Whether a host, an IPv6 address without its brackets, is this machine itself (RFC 6761, section 6.3).
  package var isLoopback: Bool {
    let host = lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    guard host.utf8.contains(UInt8(ascii: ":")) else {
      return host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
    }
    let groups = host.split(separator: ":", omittingEmptySubsequences: false).map { $0.drop { $0 == "0" } }
    return groups.last == "1" && groups.dropLast().allSatisfy(\.isEmpty)
  }
}
