import NightjarModel

/// The credentials of one attempt: what its app has decided, what was shown to whom, and what came of it.
///
/// What was decided for one server or proxy is shown to that one only.
struct Credentials: Sendable {
  /// What a refusal for want of credentials leads to.
  enum Next: Hashable, Sendable {
    /// Ask again, with what ``field(for:method:target:)`` says.
    case show
    /// The app has to be asked.
    case ask(Challenge)
    /// The refusal is the final answer.
    case settle
    /// Nothing that we know would convince it.
    case fail(TransferFailure)
  }

  /// A name and a password that came with a URL.
  struct Own: Sendable {
    /// Whom they are for.
    var keeper: Gatekeeper
    var user: String
    var password: String
    /// Whether they go along in the open (Basic) unasked.
    var isShown = false
  }

  /// A name and a password for a tunnel through a proxy.
  struct Pass: Hashable, Sendable {
    var user: String
    var password: String
    /// Whether the password is only proven, never shown.
    var isProven: Bool
  }

  /// What is shown to one gatekeeper.
  private struct Shown: Sendable {
    enum Form: Sendable {
      case basic
      case digest(DigestChallenge)
    }

    var keeper: Gatekeeper
    var space: ProtectionSpace
    var form: Form
    var user: String
    var password: String
    /// How often in a row our nonce was called stale.
    var stales = 0
  }

  /// The name and password from the URL of the server or the proxy.
  var own: Own?
  private let answers: [Answered]
  private let mayAsk: Bool
  private var shown: Shown?
  /// How often each gatekeeper has made us show something since it has let a request through.
  private var shows: [Gatekeeper: Int] = [:]

  /// How often that may be: in two realms, with all the stale nonces of each.
  static let showsMax = 2 * (1 + AuthOffer.stalesMax)

  init(_ order: TransferOrder, own: Own? = nil) {
    (answers, mayAsk, self.own) = (order.answers, order.asks.credentials, own)
  }

  /// What to send as `Authorization` or `Proxy-Authorization` with the next request; nil for nothing of ours.
  ///
  /// A known password is sent unasked where it goes in the open anyway (RFC 7617, section 2.2), so that an upload need
  /// not be sent twice.
  ///
  /// - Parameter target: The request's target, as it stands in its first line.
  mutating func field(for keeper: Gatekeeper, method: String, target: String) -> String? {
    if shown?.keeper != keeper { shown = foresight(for: keeper) }
    guard var shown else { return nil }
    defer { self.shown = shown }
    switch shown.form {
    case .basic: return "Basic " + Base64.encode(Array("\(shown.user):\(shown.password)".utf8))
    case .digest(var digest):
      let value = digest.field(
        user: shown.user, password: shown.password, method: method, target: target,
        clientNonce: DigestChallenge.clientNonce())
      shown.form = .digest(digest)
      return value
    }
  }

  /// The name and password for a tunnel through a proxy, if they are to replace those in its URL.
  func pass(for keeper: Gatekeeper) -> Pass? {
    if let shown, shown.keeper == keeper {
      return Pass(user: shown.user, password: shown.password, isProven: shown.space.method == .digest)
    }
    return answers.lazy.filter { keeper.keeps($0.subject.space) }.compactMap(\.pass).first
  }

  /// Takes in that a gatekeeper has let a request through: from now on, nonces that are stale and realms that change
  /// are counted anew. A long upload outlives many nonces.
  mutating func satisfied(_ keeper: Gatekeeper) {
    shows[keeper] = nil
    if shown?.keeper == keeper { shown?.stales = 0 }
  }

