extension AppInterface {
  /// The questions that a session wants to be asked. Those that are left out or false take their default course.
  public struct Asks: Codable, Hashable, Sendable {
    /// Passwords, client certificates, and server certificates that the system does not trust.
    public var credentials: Bool?
    /// Server certificates that the system trusts, too: once for each host and certificate while the daemon lives.
    public var everyCertificate: Bool?
    /// Delayed tasks, when their time has come.
    public var delays: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(credentials: Bool? = nil, everyCertificate: Bool? = nil, delays: Bool? = nil) {
      self.credentials = credentials
      self.everyCertificate = everyCertificate
      self.delays = delays
    }
  }

  /// What a challenge guards. `realm` is the server's own name for it.
  public struct ProtectionSpace: Codable, Hashable, Sendable {
    /// The kind of answer that it asks for.
    public enum Method: String, Codable, Hashable, Sendable {
      case basic, digest, serverTrust, clientCertificate
    }

    public var method: Method
    public var host: String
    public var port: Int64
    public var secure: Bool
    public var realm: String?
    public var proxy: Bool

    /// Fills in every field; what may be null is null unless given.
    public init(method: Method, host: String, port: Int64, secure: Bool, realm: String? = nil, proxy: Bool) {
      self.method = method
      self.host = host
      self.port = port
      self.secure = secure
      self.realm = realm
      self.proxy = proxy
    }
  }

  /// A server or proxy challenges a task. `chain` holds the certificates that it presented, its own first, in DER and
  /// base64; `distrust` says why the system does not trust them.
  public struct Challenge: Codable, Hashable, Sendable {
    public var space: ProtectionSpace
    public var previousFailures: Int64
    public var response: Response?
    public var chain: [String]?
    public var distrust: FailureMessage?

    /// Fills in every field; what may be null is null unless given.
    public init(
      space: ProtectionSpace, previousFailures: Int64, response: Response? = nil, chain: [String]? = nil,
      distrust: FailureMessage? = nil
    ) {
      self.space = space
      self.previousFailures = previousFailures
      self.response = response
      self.chain = chain
      self.distrust = distrust
    }
  }

  /// A task waits for an answer: to a challenge; if `response` is set, to whether it should load the body that this
  /// head announces; with neither, to whether a delayed task is still wanted. After a crash of the daemon it is asked
  /// again, under another number.
  public struct Asked: Codable, Hashable, Sendable {
    public var number: Int64
    public var session: String
    public var task: Int64
    public var challenge: Challenge?
    public var response: Response?

    /// Fills in every field; what may be null is null unless given.
    public init(
      number: Int64, session: String, task: Int64, challenge: Challenge? = nil, response: Response? = nil
    ) {
      self.number = number
      self.session = session
      self.task = task
      self.challenge = challenge
      self.response = response
    }
  }

  /// A credential for a protection space. Its descriptions and reflections show nothing.
  public struct Credential: Codable, Hashable, Sendable {
    public var user: String?
    public var password: String?
    /// Trust in exactly the certificate that was presented.
    public var trust: Bool?
    /// A certificate of the app's with its chain of issuers, in PEM, and its key.
    public var certificates: String?
    public var key: String?
    /// Whether the session's other tasks use it too, without asking, until the daemon ends.
    public var session: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(
      user: String? = nil, password: String? = nil, trust: Bool? = nil, certificates: String? = nil,
      key: String? = nil, session: Bool? = nil
    ) {
      self.user = user
      self.password = password
      self.trust = trust
      self.certificates = certificates
      self.key = key
      self.session = session
    }
  }

  /// The request that a delayed task sends instead of its own.
  public struct NewRequest: Codable, Hashable, Sendable {
    public var method: String
    public var url: String
    public var headers: [WireHeader]
    public var sessionFields: [String]?
    public var body: String?

    /// Fills in every field; what may be null is null unless given.
    public init(
      method: String, url: String, headers: [WireHeader], sessionFields: [String]? = nil, body: String? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.sessionFields = sessionFields
      self.body = body
    }
  }

  /// An answer to a question. `credential` goes with `use`, `request` with `replace`.
  public struct Decision: Codable, Hashable, Sendable {
    /// What is to be done.
    public enum Disposition: String, Codable, Hashable, Sendable {
      case use, performDefault, rejectSpace, cancel, replace
    }

    public var disposition: Disposition
    public var credential: Credential?
    public var request: NewRequest?

    /// Fills in every field; what may be null is null unless given.
    public init(disposition: Disposition, credential: Credential? = nil, request: NewRequest? = nil) {
      self.disposition = disposition
      self.credential = credential
      self.request = request
    }
  }
}

extension AppInterface.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a credential" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
