/// One header field of an HTTP message (RFC 9110, section 5).
public struct HTTPField: Hashable, Sendable {
  /// The field's name as it was given; compared without regard to case.
  public var name: String
  /// The field's value, without surrounding white space.
  public var value: String

  /// A field of this name and value.
  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Whether a field is for the sender or the proxy to write, and never for the client (RFC 9110, section 7.6.1).
  package static func belongsToConnection(_ name: String) -> Bool {
    let name = name.lowercased()
    return namesOfConnection.contains(name) || name.hasPrefix("proxy-")
  }

  /// Whether a text can stand in the value of a field: it has no control characters but tabs, so it neither ends the
  /// field nor begins another (RFC 9110, section 5.5).
  package static func carries(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// Whether it can be sent: its name is a token, and its value ends no field, so that no request can smuggle in
  /// another.
  package var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter) && Self.carries(value)
  }

  private static let namesOfConnection = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "expect",
  ]
}

extension UInt8 {
  /// Whether it is a character of a token (RFC 9110, section 5.6.2).
  package var isTokenCharacter: Bool {
    switch self {
    case 48...57, 65...90, 97...122: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}

extension [HTTPField] {
  /// The first value of a field, its name compared without regard to case.
  public subscript(field name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The final answer of a server: what an `HTTPURLResponse` is made of.
public struct Response: Hashable, Sendable {
  /// Where the answer came from, after all redirects.
  public var url: String
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields in the order they came.
  public var headers: [HTTPField]

  /// An answer from a URL.
  public init(url: String, status: Int, headers: [HTTPField]) {
    (self.url, self.status, self.headers) = (url, status, headers)
  }

  /// Whether it is the final answer, and not an interim one (RFC 9110, section 15.2).
  package var isFinal: Bool { status >= 200 }
}

// What Nightjar has to say of an answer stands in a field of its own, which is kept with the answer.
extension Response {
  /// Adds a `Warning` (RFC 7234, section 5.5).
  package mutating func warn(_ words: String) {
    headers.append(HTTPField("Warning", "\(Self.warningStart)\(words)\""))
  }

  /// Warns that an upload was answered, and no more of it was sent.
  package mutating func noteEarly(sent: Int64, of length: Int64) {
    warn("\(Self.earlyStart)\(sent) of \(length) bytes had left")
  }

  /// How much of an upload had left when that was noted, in words.
  package var earlyInWords: String? {
    let start = Self.warningStart + Self.earlyStart
    let warnings = headers.filter { $0.name.lowercased() == "warning" && $0.value.hasPrefix(start) }
    return warnings.last.map { String($0.value.dropFirst(Self.warningStart.count).dropLast()) }
  }

  private static var warningStart: String { "199 nightjar \"" }
  private static var earlyStart: String { "only " }
}

/// What names one version of a resource (RFC 9110, section 8.8): the ground on which a download may be resumed.
public enum Validator: Hashable, Sendable {
  /// A strong entity tag, with its quotes.
  case entityTag(String)
  /// A `Last-Modified` date that is strong by RFC 9110, section 8.8.2.2.
  case lastModified(String)
}

extension Validator {
  /// What stands in `If-Range`.
  package var fieldValue: String {
    switch self {
    case .entityTag(let tag): tag
    case .lastModified(let date): date
    }
  }
}
