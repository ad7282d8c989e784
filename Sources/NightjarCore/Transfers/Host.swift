/// The part of a URL that names a server: `host:port` in lower case, and whether it is this machine.
struct Host: Hashable, Comparable, Sendable {
  let name: String
  let isLoopback: Bool

  /// Reads the authority of an absolute URL (RFC 3986, section 3.2); what cannot be read is a host of its own.
  init(ofURL url: String) {
    let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    let afterScheme = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    guard afterScheme.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) else {
      self.init(name: url)
      return
    }
    let authority = afterScheme.dropFirst(2).prefix { !ends.contains($0) }
    let atSign = authority.lastIndex(of: UInt8(ascii: "@"))
    let host = atSign.map { authority[authority.index(after: $0)...] } ?? authority
    self.init(name: String(Substring(host)).lowercased())
  }

  private init(name: String) {
    self.name = name
    let bare = name.prefix { $0 != ":" }
    let isIPv4Loopback = bare.hasPrefix("127.") && bare.utf8.allSatisfy { $0 == UInt8(ascii: ".") || 48...57 ~= $0 }
    isLoopback = name == "[::1]" || name.hasPrefix("[::1]:") || bare == "localhost" || isIPv4Loopback
  }

  static func < (a: Host, b: Host) -> Bool { a.name < b.name }
}
