public import NightjarModel

/// A proxy, taken apart.
struct ProxyServer: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// HTTP's own (RFC 9110, section 7.7): asked with the whole URL for `http:`, by `CONNECT` for `https:`.
    case http
    /// SOCKS 5 (RFC 1928), which is given names, not addresses.
    case socks5
  }

  var kind: Kind
  var host: String
  var port: Int
  /// Percent-encoding undone. Secret, and for the proxy alone.
  var user: [UInt8]?
  var password: [UInt8] = []
  /// Whether it is only shown proofs of the password (RFC 7616); they need its challenge first.
  var isProven = false

  /// Reads `http://user:password@host:port`, `socks5://…` and `socks5h://…`, which mean the same here.
  init(_ text: String) throws(TransferFailure) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Self.kinds[parts[0].lowercased()] else {
      let isNamed = parts.count == 2 && parts[0].allSatisfy { $0.isLetter || $0.isNumber }
      let named = isNamed ? ", one of \(parts[0].prefix(20).debugDescription)," : ""
      throw TransferFailure(
        .badURL,
        "the proxy \(Self.shown(text))\(named) is not spoken to: its URL has to begin with http:// or socks5://")
    }
    // The authority is read as that of any URL; the scheme only lends its default port.
    let address: WebAddress
    do { address = try WebAddress("http://\(parts[1])") } catch {
      throw TransferFailure(.badURL, "the proxy \(Self.shown(text)): \(error.detail)")
    }
    (self.kind, host, port) = (kind, address.host, address.port)
    if kind == .socks5, !Self.namesPort(text) { port = 1080 }
    guard let userinfo = address.userinfo else { return }
    let halves = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    (user, password) = (halves[0].percentDecoded, halves.count == 2 ? halves[1].percentDecoded : [])
  }

  private static let kinds: [String: Kind] = ["http": .http, "socks5": .socks5, "socks5h": .socks5]

  /// What may be shown of a text that need not be a URL: only what follows the last `@`, since a password may hold
  /// anything.
  private static func shown(_ text: String) -> String {
    let scheme = kinds.keys.first { text.lowercased().hasPrefix($0 + "://") }.map { $0 + "://" } ?? ""
    let server = text.dropFirst(scheme.count)
    let start = server.lastIndex(of: "@").map(server.index(after:)) ?? server.startIndex
    return String(escaping: "\(scheme)\(server[start...].prefix(200))")
  }

  private static func namesPort(_ text: String) -> Bool { Authority(of: text)?.port.map { !$0.isEmpty } ?? false }

  /// What stands in `Proxy-Authorization` from the first request on; nil without credentials that go in the open.
  var authorization: String? {
    isProven ? nil : user.map { "Basic " + Base64.encode($0 + [UInt8(ascii: ":")] + password) }
  }

  /// The `Proxy-Authorization` for a tunnel that meets the challenge in the proxy's refusal; nil if it cannot be met.
  func proof(after answer: AnswerHead, target: String) -> String? {
    let schemes = AuthScheme.all(in: answer.headers, named: "proxy-authenticate")
    guard isProven, answer.status == 407, let user, var digest = DigestChallenge.best(of: schemes)?.digest else {
      return nil
    }
    return digest.field(
      user: String(decoding: user, as: UTF8.self), password: String(decoding: password, as: UTF8.self),
      method: "CONNECT", target: target, clientNonce: DigestChallenge.clientNonce())
  }

  /// The same proxy with other credentials.
  func shown(_ pass: Credentials.Pass?) -> ProxyServer {
    guard let pass else { return self }
    var proxy = self
    (proxy.user, proxy.password, proxy.isProven) = (Array(pass.user.utf8), Array(pass.password.utf8), pass.isProven)
    return proxy
  }

  /// The credentials that stood in its URL.
  func own(before origin: Origin) -> Credentials.Own? {
    user.map {
      Credentials.Own(
        keeper: .proxy(self, before: origin), user: String(decoding: $0, as: UTF8.self),
        password: String(decoding: password, as: UTF8.self), isShown: true)
    }
  }
}

extension Proxies {
  /// Why a proxy's URL cannot be used, in words that name the proxy and not its password; nil if it can.
  public static func fault(in url: String) -> String? {
    do throws(TransferFailure) {
      _ = try ProxyServer(url)
      return nil
    } catch { return error.detail }
  }
}
