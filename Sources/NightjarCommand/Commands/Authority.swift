/// The part of a URL that names a server: `name:password@host:port` (RFC 3986, section 3.2).
struct Authority: Hashable, Sendable {
  /// A secret, as it may hold a password.
  private let text: Substring

  /// Nil where a URL has no such part.
  init?(of url: String) {
    guard let place = url.authority else { return nil }
    text = url[place]
  }

  /// Why no server can be reached by it, in words without secrets; nil if nothing is wrong with it.
  var fault: String? {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      return "no space and no control character can stand before its path"
    }
    guard !host.isEmpty else { return "it names no host" }
    guard let port, !port.isEmpty else { return nil }
    let isNumber = port.utf8.allSatisfy { (48...57).contains($0) } && UInt16(port) ?? 0 > 0
    return isNumber ? nil : "its port is no number from 1 to 65535"
  }

  private var server: Substring { text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text }

  /// The colon before the port; those of an IPv6 address stand in brackets.
  private var portColon: Substring.Index? { server.last == "]" ? nil : server.lastIndex(of: ":") }

  private var host: Substring { portColon.map { server[..<$0] } ?? server }

  private var port: Substring? { portColon.map { server[server.index(after: $0)...] } }
}

extension String {
  /// Where the authority of a URL stands.
  var authority: Range<Index>? {
    guard let start = firstRange(of: "://")?.upperBound else { return nil }
    return start..<(self[start...].firstIndex { "/?#".contains($0) } ?? endIndex)
  }

  /// A URL whose spaces are percent-encoded from its path on. Elsewhere they are mistakes.
  var withSpacesEncoded: String {
    guard let authority else { return self }
    return String(self[..<authority.upperBound]) + self[authority.upperBound...].replacing(" ", with: "%20")
  }
}