  /// Reads an answer that wants credentials (401 and 407; RFC 9110, sections 15.5.2 and 15.5.8).
  ///
  /// - Parameter url: Where the request went.
  mutating func read(_ head: AnswerHead, of keeper: Gatekeeper, url: String) -> Next {
    let schemes = AuthScheme.all(in: head.headers, named: keeper.challengeField)
    let offers = Offer.all(schemes, of: keeper)
    if offers.isEmpty, mayAsk || own?.keeper == keeper, let failure = keeper.complaint(about: schemes) {
      return .fail(failure)
    }
    for offer in offers {
      let answered = answers.first { $0.subject.space == offer.space }
      switch answered?.decision {
      case nil: return unanswered(offer, of: keeper, head.response(from: url))
      case .reject: continue
      case .use(.password(let user, let password), _):
        if show(offer, user, password, to: keeper) { return .show }
        guard mayAsk else { return .settle }
        let failures = (answered?.previousFailures ?? 0) + 1
        return .ask(Challenge(space: offer.space, previousFailures: failures, response: head.response(from: url)))
      case .performDefault, .cancel, .use, .replace: return .settle
      }
    }
    return .settle
  }

  private mutating func unanswered(_ offer: Offer, of keeper: Gatekeeper, _ response: Response) -> Next {
    if let own, own.keeper == keeper, !(own.isShown && offer.way.digest == nil),
      show(offer, own.user, own.password, to: keeper)
    {
      return .show
    }
    return mayAsk ? .ask(Challenge(space: offer.space, response: response)) : .settle
  }

  /// Prepares to show a name and password; false if exactly these were shown and refused, or if too many were.
  private mutating func show(_ offer: Offer, _ user: String, _ password: String, to keeper: Gatekeeper) -> Bool {
    var stales = 0
    if let shown, shown.keeper == keeper, shown.space == offer.space, shown.user == user, shown.password == password {
      guard offer.way.isStale, shown.stales < AuthOffer.stalesMax else { return false }
      stales = shown.stales + 1
    }
    // A server that names another realm or scheme in each refusal is in a new space each time: only a count ends that.
    guard shows[keeper, default: 0] < Self.showsMax else { return false }
    shows[keeper, default: 0] += 1
    let form = offer.way.digest.map { Shown.Form.digest($0) } ?? .basic
    shown = Shown(
      keeper: keeper, space: offer.space, form: form, user: user, password: password, stales: stales)
    return true
  }

  private func foresight(for keeper: Gatekeeper) -> Shown? {
    for answered in answers where answered.subject.space.method == .basic && keeper.keeps(answered.subject.space) {
      guard let pass = answered.pass else { continue }
      return Shown(
        keeper: keeper, space: answered.subject.space, form: .basic, user: pass.user, password: pass.password)
    }
    return nil
  }
}

/// A scheme that is offered, and its protection space.
private struct Offer {
  var space: ProtectionSpace
  var way: AuthOffer

  static func all(_ schemes: [AuthScheme], of keeper: Gatekeeper) -> [Offer] {
    AuthOffer.all(among: schemes).map { way in
      Offer(space: keeper.space(way.digest == nil ? .basic : .digest, realm: way.realm), way: way)
    }
  }
}

extension Gatekeeper {
  /// Why none of the challenges can be met, if one is of a scheme that is spoken here.
  fileprivate func complaint(about schemes: [AuthScheme]) -> TransferFailure? {
    guard let digest = schemes.first(where: { $0.name == "digest" }) else { return nil }
    return TransferFailure(
      .badServerResponse, "\(name) wants a Digest password with \(Self.hindrance(digest.parameters))")
  }

  private static func hindrance(_ parameters: [String: String]) -> String {
    if !parameters.values.allSatisfy(HTTPField.carries) {
      return "control characters in its challenge, which cannot be said back to it"
    }
    if let quality = parameters["qop"],
      !quality.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains("auth")
    {
      return "the protection of whole bodies (qop \"\(quality.prefix(40))\"); only \"auth\" is spoken here"
    }
    return "an algorithm that is not spoken here (\(parameters["algorithm"]?.prefix(40) ?? "none named"))"
  }
}

extension Answered {
  fileprivate var pass: Credentials.Pass? {
    guard case .use(.password(let user, let password), _) = decision else { return nil }
    return Credentials.Pass(user: user, password: password, isProven: subject.space.method == .digest)
  }
}

extension ProtectionSpace {
  /// Whether it is a server's with this origin.
  func belongs(to origin: Origin) -> Bool { Gatekeeper.server(origin).keeps(self) }
}
