import Foundation
import FoundationNetworking
import NightjarModel

// The request that follows a redirect (RFC 9110, section 15.4), by the rules of background sessions.
// FoundationNetworking's own is not used: it resolves relative paths against the server's root, decodes percent
// escapes, and makes a GET of a HEAD. But it makes its request before it reports a redirect, and ends the process if it
// cannot.
extension URLRequest {
  /// The request that follows a redirect; nil if the target is not a URL for HTTP. A stream has been used up, and is
  /// left out.
  func following(_ redirect: HTTPURLResponse) -> URLRequest? {
    let location = redirect.value(forHTTPHeaderField: "Location") ?? ""
    guard let destination = URL(string: location.asReference, relativeTo: url)?.asDestination else { return nil }
    var next = withoutStream
    next.url = destination
    if AnswerHead.becomesGet(after: redirect.statusCode, method: httpMethod ?? "GET") { next.dropBody() }
    return next.trusted(after: url)
  }

  /// Whether the method is safe (GET or HEAD).
  var isReading: Bool { ["GET", "HEAD"].contains(httpMethod ?? "GET") }

  /// The request without its stream, if its body is one.
  var withoutStream: URLRequest {
    guard httpBodyStream != nil else { return self }
    var request = self
    request.httpBodyStream = nil
    return request
  }

  private mutating func dropBody() {
    (httpMethod, httpBody) = ("GET", nil)
    for name in (allHTTPHeaderFields ?? [:]).keys where name.lowercased().hasPrefix("content-") {
      setValue(nil, forHTTPHeaderField: name)
    }
  }

  /// The request as it may follow a redirect from a URL: header fields with credentials are sent neither to another
  /// server, nor in the clear to the same one (RFC 9110, section 15.4). Nor is a `Host` of the app's own, which was for
  /// the first server.
  func trusted(after redirecting: URL?) -> URLRequest {
    guard let redirecting, url.map({ Origin($0).isTrusted(after: Origin(redirecting)) }) != true else { return self }
    var stripped = self
    for name in (allHTTPHeaderFields ?? [:]).keys where CredentialFields.contains(name) || name.lowercased() == "host" {
      stripped.setValue(nil, forHTTPHeaderField: name)
    }
    return stripped
  }

  /// The request with which an app replaces the one that would follow a redirect, with the session's header fields that
  /// `following` has and that may be sent to the new URL.
  func adding(_ fields: [AnyHashable: Any]?, insteadOf following: URLRequest) -> URLRequest {
    var bearer = following
    bearer.url = url
    bearer = bearer.trusted(after: following.url)
    return adding(fields?.filter { bearer.value(forHTTPHeaderField: "\($0.key)") != nil })
  }

  /// The request with the name and the password of its URL as an `Authorization` field, which unlike those in the URL
  /// is dropped at a redirect to another server.
  var introduced: URLRequest {
    guard value(forHTTPHeaderField: "Authorization") == nil else { return self }
    guard let url, let user = url.user(percentEncoded: false) else { return self }
    let pair = "\(user):\(url.password(percentEncoded: false) ?? "")"
    return adding(["Authorization": "Basic " + Data(pair.utf8).base64EncodedString()])
  }
}

extension HTTPURLResponse {
  /// Whether its `Location` is followed; those of 305 and 306, which are deprecated, are not.
  var isFollowed: Bool { [301, 302, 303, 307, 308].contains(statusCode) }

  /// Whether it is a redirect whose `Location` is no URL. FoundationNetworking delivers no head of such a response.
  var leadsNowhere: Bool {
    guard isFollowed, let location = value(forHTTPHeaderField: "Location") else { return false }
    return URL(string: location) == nil
  }
}

/// A server as far as credentials go (RFC 6454): scheme, host and port.
private struct Origin: Equatable {
  let scheme: String?
  let host: String?
  let port: Int?

  init(_ url: URL) {
    (scheme, host, port) = (url.scheme?.lowercased(), url.host?.lowercased(), url.effectivePort)
  }

  /// Whether credentials may follow a redirect from another origin: it is the same one, or a server redirects from
  /// plain HTTP to its own TLS, as most do.
  func isTrusted(after other: Origin) -> Bool {
    let isUpgrade = (other.scheme, other.port) == ("http", 80) && (scheme, port) == ("https", 443)
    return self == other || isUpgrade && host == other.host
  }
}

extension String {
  /// A location with invalid characters escaped. `URL` would escape again what is escaped already.
  fileprivate var asReference: String {
    let (bytes, hostEnd) = (Array(utf8), authority.utf8.count)
    return bytes.indices.reduce(into: "") { text, index in
      let mayStand = bytes[index].mayStand(before: bytes[(index + 1)...], inAuthority: index < hostEnd)
      text += mayStand ? String(UnicodeScalar(bytes[index])) : String(format: "%%%02X", bytes[index])
    }
  }

  /// The text up to the end of the authority; empty without one.
  private var authority: Substring {
    guard let slashes = range(of: "//") else { return "" }
    let scheme = self[..<slashes.lowerBound]
    guard scheme.isEmpty || scheme.last == ":" && !scheme.contains(where: "/?#".contains) else { return "" }
    return self[..<(self[slashes.upperBound...].firstIndex(where: "/?#".contains) ?? endIndex)]
  }
}

extension UInt8 {
  /// Whether the character is valid in a URL (RFC 3986, section 2): a percent sign only before two hexadecimal digits,
  /// and brackets only in the authority, around an address.
  fileprivate func mayStand(before rest: ArraySlice<UInt8>, inAuthority: Bool) -> Bool {
    switch self {
    case UInt8(ascii: "%"): rest.count > 1 && rest.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    case UInt8(ascii: "["), UInt8(ascii: "]"): inAuthority
    default: (0x21...0x7E).contains(self) && !#""<>\^`{|}"#.utf8.contains(self)
    }
  }
}

extension URL {
  /// The port, or else the default port of the scheme.
  var effectivePort: Int? { port ?? ["http": 80, "https": 443, "ftp": 21][scheme?.lowercased() ?? ""] }

  /// The absolute URL, if HTTP can load it, without a name and a password, which the redirecting server would have
  /// chosen.
  fileprivate var asDestination: URL? {
    guard ["http", "https"].contains(scheme?.lowercased() ?? ""), host?.isEmpty == false else { return nil }
    guard user != nil || password != nil else { return absoluteURL }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    (parts.user, parts.password) = (nil, nil)
    return parts.url
  }
}
