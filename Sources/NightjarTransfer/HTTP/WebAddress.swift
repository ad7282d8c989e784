import NightjarModel

/// An absolute `http` or `https` URL, taken apart (RFC 3986).
///
/// Fragments are dropped: they are never sent. What may not stand in a URL, such as a space or a letter beyond ASCII in
/// a server's `Location`, is percent-encoded rather than refused.
struct WebAddress: Hashable, Sendable {
  enum Scheme: String, Sendable { case http, https }

  var scheme: Scheme
  /// `user:password` as it stood before the `@`. A secret.
  var userinfo: String?
  /// Lower case, an IPv6 address without its brackets.
  var host: String
  var port: Int
  /// Begins with `/`.
  var path: String
  var query: String?

  /// Reads an absolute URL. The failure names no more of it than its beginning, since the rest may hold secrets.
  init(_ text: String) throws(TransferFailure) {
    let text = Self.escaped(text)
    guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw TransferFailure(.badURL, "the URL does not begin with http:// or https://")
    }
    let rest = text[text.index(after: colon)...]
    guard rest.hasPrefix("//") else {
      throw TransferFailure(.badURL, "the URL names no host: after \(scheme.rawValue): there must be //")
    }
    let afterSlashes = rest.dropFirst(2)
    let authorityEnd = afterSlashes.firstIndex { "/?#".contains($0) } ?? afterSlashes.endIndex
    self.scheme = scheme
    (userinfo, host, port) = try Self.authority(afterSlashes[..<authorityEnd], of: scheme)
    (path, query) = Self.pathAndQuery(afterSlashes[authorityEnd...])
    path = Self.withoutDots(path.isEmpty ? "/" : path)
  }

  /// The address that a reference in a document at this one means (RFC 3986, section 5.2).
  func resolving(_ reference: String) throws(TransferFailure) -> WebAddress {
    let reference = Self.escaped(reference)
    if Self.hasScheme(reference) { return try WebAddress(reference) }
    if reference.hasPrefix("//") { return try WebAddress("\(scheme.rawValue):\(reference)") }
    var result = self
    let (newPath, newQuery) = Self.pathAndQuery(reference[...])
    if newPath.isEmpty {
      result.query = newQuery ?? query
      return result
    }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    result.path = Self.withoutDots(newPath.hasPrefix("/") ? newPath : folder + newPath)
    result.query = newQuery
    return result
  }

  /// What names the server: requests with the same origin may share connections and credentials.
  var origin: Origin { Origin(isSecure: scheme == .https, host: host, port: port) }

  /// The request's target: path and query.
  var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The `Host` field: the port only where it is not the scheme's own.
  var hostField: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == Self.defaultPort(scheme) ? name : "\(name):\(port)"
  }

  /// What its host and path tell of the file there.
  var provenance: Provenance { Provenance(host: host, path: path) }

  /// The URL without user and password.
  var text: String { "\(scheme.rawValue)://\(hostField)\(target)" }
}

extension WebAddress {
  private static func defaultPort(_ scheme: Scheme) -> Int { scheme == .https ? 443 : 80 }

  private static func authority(
    _ text: Substring, of scheme: Scheme
  ) throws(TransferFailure) -> (userinfo: String?, host: String, port: Int) {
    let authority = Authority(text)
    if let fault = authority.fault { throw TransferFailure(.badURL, "the URL cannot be used: \(fault)") }
    let port = authority.port.flatMap { Int($0) } ?? defaultPort(scheme)
    return (authority.userinfo.map(String.init), authority.address.lowercased(), port)
  }

  private static func pathAndQuery(_ text: Substring) -> (path: String, query: String?) {
    let whole = text.prefix { $0 != "#" }
    guard let mark = whole.firstIndex(of: "?") else { return (String(whole), nil) }
    return (String(whole[..<mark]), String(whole[whole.index(after: mark)...]))
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":" else { return false }
    return text.first?.isLetter == true
  }

  /// Takes `.` and `..` out of a path (RFC 3986, section 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    var segments: [Substring] = []
    let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in all {
      switch segment {
      case ".": break
      case "..": _ = segments.popLast()
      default: segments.append(segment)
      }
    }
    let endsInFolder = all.last == "." || all.last == ".."
    return "/" + segments.joined(separator: "/") + (endsInFolder && !segments.isEmpty ? "/" : "")
  }

  private static func escaped(_ text: String) -> String {
    let unsafe = Set(#""<>\^`{|}"#.utf8)
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || unsafe.contains($0) }) else { return text }
    return text.utf8.reduce(into: "") { result, byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !unsafe.contains(byte)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + hex(byte)
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// A server as far as connections and credentials go (RFC 6454): scheme, host and port.
struct Origin: Hashable, Sendable {
  var isSecure: Bool
  var host: String
  var port: Int

  private var isAtUsualPort: Bool { port == (isSecure ? 443 : 80) }

  /// Whether both are one host: the same port of it, or the usual ones of HTTP and HTTPS.
  func isSameHost(as other: Origin) -> Bool {
    host == other.host && (port == other.port || isAtUsualPort && other.isAtUsualPort)
  }

  /// The origin as it is stored, always with its port.
  var text: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
