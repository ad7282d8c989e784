/// What a client asked for, apart from how the transfer stands.
public struct TransferRequest: Hashable, Sendable {
  /// Which way the bytes go.
  public enum Direction: Hashable, Sendable {
    /// From the server into the staging area.
    case download
    /// From a file to the server; the file stays where it is and must not change until the transfer has ended.
    case upload(path: String, stamp: FileStamp)
  }

  /// The key by which a repetition of this request is recognised.
  public var key: RequestKey
  /// The app or program that owns the transfer.
  public var app: AppID
  /// The background session it belongs to; nil for what no session queued.
  public var session: String?
  /// The highest task identifier, so that counting on from one never leaves the range of an integer.
  public static let taskMax = Int(Int32.max)

  /// Apple's `taskIdentifier`, unique within the session; 0 without a session.
  public var task: Int
  /// Which way the bytes go.
  public var direction: Direction
  /// The HTTP method.
  public var method: String
  /// An absolute `http:` or `https:` URL.
  public var url: String
  /// The header fields to send.
  public var headers: [HTTPField]
  /// The body of a download's request; empty for none. Small: it is kept with the request.
  public var body: [UInt8]
  /// The app's own words about the task (`taskDescription`).
  public var label: String
  /// Where the daemon itself delivers a finished download; nil when it is left for an app.
  public var destination: Destination?
  /// Higher goes first within one app, 0 to 1 (`URLSessionTask.priority`).
  public var priority: Float
  /// How long nothing may arrive before an attempt is given up (`timeoutIntervalForRequest`).
  public var requestTimeout: Duration
  /// How long the whole transfer may take, waiting included (`timeoutIntervalForResource`); nil for as long as it
  /// takes.
  public var resourceTimeout: Duration?
  private var special = Special.none

  /// A download or upload with the ordinary limits. Unless told otherwise a session's may take Apple's seven days, and
  /// one that a person has queued any time: it waits until it is done or that person ends it.
  public init(
    key: RequestKey, app: AppID, session: String? = nil, task: Int = 0, direction: Direction = .download,
    method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8] = [], label: String = "",
    destination: Destination? = nil, priority: Float = 0.5, requestTimeout: Duration = .seconds(60),
    resourceTimeout: Duration? = nil
  ) {
    (self.key, self.app, self.session, self.task, self.direction) = (key, app, session, task, direction)
    (self.method, self.url, self.headers, self.body, self.label) = (method, url, headers, body, label)
    (self.destination, self.priority) = (destination, priority)
    self.requestTimeout = requestTimeout
    self.resourceTimeout = resourceTimeout ?? (session == nil ? nil : .days(7))
  }

  /// What only some transfers ask for.
  public var options: TransferOptions {
    get {
      switch special {
      case .none: .ordinary
      case .some(let options): options
      }
    }
    set { special = newValue == .ordinary ? .none : .some(newValue) }
  }

  /// Options in a box of their own, so that the ordinary ones of a hundred thousand transfers take no room.
  private indirect enum Special: Hashable, Sendable {
    case none
    case some(TransferOptions)
  }

  /// The session as a whole name; nil for what no session queued.
  public var sessionID: SessionID? { session.map { SessionID(app: app, identifier: $0) } }
}

/// Where the daemon puts a finished file that it does not leave for an app.
public struct Destination: Hashable, Sendable {
  /// An absolute path, the file's name included.
  public var path: String
  /// Whether a file that stands there may be replaced.
  public var overwrites: Bool

  /// A path, and whether what stands there may go.
  public init(path: String, overwrites: Bool = false) { (self.path, self.overwrites) = (path, overwrites) }
}

extension TransferRequest {
  /// Whether it carries credentials: a name and a password in its URL, or a header field with them.
  package var holdsCredentials: Bool {
    url != url.withoutCredentials || headers.contains { CredentialFields.contains($0.name) }
  }

  /// Which part of its head cannot be sent, and why; nil if all of it can.
  package var faultInHead: (field: String, reason: String)? { Self.faultInHead(method: method, headers: headers) }

  /// The same of a method and header fields that no transfer has.
  package static func faultInHead(method: String, headers: [HTTPField]) -> (field: String, reason: String)? {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
      return ("method", "'\(method.prefix(40))' is not an HTTP method")
    }
    guard !["CONNECT", "TRACE"].contains(method) else { return ("method", "\(method) transfers nothing") }
    let field = headers.first { !$0.isSendable }
    return field.map { ("headers", "'\($0.name.prefix(40))' is not a header field that can be sent (RFC 9110, 5.5)") }
  }
}
