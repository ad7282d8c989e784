import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The cookies that servers set during one attempt, for its later requests (RFC 6265).
///
/// They last no longer than the attempt: cookies of the final answer are passed to the client, which keeps them.
struct CookieJar: Hashable, Sendable {
  private struct Cookie: Hashable {
    var name: String
    var value: String
    var scope: CookieScope
    var path: String
    var isSecure: Bool
  }

  private var cookies: [Cookie] = []

  /// Cookies that are kept, and bytes of name and value of each (RFC 6265, section 6.1).
  private static let countMax = 50
  private static let sizeMax = 4096

  /// Takes in the `Set-Cookie` fields of an answer (section 5.3), but for those with control characters in them
  /// (draft-ietf-httpbis-rfc6265bis, section 5.7).
  mutating func take(_ head: AnswerHead, from address: WebAddress) {
    let now = head.headers[field: "Date"].flatMap(HTTPDate.seconds) ?? Int64(time(nil))
    for field in head.headers where field.name.lowercased() == "set-cookie" && !Self.hasControls(field.value) {
      take(field.value, from: address, at: now)
    }
  }

  /// The pairs that belong into a request (section 5.4), longer paths first.
  func pairs(for address: WebAddress) -> [(name: String, value: String)] {
    let path = address.path
    let fitting = cookies.filter { cookie in
      cookie.scope.covers(address.host) && CookieScope.path(cookie.path, covers: path)
        && (!cookie.isSecure || address.scheme == .https)
    }
    let byPath = fitting.enumerated().sorted { one, other in
      (-one.element.path.utf8.count, one.offset) < (-other.element.path.utf8.count, other.offset)
    }
    return byPath.map { ($0.element.name, $0.element.value) }
  }

  /// The client's own `Cookie` field with the cookies that servers have set since; theirs count where names are the
  /// same.
  func field(adding own: String?, for address: WebAddress) -> String? {
    let pairs = pairs(for: address)
    guard !pairs.isEmpty else { return own }
    let names = Set(pairs.map(\.name))
    let kept = (own ?? "").split(ascii: ";").map { Self.trimmed($0) }.filter { pair in
      !pair.isEmpty && !names.contains(Self.halves(pair[...]).name)
    }
    return (kept + pairs.map { "\($0.name)=\($0.value)" }).joined(separator: "; ")
  }

  private mutating func take(_ text: String, from address: WebAddress, at now: Int64) {
    let parts = text.split(ascii: ";", omittingEmptySubsequences: false)
    let pair = Self.halves(parts[0])
    guard let value = pair.value, text.utf8.count <= Self.sizeMax else { return }
    var cookie = Cookie(
      name: pair.name, value: value, scope: .host(address.host), path: Self.folder(of: address.path), isSecure: false)
    var (lifetime, expiry): (Int64?, Int64?) = (nil, nil)
    for part in parts.dropFirst() {
      let (name, value) = Self.attribute(part)
      switch name {
      case "domain":
        guard let scope = CookieScope(domain: value, setBy: address.host) else { return }
        cookie.scope = scope
      case "path": if value.hasPrefix("/") { cookie.path = value }
      case "secure": cookie.isSecure = true
      case "max-age": lifetime = Int64(value)
      case "expires": expiry = HTTPDate.seconds(value)
      default: break
      }
    }
    guard mayKeep(cookie, from: address) else { return }
    let isGone = lifetime.map { $0 <= 0 } ?? expiry.map { $0 <= now } ?? false
    put(cookie, isGone: isGone)
  }

  /// Whether who answers may set the cookie: in the clear nobody sets a secure one, nor one that stands before it, and
  /// some names promise how a cookie was set (draft-ietf-httpbis-rfc6265bis, sections 4.1.3 and 5.7).
  private func mayKeep(_ cookie: Cookie, from address: WebAddress) -> Bool {
    if address.scheme != .https, cookie.isSecure || hidesSecure(cookie) { return false }
    let name = cookie.name.lowercased()
    if name.hasPrefix("__secure-") { return cookie.isSecure }
    if name.hasPrefix("__host-") { return cookie.isSecure && cookie.path == "/" && cookie.scope == .host(address.host) }
    return true
  }

  private func hidesSecure(_ cookie: Cookie) -> Bool {
    cookies.contains { other in
      other.isSecure && other.name == cookie.name && CookieScope.path(other.path, covers: cookie.path)
        && other.scope.overlaps(cookie.scope)
    }
  }

  private mutating func put(_ cookie: Cookie, isGone: Bool) {
    guard !cookie.name.isEmpty else { return }
    cookies.removeAll { $0.name == cookie.name && $0.scope == cookie.scope && $0.path == cookie.path }
    guard !isGone else { return }
    cookies.append(cookie)
    if cookies.count > Self.countMax { cookies.removeFirst() }
  }

  private static func hasControls(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
  }

  private static func attribute(_ part: Substring) -> (name: String, value: String) {
    let (name, value) = halves(part)
    return (name.lowercased(), value ?? "")
  }

  /// The parts before and after the equals sign; the value is nil without one.
  private static func halves(_ part: Substring) -> (name: String, value: String?) {
    let halves = part.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    return (halves[0], halves.count == 2 ? halves[1] : nil)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = text.utf8.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(Substring(start[...end]))
  }
}
