/// What a transfer has to ask its app before it can go on.
///
/// A question lives in memory only: a daemon that starts anew tries again, and asks again if it still has to.
public indirect enum Question: Hashable, Sendable {
  /// A server or proxy wants credentials, or its own identity is in doubt.
  case challenge(Challenge)
  /// The time that the transfer was put off to has come: is the request still what the app wants?
  case delayedBegin
  /// The head of the final answer has come: does the app want the body, in a file?
  case answer(Response)
}

/// What a server or a proxy challenges us with (`URLAuthenticationChallenge`).
public struct Challenge: Hashable, Sendable {
  /// How it wants to be answered.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// A name and a password in the open (RFC 7617).
    case basic
    /// A name and a proof of the password (RFC 7616).
    case digest
    /// The server shows its certificate: is it to be trusted?
    case serverTrust
    /// The server wants to see a certificate of ours.
    case clientCertificate
  }

  /// Who challenges us, and for what.
  public var space: ProtectionSpace
  /// How many of the app's credentials have failed here in a row.
  public var previousFailures: Int
  /// The answer that carried the challenge, for the two methods of HTTP.
  public var response: Response?
  /// The certificates that the server showed, its own first, in DER; empty for other methods than `serverTrust`.
  public var chain: [[UInt8]]
  /// Why the system does not trust that chain; nil if it does.
  public var distrust: TransferFailure?

  /// A challenge for the first time.
  public init(
    space: ProtectionSpace, previousFailures: Int = 0, response: Response? = nil, chain: [[UInt8]] = [],
    distrust: TransferFailure? = nil
  ) {
    (self.space, self.previousFailures, self.response) = (space, previousFailures, response)
    (self.chain, self.distrust) = (chain, distrust)
  }

  /// What a decision about this challenge holds for. One about a certificate holds for exactly that certificate.
  public var subject: Subject { Subject(space: space, leaf: chain.first ?? []) }

  /// What a decision holds for.
  public struct Subject: Hashable, Sendable {
    /// Who challenged us, and for what.
    public var space: ProtectionSpace
    /// The server's own certificate in DER, for `serverTrust`; otherwise empty.
    public var leaf: [UInt8]

    /// A space, and the certificate if it is about one.
    public init(space: ProtectionSpace, leaf: [UInt8] = []) { (self.space, self.leaf) = (space, leaf) }
  }
}

/// The part of a server or proxy that one credential opens (`URLProtectionSpace`; RFC 9110, section 11.5).
public struct ProtectionSpace: Hashable, Sendable {
  /// How it wants to be answered.
  public var method: Challenge.Method
  /// The host, in lower case.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether it is reached over TLS.
  public var isSecure: Bool
  /// The server's name for it; nil for challenges of TLS.
  public var realm: String?
  /// Whether it is a proxy's.
  public var isProxy: Bool

  /// A space of a server.
  public init(
    method: Challenge.Method, host: String, port: Int, isSecure: Bool, realm: String? = nil, isProxy: Bool = false
  ) {
    (self.method, self.host, self.port, self.isSecure) = (method, host, port, isSecure)
    (self.realm, self.isProxy) = (realm, isProxy)
  }
}

/// What an app says to a question (`URLSession.AuthChallengeDisposition`, `URLSession.DelayedRequestDisposition`).
///
/// It may hold secrets, so it is never written down, logged or shown.
public enum Decision: Hashable, Sendable {
  /// What happens by default: the system judges a certificate, a server's refusal for lack of a password is its final
  /// answer, a delayed request is sent. A download whose app was shown the answer's head goes on; only its app can
  /// decide that.
  case performDefault
  /// Use this. With `isRemembered` the session's other transfers use it too, without asking
  /// (`URLCredential.Persistence.forSession`).
  case use(Credential, isRemembered: Bool)
  /// Not this method; another that the server offered may be asked about.
  case reject
  /// End the transfer as cancelled.
  case cancel
  /// Send this request instead of the delayed one.
  case replace(RequestLine)
}

/// The part of a request that may be exchanged when its time has come.
public struct RequestLine: Hashable, Sendable {
  /// The HTTP method.
  public var method: String
  /// An absolute `http:` or `https:` URL.
  public var url: String
  /// The header fields to send.
  public var headers: [HTTPField]
  /// Which of them its app's session has added.
  public var sessionFields: [String]
  /// The body of a download's request; nil for the one that it has.
  public var body: [UInt8]?

  /// A method, a URL, header fields and a body.
  public init(
    method: String, url: String, headers: [HTTPField], sessionFields: [String] = [], body: [UInt8]? = nil
  ) {
    (self.method, self.url, self.headers) = (method, url, headers)
    (self.sessionFields, self.body) = (sessionFields, body)
  }
}

/// What opens a protection space. Secret: its descriptions and reflections show nothing.
public enum Credential: Hashable, Sendable {
  /// A name and a password.
  case password(user: String, password: String)
  /// Trust in exactly the certificate that was shown.
  case trust
  /// A certificate of ours with those that lead to its issuer, and its key, both in PEM.
  case identity(chain: String, key: String)
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a credential" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An app's decision in the form that the engine gets.
public struct Answered: Hashable, Sendable {
  /// What it holds for.
  public var subject: Challenge.Subject
  /// What was decided.
  public var decision: Decision
  /// How many of the app's credentials had failed there before.
  public var previousFailures: Int

  /// A decision.
  public init(_ subject: Challenge.Subject, _ decision: Decision, previousFailures: Int = 0) {
    (self.subject, self.decision, self.previousFailures) = (subject, decision, previousFailures)
  }
}

/// What a session wants to be asked about. What it does not want to be asked about takes its default course.
public struct Asks: Hashable, Sendable {
  /// Passwords, client certificates, and server certificates that the system does not trust.
  public var credentials: Bool
  /// Server certificates that the system trusts, too.
  public var everyCertificate: Bool
  /// Transfers that were put off, when their time has come.
  public var delays: Bool

  /// What is left out is not asked about.
  public init(credentials: Bool = false, everyCertificate: Bool = false, delays: Bool = false) {
    (self.credentials, self.everyCertificate, self.delays) = (credentials, everyCertificate, delays)
  }

  /// Nothing is asked.
  public static let nothing = Asks()
}
