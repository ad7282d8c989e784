import NightjarModel

/// Where a request goes, and where its redirects take it (RFC 9110, section 15.4).
struct Itinerary: Sendable {
  private(set) var address: WebAddress
  private(set) var method: String
  private(set) var headers: [HTTPField]
  /// Whether the request's body still goes along.
  private(set) var sendsBody: Bool
  /// The cookies that were set on the way.
  private var jar = CookieJar()
  /// The name and password that stood in the URL.
  ///
  /// They are sent unasked, as Basic, where they go encrypted or a body would otherwise be sent twice. In the clear,
  /// all other requests wait until the server asks, which may be content with a proof (Digest): that costs a round
  /// trip.
  private(set) var own: Credentials.Own?
  /// Where the client wanted to go.
  private let start: Origin
  /// Whether the way has led to another origin, or to a place that another one has named.
  private var hasLeft = false
  /// Whether credentials that were decided for the present address may be shown there.
  private(set) var showsCredentials = true
  /// Whether the client's own origin vouches for the present address, so that cookies are sent there and taken from
  /// there.
  private var sharesCookies = true
  private var seen: Set<Stop>
  private let stopsMax: Int

  /// A request as its server sees it. Coming again with another cookie is no circle: that is how a server finds out
  /// whether cookies are kept.
  private struct Stop: Hashable {
    var method: String
    var url: String
    var cookies: String?
  }

  init(_ request: TransferRequest, redirectsMax: Int) throws(TransferFailure) {
    address = try WebAddress(request.url)
    (method, headers) = (request.method, request.headers)
    sendsBody = request.hasBody
    stopsMax = redirectsMax + 1
    seen = []
    let userinfo = address.userinfo.map(\.percentDecoded)
    let origin = address.origin
    start = origin
    own = userinfo.map { Self.pair($0, at: origin) }
    if let userinfo, headers[field: "Authorization"] == nil, sendsBody || origin.isSecure {
      own?.isShown = true
      // The colon belongs to it, with or without a password (RFC 7617, section 2).
      let pair = userinfo.contains(UInt8(ascii: ":")) ? userinfo : userinfo + [UInt8(ascii: ":")]
      headers.append(HTTPField("Authorization", "Basic " + Base64.encode(pair)))
    }
    address.userinfo = nil
    seen = [Stop(method: method, url: address.text, cookies: cookies)]
  }

  /// Whether a status sends us elsewhere. Without a `Location` it is an answer like any other.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Goes on to where an answer points.
  ///
  /// A POST becomes a GET after 301 and 302, everything but HEAD after 303. Credentials that the client gave for one
  /// origin stay with it. A body that was to go encrypted goes nowhere in the clear.
  ///
  /// - Parameter whole: The method of the whole upload, if the answer to this request, its last part, is for all of it.
  mutating func follow(status: Int, location: String, answering whole: String? = nil) throws(TransferFailure) {
    let next = try destination(location)
    if next.origin != address.origin {
      hasLeft = true
      dropCredentials()
    }
    if AnswerHead.becomesGet(after: status, method: whole ?? method) { dropBody() }
    guard !sendsBody || address.scheme == .http || next.scheme == .https else {
      throw TransferFailure(
        .badRedirect,
        "\(address.host) redirects from https to http (\(next.host)), where the body would go in the clear")
    }
    address = next
    guard seen.count < stopsMax else {
      throw TransferFailure(.tooManyRedirects, "\(next.host): more than \(stopsMax - 1) redirects")
    }
    guard seen.insert(Stop(method: method, url: next.text, cookies: cookies)).inserted else {
      throw TransferFailure(.tooManyRedirects, "\(next.host): the redirects go in circles")
    }
  }

  /// Takes in the cookies of an answer that is not the last one.
  mutating func takeCookies(_ head: AnswerHead) { jar.take(head, from: address) }

  /// Takes over the cookies that were set on a side trip to an upload resource, if the two share cookies.
  mutating func takeCookies(of side: Itinerary) { if side.sharesCookies { jar = side.jar } }

  /// The `Cookie` field for the present address: the client's own cookies and those set on the way.
  var cookies: String? {
    let own = headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
    return jar.field(adding: own.isEmpty ? nil : own.joined(separator: "; "), for: address)
  }

  /// Whether cookies were set on the way.
  var hasCookies: Bool { jar != CookieJar() }

  /// Whether the present address is on the host where the client wanted to go.
  var isAtStart: Bool { address.origin.isSameHost(as: start) }

  /// The origin that vouches for a URL that the present address names; nil at the client's own origin once the way has
  /// led over another one, which may have chosen where it led back.
  var namer: String? { hasLeft && address.origin == start ? nil : address.origin.text }

  /// The way to a server's upload resource.
  ///
  /// Where the client's own origin has named a URL of its own, the client's cookies and header fields go along, except
  /// those about the body. Anywhere else no field goes along that could be a secret: whoever names a URL chooses the
  /// request, and secrets sent with it would speak for the client. Credentials that were decided for the URL's origin
  /// are shown to it if the client's own origin or that origin itself has named the URL.
  func visiting(_ there: WebAddress, namedBy namer: String?, method: String) -> Itinerary {
    var side = self
    let isOwn = namer == start.text && there.origin == start
    side.showsCredentials = namer == start.text || namer == there.origin.text
    if !isOwn { (side.jar, side.sharesCookies, side.hasLeft) = (CookieJar(), false, true) }
    side.headers.removeAll { field in
      let name = field.name.lowercased()
      return name.hasPrefix("content-") || name.hasPrefix("if-") || name == "range"
        || !(isOwn || Self.isHarmless(name))
    }
    (side.address, side.method, side.sendsBody) = (there, method, method == "PATCH")
    return side
  }

  private static func isHarmless(_ name: String) -> Bool { ["accept", "accept-language", "user-agent"].contains(name) }

  private func destination(_ location: String) throws(TransferFailure) -> WebAddress {
    do {
      var next = try address.resolving(location)
      next.userinfo = nil
      return next
    } catch {
      throw TransferFailure(.badRedirect, "\(address.host) redirects to nowhere: \(error.detail)")
    }
  }

  private mutating func dropCredentials() {
    own?.isShown = false
    headers.removeAll { CredentialFields.contains($0.name) }
  }

  private mutating func dropBody() {
    (method, sendsBody) = ("GET", false)
    headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
  }

  private static func pair(_ userinfo: [UInt8], at origin: Origin) -> Credentials.Own {
    let user = userinfo.prefix { $0 != UInt8(ascii: ":") }
    let password = String(decoding: userinfo.dropFirst(user.count + 1), as: UTF8.self)
    return Credentials.Own(keeper: .server(origin), user: String(decoding: user, as: UTF8.self), password: password)
  }
}

extension TransferRequest {
  var isUpload: Bool { if case .upload = direction { true } else { false } }
  var hasBody: Bool { isUpload || !body.isEmpty }
}
