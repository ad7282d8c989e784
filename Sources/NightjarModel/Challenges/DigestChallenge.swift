/// What a server said in a Digest challenge, and the proofs of a password that follow from it (RFC 7616).
///
/// MD5 and SHA-256, each also as `-sess`, with the quality of protection `auth`, or none, as RFC 2069 has it.
///
/// It composes proofs but does not hash: its callers bring the hash functions.
public struct DigestChallenge: Hashable, Sendable {
  /// A hash function, the stronger first. The raw value is its name in a challenge.
  public enum Algorithm: String, CaseIterable, Sendable {
    /// FIPS 180-4.
    case sha256 = "SHA-256"
    /// RFC 1321.
    case md5 = "MD5"
  }

  /// The hash function.
  public let algorithm: Algorithm
  private let isSession: Bool
  private let realm: String
  private let nonce: String
  private let opaque: String?
  private let hasQuality: Bool
  private let hidesUser: Bool
  /// The client nonce of the first request: that of the session's secret (RFC 7616, section 3.4.2).
  private var sessionNonce: String?
  /// How often the nonce has been used.
  private var count: UInt32 = 0

  /// Reads a challenge; nil if it asks for something unsupported, or has values that cannot be sent back.
  public init?(_ scheme: AuthScheme) {
    guard scheme.name == "digest", let nonce = scheme.parameters["nonce"] else { return nil }
    let name = (scheme.parameters["algorithm"] ?? "MD5").uppercased()
    isSession = name.hasSuffix("-SESS")
    guard let algorithm = Algorithm(rawValue: isSession ? String(name.dropLast(5)) : name) else { return nil }
    let qualities = scheme.parameters["qop"].map { $0.lowercased().split { $0 == "," || $0 == " " } }
    guard qualities?.contains("auth") ?? true else { return nil }
    hasQuality = qualities != nil
    guard hasQuality || !isSession else { return nil }
    (self.algorithm, self.nonce) = (algorithm, nonce)
    (realm, opaque) = (scheme.parameters["realm"] ?? "", scheme.parameters["opaque"])
    hidesUser = scheme.parameters["userhash"]?.lowercased() == "true"
    guard [realm, nonce, opaque ?? ""].allSatisfy(HTTPField.carries) else { return nil }
  }

  /// The strongest challenge that is supported, with the scheme that it was read from.
  public static func best(of schemes: [AuthScheme]) -> (scheme: AuthScheme, digest: DigestChallenge)? {
    let known = schemes.compactMap { scheme in Self(scheme).map { (scheme, $0) } }
    return Algorithm.allCases.lazy.compactMap { algorithm in known.first { $0.1.algorithm == algorithm } }.first
  }

  /// The value of an `Authorization` field for one request. Each call counts as a use of the nonce.
  ///
  /// - Parameters:
  ///   - clientNonce: Random, a new one for each request.
  ///   - hashing: The hash functions, from bytes to bytes.
  public mutating func field(
    user: String, password: String, method: String, target: String, clientNonce: String,
    hash hashing: (Algorithm, [UInt8]) -> [UInt8]
  ) -> String {
    let algorithm = algorithm
    func hash(_ text: String) -> String { hashing(algorithm, Array(text.utf8)).map(Self.hex).joined() }
    count += 1
    let digits = String(count, radix: 16)
    let use = String(repeating: "0", count: 8 - digits.utf8.count) + digits
    var secret = hash("\(user):\(realm):\(password)")
    let sessionNonce = sessionNonce ?? clientNonce
    self.sessionNonce = sessionNonce
    if isSession { secret = hash("\(secret):\(nonce):\(sessionNonce)") }
    let request = hash("\(method):\(target)")
    let middle = hasQuality ? "\(use):\(clientNonce):auth:" : ""
    let proof = hash("\(secret):\(nonce):\(middle)\(request)")
    return "Digest "
      + ([name(of: user, hash), Self.quoted("realm", realm), Self.quoted("nonce", nonce)]
      + [
        Self.quoted("uri", target), Self.quoted("response", proof),
        "algorithm=\(algorithm.rawValue)\(isSession ? "-sess" : "")",
      ]
      + (opaque.map { [Self.quoted("opaque", $0)] } ?? [])
      + (hasQuality ? ["qop=auth", "nc=\(use)", Self.quoted("cnonce", clientNonce)] : [])
      + (hidesUser ? ["userhash=true"] : [])).joined(separator: ", ")
  }

  /// The user as a parameter: hashed if the server wishes, in the extended notation if it is not plain (RFC 8187).
  private func name(of user: String, _ hash: (String) -> String) -> String {
    if hidesUser { return Self.quoted("username", hash("\(user):\(realm)")) }
    guard user.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return Self.quoted("username", user) }
    return "username*=UTF-8''" + user.utf8.map { Self.escaped($0) }.joined()
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case 48...57, 65...90, 97...122: String(UnicodeScalar(byte))
    default: "%" + hex(byte)
    }
  }

  private static func quoted(_ name: String, _ value: String) -> String {
    let escaped = value.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\(name)=\"\(String(String.UnicodeScalarView(escaped)))\""
  }
}
