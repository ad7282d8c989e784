import Foundation
import FoundationNetworking
import NightjarModel

// Where a redirect takes a request (RFC 9110, section 15.4), by the rules of background sessions. FoundationNetworking's own
// do not count: they take what is relative to a folder for relative to the server, undo escapes and make a GET of a HEAD. It
// makes its own request before it tells of a redirect, though, and ends the process where it cannot.
extension URLRequest {
  /// The request that follows a redirect; nil where that names nothing that HTTP loads. A stream has been used up, and does
  /// not go along.
  func following(_ redirect: HTTPURLResponse) -> URLRequest? {
    let location = redirect.value(forHTTPHeaderField: "Location") ?? ""
    guard let destination = URL(string: location.asReference, relativeTo: url)?.asDestination else { return nil }
    var next = withoutStream
    next.url = destination
    if becomesGet(after: redirect.statusCode) { next.dropBody() }
    return next.trusted(after: url)
  }

  /// Whether it asks for something and does nothing.
  var isReading: Bool { ["GET", "HEAD"].contains(httpMethod ?? "GET") }

  /// The request without its stream, if its body is one.
  var withoutStream: URLRequest {
    guard httpBodyStream != nil else { return self }
    var request = self
    request.httpBodyStream = nil
    return request
  }

  private func becomesGet(after status: Int) -> Bool {
    switch status {
    case 303: !isReading
    case 301, 302: httpMethod == "POST"
    default: false
    }
  }

  private mutating func dropBody() {
    (httpMethod, httpBody) = ("GET", nil)
    for name in (allHTTPHeaderFields ?? [:]).keys where name.lowercased().hasPrefix("content-") {
      setValue(nil, forHTTPHeaderField: name)
    }
  }

  /// The request as it may follow a redirect from a URL: what speaks for the app goes to no other server, nor to the same
  /// one in the clear (RFC 9110, section 15.4). A host of its own was meant for the first server, too.
  func trusted(after redirecting: URL?) -> URLRequest {
    guard let redirecting, url.map({ Origin($0).isTrusted(after: Origin(redirecting)) }) != true else { return self }
    var stripped = self
    for name in (allHTTPHeaderFields ?? [:]).keys where CredentialFields.contains(name) || name.lowercased() == "host" {
      stripped.setValue(nil, forHTTPHeaderField: name)
    }
    return stripped
  }

  /// The request, which an app has put in the place of the one that would follow a redirect, with those fields of the
  /// session that this one has and that may go to where the app wants.
  func adding(_ fields: [AnyHashable: Any]?, insteadOf following: URLRequest) -> URLRequest {
    var bearer = following
    bearer.url = url
    bearer = bearer.trusted(after: following.url)
    return adding(fields?.filter { bearer.value(forHTTPHeaderField: "\($0.key)") != nil })
  }

  /// The request with the name and the password of its URL as a field, which stays with a server as the URL's own do not.
  var introduced: URLRequest {
    guard value(forHTTPHeaderField: "Authorization") == nil else { return self }
    guard let url, let user = url.user(percentEncoded: false) else { return self }
    let pair = "\(user):\(url.password(percentEncoded: false) ?? "")"
    return adding(["Authorization": "Basic " + Data(pair.utf8).base64EncodedString()])
  }
}

extension HTTPURLResponse {
  /// Whether a `Location` in it is to be followed: 305 and 306 are history.
  var isFollowed: Bool { [301, 302, 303, 307, 308].contains(statusCode) }
}

/// A server as far as credentials go (RFC 6454): scheme, host and port.
private struct Origin: Equatable {
  let scheme: String?
  let host: String?
  let port: Int?

  init(_ url: URL) {
    (scheme, host, port) = (url.scheme?.lowercased(), url.host?.lowercased(), url.effectivePort)
  }

  /// Whether it is the same server; also where that one sends to its own TLS, as most do that were asked over plain HTTP.
  func isTrusted(after other: Origin) -> Bool {
    let isUpgrade = (other.scheme, other.port) == ("http", 80) && (scheme, port) == ("https", 443)
    return self == other || isUpgrade && host == other.host
  }
}

extension String {
  /// A location with what may not stand in a URL escaped: `URL` would escape anew what is escaped already.
  fileprivate var asReference: String {
    let (bytes, hostEnd) = (Array(utf8), authority.utf8.count)
    return bytes.indices.reduce(into: "") { text, index in
      let mayStand = bytes[index].mayStand(before: bytes[(index + 1)...], inAuthority: index < hostEnd)
      text += mayStand ? String(UnicodeScalar(bytes[index])) : String(format: "%%%02X", bytes[index])
    }
  }

  /// What it begins with up to its server's end; nothing where it names none.
  private var authority: Substring {
    guard let slashes = range(of: "//") else { return "" }
    let scheme = self[..<slashes.lowerBound]
    guard scheme.isEmpty || scheme.last == ":" && !scheme.contains(where: "/?#".contains) else { return "" }
    return self[..<(self[slashes.upperBound...].firstIndex(where: "/?#".contains) ?? endIndex)]
  }
}

extension UInt8 {
  /// Whether it may stand in a URL (RFC 3986, section 2): a percent sign before two digits alone, and brackets around an
  /// address alone.
  fileprivate func mayStand(before rest: ArraySlice<UInt8>, inAuthority: Bool) -> Bool {
    switch self {
    case UInt8(ascii: "%"): rest.count > 1 && rest.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    case UInt8(ascii: "["), UInt8(ascii: "]"): inAuthority
    default: (0x21...0x7E).contains(self) && !#""<>\^`{|}"#.utf8.contains(self)
    }
  }
}

extension URL {
  /// The port that is meant, be it named or not.
  var effectivePort: Int? { port ?? ["http": 80, "https": 443, "ftp": 21][scheme?.lowercased() ?? ""] }

  /// The whole URL, if HTTP loads it, without the name and the password in it: they would be a stranger's choice.
  fileprivate var asDestination: URL? {
    guard ["http", "https"].contains(scheme?.lowercased() ?? ""), host?.isEmpty == false else { return nil }
    guard user != nil || password != nil else { return absoluteURL }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    (parts.user, parts.password) = (nil, nil)
    return parts.url
  }
}
