import Crypto
import Synchronization

/// An access check: it lets requests in that prove a name and a password in one of these ways.
public struct Guard: Hashable, Sendable {
  /// An authentication scheme.
  public enum Way: Hashable, Sendable {
    /// RFC 7617.
    case basic
    /// RFC 7616, with an algorithm as the challenge names it.
    case digest(algorithm: String)
  }

  /// The schemes that are offered, in this order.
  public var ways: [Way]
  public var user: String
  public var password: String
  /// The realm in the challenge.
  public var realm: String
  /// How often a nonce may be used before it is stale.
  public var usesMax: Int
  /// The offered qualities of protection of a digest (RFC 7616, section 3.3).
  public var qualities = "auth, auth-int"
  /// Whether it guards a proxy: it answers 407 and reads `Proxy-Authorization`.
  public var isProxy = false

  /// Whether it makes up another realm for each refusal.
  public var isFickle = false

  /// A guard that offers these schemes.
  public init(
    _ ways: Way..., user: String = "anna", password: String = "open sesame", realm: String = "things",
    usesMax: Int = .max
  ) {
    (self.ways, self.user, self.password) = (ways, user, password)
    (self.realm, self.usesMax) = (realm, usesMax)
  }

  /// The same for a proxy.
  public var beforeProxy: Guard {
    var post = self
    post.isProxy = true
    return post
  }

  /// The same, with another realm in each challenge, so that every digest is for an outdated realm and refused.
  public var fickle: Guard {
    var post = self
    post.isFickle = true
    return post
  }

  /// The same, with these qualities of protection.
  public func offering(_ qualities: String) -> Guard {
    var post = self
    post.qualities = qualities
    return post
  }

  /// The status and header field of a refusal.
  var refusal: (status: Int, field: String) {
    isProxy ? (407, "Proxy-Authenticate") : (401, "WWW-Authenticate")
  }
}

/// The nonces that a server has given out, and how often each was used.
final class GuardRoom: Sendable {
  /// A guard's decision.
  enum Judgement: Hashable, Sendable {
    case letIn
    case refuse(challenges: String)
  }

  private struct Memory {
    var last = 0
    var uses: [String: Int] = [:]
  }

  private let memory = Mutex(Memory())

  func judge(_ post: Guard, _ seen: SeenRequest) -> Judgement {
    let shown = seen.headers[post.isProxy ? "proxy-authorization" : "authorization"] ?? ""
    if post.ways.contains(.basic), shown == "Basic " + Self.base64("\(post.user):\(post.password)") { return .letIn }
    guard shown.hasPrefix("Digest ") else { return .refuse(challenges: challenges(post, isStale: false)) }
    let fields = Self.fields(shown)
    guard post.proves(fields, seen), let nonce = fields["nonce"] else {
      return .refuse(challenges: challenges(post, isStale: false))
    }
    let isFresh = memory.withLock { memory in
      guard let uses = memory.uses[nonce], uses < post.usesMax, fields["nc"] == Self.hex(uses + 1) else { return false }
      memory.uses[nonce] = uses + 1
      return true
    }
    return isFresh ? .letIn : .refuse(challenges: challenges(post, isStale: true))
  }

  private func challenges(_ post: Guard, isStale: Bool) -> String {
    let realm = post.isFickle ? "\(post.realm) \(another())" : post.realm
    return post.ways.map { way in
      switch way {
      case .basic: return "Basic realm=\"\(realm)\", charset=\"UTF-8\""
      case .digest(let algorithm):
        let nonce = memory.withLock { memory in
          memory.last += 1
          memory.uses["nonce-\(memory.last)"] = 0
          return "nonce-\(memory.last)"
        }
        let stale = isStale ? ", stale=true" : ""
        return
          "Digest realm=\"\(realm)\", qop=\"\(post.qualities)\", algorithm=\(algorithm), nonce=\"\(nonce)\", opaque=\"o\"\(stale)"
      }
    }.joined(separator: ", ")
  }

  /// A number that was not used yet.
  private func another() -> Int {
    memory.withLock { memory in
      memory.last += 1
      return memory.last
    }
  }

  private static func fields(_ shown: String) -> [String: String] {
    var fields: [String: String] = [:]
    for part in shown.dropFirst(7).split(separator: ",") {
      let halves = part.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      fields[halves[0].trimmed] = halves[1].trimmed.filter { $0 != "\"" }
    }
    return fields
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bits = text.utf8.map { byte in (0..<8).map { byte >> (7 - $0) & 1 } }.joined()
    let sextets = Array(bits)
    let digits = stride(from: 0, to: sextets.count, by: 6).map { start in
      alphabet[(0..<6).reduce(0) { $0 * 2 + (start + $1 < sextets.count ? Int(sextets[start + $1]) : 0) }]
    }
    return String(digits) + String(repeating: "=", count: (3 - text.utf8.count % 3) % 3)
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension Guard {
  /// Whether the fields of an `Authorization: Digest` prove the password for this request (RFC 7616, section 3.4.1).
  fileprivate func proves(_ fields: [String: String], _ seen: SeenRequest) -> Bool {
    guard let algorithm = fields["algorithm"], ways.contains(.digest(algorithm: algorithm)),
      fields["uri"] == seen.target,
      let nonce = fields["nonce"], let count = fields["nc"], let client = fields["cnonce"]
    else { return false }
    func hash(_ text: String) -> String {
      let bytes = Array(text.utf8)
      let sum =
        algorithm.hasPrefix("MD5") ? Array(Insecure.MD5.hash(data: bytes)) : Array(Crypto.SHA256.hash(data: bytes))
      return sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let plain = hash("\(user):\(realm):\(password)")
    let secret = algorithm.hasSuffix("-sess") ? hash("\(plain):\(nonce):\(client)") : plain
    return (fields["username"] ?? fields["username*"].flatMap(Self.extended)) == user
      && fields["response"]
        == hash("\(secret):\(nonce):\(count):\(client):auth:\(hash("\(seen.method):\(seen.target)"))")
  }
}

extension Guard {
  /// Reads the extended notation of a parameter (RFC 8187).
  fileprivate static func extended(_ text: String) -> String? {
    guard text.hasPrefix("UTF-8''") else { return nil }
    let pieces = text.dropFirst(7).split(separator: "%", omittingEmptySubsequences: false)
    let bytes = pieces.dropFirst().compactMap { piece in
      UInt8(piece.prefix(2), radix: 16).map { [$0] + Array(piece.dropFirst(2).utf8) }
    }
    return String(decoding: Array(pieces[0].utf8) + bytes.joined(), as: UTF8.self)
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
