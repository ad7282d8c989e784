import HTTPTypes
import Hummingbird
import NIOCore

/// Lets only requests through that come from our own page, or from a person who typed the address.
///
/// A page of another site can make a browser send requests here, and can point a name of its own to 127.0.0.1 (DNS
/// rebinding): the first shows in `Origin` (RFC 6454) and `Sec-Fetch-Site` (Fetch Metadata), the second in `Host`.
struct Gatekeeper: RouterMiddleware {
  func handle(
    _ request: Request, context: HomeContext, next: @concurrent (Request, HomeContext) async throws -> Response
  ) async throws -> Response {
    do {
      try Self.check(request.head, port: context.port)
      return try await next(request, context)
    } catch let refusal as Refusal {
      return refusal.response
    } catch let error as HTTPError where error.status == .notFound {
      return Self.nothing(for: request)
    }
  }

  /// The answer where no route leads: 405 with `Allow` if only the method is wrong (RFC 9110, 15.5.6).
  private static func nothing(for request: Request) -> Response {
    let path = request.uri.path
    let methods = HomeScreen.methods(at: path)
    guard !methods.isEmpty, !methods.contains(request.method) else {
      return Refusal(.notFound, "nothingHere", "Nothing is at \(path).").response
    }
    let allowed = methods.map(\.rawValue).joined(separator: ", ")
    var response = Refusal(.methodNotAllowed, "wrongMethod", "\(path) takes \(allowed).").response
    response.headers[.allow] = allowed
    return response
  }

  /// - Throws: `Refusal` for a request that another site caused, or that names two hosts (RFC 9112, 3.2).
  static func check(_ head: HTTPRequest, port: Int) throws(Refusal) {
    // The first became the authority.
    guard head.headerFields[values: .init("Host")!].isEmpty else {
      throw Refusal(.badRequest, "twoHosts", "A request names one host.")
    }
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = head.authority.map({ whole($0, port) }), hosts.contains(host) else {
      throw Refusal(
        .misdirectedRequest, "wrongHost", "This server is http://\(hosts[0])/ and answers to no other name.")
    }
    if let origin = head.headerFields[.origin], whole(origin, port) != "http://\(host)" {
      throw Refusal(.forbidden, "wrongOrigin", "Another site's page asked for this; only the home screen itself may.")
    }
    let site = head.headerFields[.secFetchSite]
    guard ["same-origin", "none", nil].contains(site) || head.isNavigation else {
      throw Refusal(.forbidden, "wrongOrigin", "Another site's page asked for this; only the home screen itself may.")
    }
  }

  /// A host or an origin with its port, which browsers leave out if it is HTTP's default.
  private static func whole(_ name: String, _ port: Int) -> String {
    let name = name.lowercased()
    return port == 80 && !name.hasSuffix(":80") ? name + ":80" : name
  }
}

/// The context of a request: its connection, and the port that it came to.
struct HomeContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  var port: Int { channel.localAddress?.port ?? 0 }

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension HTTPRequest {
  /// Whether this is a navigation to a page, by a link or by our own file that leads here.
  fileprivate var isNavigation: Bool {
    method == .get && headerFields[.secFetchMode] == "navigate" && headerFields[.secFetchDest] == "document"
  }
}

extension HTTPField.Name {
  fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
  fileprivate static let secFetchMode = Self("Sec-Fetch-Mode")!
  fileprivate static let secFetchDest = Self("Sec-Fetch-Dest")!
}
