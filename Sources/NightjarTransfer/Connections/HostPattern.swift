#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Hosts that are reached without a proxy, as `no_proxy` and `ExceptionsList` name them.
///
/// `example.com` also means its subdomains, `*.example.com` only these; `10.0.0.0/8` is a range of addresses, `*`
/// everything, `<local>` a name without a dot. With `:port` only that port is meant.
struct HostPattern: Hashable, Sendable {
  private var name: String
  private var port: Int?
  private var prefix: Int?
  private var meansSubdomainsOnly = false

  init(_ text: String) {
    name = text.lowercased().filter { $0 != " " }
    takePort()
    if let slash = name.lastIndex(of: "/"), let length = Int(name[name.index(after: slash)...]) {
      (prefix, name) = (length, String(name[..<slash]))
    }
    if name.hasPrefix("*.") { (meansSubdomainsOnly, name) = (true, String(name.dropFirst(2))) }
    if name.hasPrefix(".") { name.removeFirst() }
  }

  private mutating func takePort() {
    if name.hasPrefix("["), let end = name.lastIndex(of: "]") {
      port = Int(name[end...].drop { $0 == "]" || $0 == ":" })
      name = String(name[..<end].dropFirst())
    } else if name.count(where: { $0 == ":" }) == 1, let colon = name.lastIndex(of: ":") {
      port = Int(name[name.index(after: colon)...])
      name = String(name[..<colon])
    }
  }

  func matches(_ address: WebAddress) -> Bool {
    guard port == nil || port == address.port, !name.isEmpty else { return false }
    let host = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
    if name == "*" { return true }
    if name == "<local>" { return !host.contains(".") && !host.contains(":") }
    if let own = Self.bytes(name) { return Self.bytes(host).map { isInRange($0, own) } ?? false }
    return (host == name && !meansSubdomainsOnly) || host.hasSuffix(".\(name)")
  }

  private func isInRange(_ address: [UInt8], _ own: [UInt8]) -> Bool {
    guard address.count == own.count else { return false }
    let bits = max(min(prefix ?? .max, own.count * 8), 0)
    guard address[..<(bits / 8)] == own[..<(bits / 8)] else { return false }
    guard bits % 8 > 0 else { return true }
    return (address[bits / 8] ^ own[bits / 8]) >> (8 - bits % 8) == 0
  }

  /// The bytes of an IP address; nil for a name.
  static func bytes(_ text: String) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &room) == 1 { return Array(room[..<4]) }
    return inet_pton(AF_INET6, text, &room) == 1 ? room : nil
  }
}
