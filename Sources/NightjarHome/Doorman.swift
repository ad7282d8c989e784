/// Decides which browsers may come in: one code is valid at a time, and is exchanged for a token.
///
/// A code is valid once and for ten minutes; then the next one replaces it. It has 60 random bits, so that it cannot be
/// guessed in that time, and is short enough to be typed. A token is valid for as long as the server runs, and is kept
/// only in its memory.
///
/// An expired code is replaced without telling a person, since nobody may want to come in for days. If any other code
/// is then tried, a fresh one is made and shown, which is valid for ten minutes from then on.
struct Doorman {
  /// The answer to a code.
  enum Answer: Hashable {
    /// It was valid: this is the browser's token.
    case admitted(token: String)
    /// The code has been used.
    case spent
    /// The code has expired.
    case expired
    /// There was no such code.
    case unknown
  }

  /// How long a code is valid.
  static let codeAgeMax = Duration.seconds(600)
  /// How many browsers may be in at a time; one more displaces the oldest.
  static let tokensMax = 64
  private static let formerMax = 16

  /// The present code, in groups for people: `7KQ2-M4XD-09TB`.
  private(set) var code: String
  private var made: Duration
  /// Whether the code has replaced an expired one and was not shown to a person.
  private var isUntold = false
  private var tokens: [String] = []
  private var former: [(code: String, answer: Answer)] = []
  private let entropy: @Sendable () -> UInt64

  init(at now: Duration, entropy: @escaping @Sendable () -> UInt64) {
    (self.entropy, made) = (entropy, now)
    code = Self.code(of: entropy())
  }

  /// When the code expires.
  var codeEnd: Duration { made + Self.codeAgeMax }

  /// Whether a token is valid.
  func knows(_ token: String) -> Bool { tokens.contains { Self.isEqual($0, token) } }

  /// Checks a code, however it is typed. The next code replaces one that was used or has expired, and one that was
  /// never shown to a person if any other is tried.
  mutating func admit(_ typed: String, at now: Duration) -> Answer {
    let typed = Self.plain(typed)
    guard Self.isEqual(Self.plain(code), typed) else {
      let known = former.first { Self.isEqual($0.code, typed) }
      if isUntold { replace(.expired, at: now) }
      return known?.answer ?? .unknown
    }
    guard now < codeEnd else {
      replace(.expired, at: now)
      return .expired
    }
    replace(.spent, at: now)
    let token = (0..<4).map { _ in Self.hexadecimal(entropy()) }.joined()
    tokens = tokens.suffix(Self.tokensMax - 1) + [token]
    return .admitted(token: token)
  }

  /// Replaces the code if it has expired; returns whether it had.
  mutating func renew(at now: Duration) -> Bool {
    guard now >= codeEnd else { return false }
    replace(.expired, at: now)
    isUntold = true
    return true
  }

  private mutating func replace(_ answer: Answer, at now: Duration) {
    former = former.suffix(Self.formerMax - 1) + [(Self.plain(code), answer)]
    (code, made, isUntold) = (Self.code(of: entropy()), now, false)
  }

  /// Crockford's alphabet, without letters that look like digits.
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  private static func code(of bits: UInt64) -> String {
    let letters = (0..<12).map { alphabet[Int(bits >> (UInt64($0) * 5) & 31)] }
    return stride(from: 0, to: 12, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
  }

  private static func plain(_ typed: String) -> String {
    String(
      typed.uppercased().compactMap { letter in
        switch letter {
        case "O": "0"
        case "I", "L": "1"
        case "-", " ": nil
        default: letter
        }
      })
  }

  private static func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Compares in constant time for texts of the same length.
  private static func isEqual(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
