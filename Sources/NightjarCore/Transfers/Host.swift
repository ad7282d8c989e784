import NightjarModel

/// The part of a URL that names a server: its host in lower case, with the port unless it is the usual one, and whether
/// it is this machine.
struct Host: Hashable, Comparable, Sendable {
  let name: String
  let isLoopback: Bool

  /// Reads the authority of an absolute URL (RFC 3986, section 3.2); what cannot be read is a host of its own.
  init(ofURL url: String) {
    guard let authority = Authority(of: url) else {
      (name, isLoopback) = (url, false)
      return
    }
    let usual = url.prefix(5).lowercased() == "https" ? "443" : "80"
    let port = authority.port.map { $0.isEmpty || $0 == usual ? "" : ":" + $0 } ?? ""
    (name, isLoopback) = (authority.host.lowercased() + port, authority.address.isLoopback)
  }

  static func < (a: Host, b: Host) -> Bool { a.name < b.name }
}
