import NightjarModel

/// The credentials of one attempt: what its app has decided, what was shown where, and what came of it.
///
/// What was decided for one origin is shown to that origin only.
struct Papers: Sendable {
  /// What a refusal for want of credentials leads to.
  enum Next: Hashable, Sendable {
    /// Ask again, with what ``field(for:method:)`` says.
    case show
    /// The app has to be asked.
    case ask(Challenge)
    /// It is the answer.
    case settle
  }

  /// What is shown to one origin.
  private struct Shown: Sendable {
    enum Form: Sendable {
      case basic
      case digest(Digest)
    }

    var origin: Origin
    var space: ProtectionSpace
    var form: Form
    var user: String
    var password: String
    /// How often the server has called our nonce stale.
    var stales = 0
  }

  private let answers: [Answered]
  private let mayAsk: Bool
  /// The name and password that stood in the URL, and the origin that they are for.
  private let own: (origin: Origin, user: String, password: String)?
  private var shown: Shown?

  private static let stalesMax = 3

  init(_ order: TransferOrder, own: (origin: Origin, user: String, password: String)?) {
    (answers, mayAsk, self.own) = (order.answers, order.asks.credentials, own)
  }

  /// What to send as `Authorization` with the next request to an address; nil for nothing of ours.
  ///
  /// A password that is known for the origin goes along unasked where it goes in the open anyway (RFC 7617, section 2.2),
  /// so that an upload need not be sent twice.
  mutating func field(for address: WebAddress, method: String) -> String? {
    if shown?.origin != address.origin { shown = foresight(for: address.origin) }
    guard var shown else { return nil }
    defer { self.shown = shown }
    switch shown.form {
    case .basic: return "Basic " + Base64.encode(Array("\(shown.user):\(shown.password)".utf8))
    case .digest(var digest):
      let value = digest.field(
        user: shown.user, password: shown.password, method: method, target: address.target, clientNonce: Self.nonce())
      shown.form = .digest(digest)
      return value
    }
  }

  /// Reads an answer that wants credentials (401, RFC 9110, section 15.5.2).
  mutating func read(_ head: AnswerHead, at address: WebAddress) -> Next {
    for offer in Offer.all(in: head, at: address) {
      let answered = answers.first { $0.subject.space == offer.space }
      switch answered?.decision {
      case nil: return unanswered(offer, head, at: address)
      case .reject: continue
      case .use(.password(let user, let password), _):
        if show(offer, user, password, at: address.origin) { return .show }
        guard mayAsk else { return .settle }
        return .ask(challenge(offer, head, at: address, failures: (answered?.previousFailures ?? 0) + 1))
      case .performDefault, .cancel, .use, .replace: return .settle
      }
    }
    return .settle
  }

  private mutating func unanswered(_ offer: Offer, _ head: AnswerHead, at address: WebAddress) -> Next {
    if let own, own.origin == address.origin, show(offer, own.user, own.password, at: address.origin) { return .show }
    return mayAsk ? .ask(challenge(offer, head, at: address, failures: 0)) : .settle
  }

  /// Prepares to show a name and password; false if just that was shown and refused.
  private mutating func show(_ offer: Offer, _ user: String, _ password: String, at origin: Origin) -> Bool {
    var stales = 0
    if let shown, shown.origin == origin, shown.space == offer.space, shown.user == user, shown.password == password {
      guard offer.isStale, shown.stales < Self.stalesMax else { return false }
      stales = shown.stales + 1
    }
    let form = offer.digest.map { Shown.Form.digest($0) } ?? .basic
    shown = Shown(
      origin: origin, space: offer.space, form: form, user: user, password: password, stales: stales)
    return true
  }

  private func challenge(_ offer: Offer, _ head: AnswerHead, at address: WebAddress, failures: Int) -> Challenge {
    Challenge(space: offer.space, previousFailures: failures, response: head.response(from: address.text))
  }

  private func foresight(for origin: Origin) -> Shown? {
    for answered in answers where answered.subject.space.isBasic(of: origin) {
      guard case .use(.password(let user, let password), _) = answered.decision else { continue }
      return Shown(origin: origin, space: answered.subject.space, form: .basic, user: user, password: password)
    }
    return nil
  }

  private static func nonce() -> String {
    var chance = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(chance.next(), radix: 16) }.joined()
  }
}

/// One way that a server offers to let us in, the strongest first.
private struct Offer {
  var space: ProtectionSpace
  var digest: Digest?
  var isStale: Bool

  static func all(in head: AnswerHead, at address: WebAddress) -> [Offer] {
    let schemes = AuthScheme.all(in: head.headers, named: "www-authenticate")
    let digests = schemes.compactMap { scheme in Digest(scheme).map { (scheme, $0) } }
    let best = Digest.Algorithm.allCases.lazy.compactMap { algorithm in digests.first { $0.1.algorithm == algorithm } }
      .first
    let basic = schemes.first { $0.name == "basic" }
    return [best.map { Offer($0.0, $0.1, address) }, basic.map { Offer($0, nil, address) }].compactMap { $0 }
  }

  private init(_ scheme: AuthScheme, _ digest: Digest?, _ address: WebAddress) {
    space = ProtectionSpace(
      method: digest == nil ? .basic : .digest, host: address.host, port: address.port,
      isSecure: address.scheme == .https, realm: scheme.parameters["realm"])
    self.digest = digest
    isStale = digest != nil && scheme.parameters["stale"]?.lowercased() == "true"
  }
}

extension ProtectionSpace {
  fileprivate func isBasic(of origin: Origin) -> Bool {
    method == .basic && !isProxy && host == origin.host && port == origin.port && isSecure == origin.isSecure
  }

  /// Whether it is a server's with this origin.
  func belongs(to origin: Origin) -> Bool {
    !isProxy && host == origin.host && port == origin.port && isSecure == origin.isSecure
  }
}
