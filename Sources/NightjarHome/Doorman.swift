/// Decides who may come in: hands out one code at a time, and a token to who brings it.
///
/// A code is good once and for ten minutes; there is always a next one. It has 60 random bits, so that nobody guesses it
/// in its time, and is short enough to be typed. A token is good for as long as the server runs and is kept nowhere else.
///
/// A code whose time is over is replaced, but a person need not be told: nobody may want to come in for days. When
/// somebody then brings any other code, a fresh one is made to be told, which is good for ten minutes from then on.
struct Doorman {
  /// What becomes of somebody who brings a code.
  enum Answer: Hashable {
    /// Come in with this token.
    case admitted(token: String)
    /// The code was good once.
    case spent
    /// The code was good until lately.
    case expired
    /// There was no such code.
    case unknown
  }

  /// How long a code is good.
  static let codeAgeMax = Duration.seconds(600)
  /// How many browsers may be in at a time; the one that came first has to leave for one too many.
  static let tokensMax = 64
  private static let formerMax = 16

  /// The code that is good now, in groups for people: `7KQ2-M4XD-09TB`.
  private(set) var code: String
  private var made: Duration
  /// Whether the code has taken the place of one that was too old, and no person was told.
  private var isUntold = false
  private var tokens: [String] = []
  private var former: [(code: String, answer: Answer)] = []
  private let entropy: @Sendable () -> UInt64

  init(at now: Duration, entropy: @escaping @Sendable () -> UInt64) {
    (self.entropy, made) = (entropy, now)
    code = Self.code(of: entropy())
  }

  /// When the code will have been good for as long as it may be.
  var codeEnd: Duration { made + Self.codeAgeMax }

  /// Whether somebody with this token is in.
  func knows(_ token: String) -> Bool { tokens.contains { Self.isEqual($0, token) } }

  /// Looks at a code that somebody brings, however it is typed. Whatever has been good is replaced by the next code, and
  /// so is one that no person was told if another is brought.
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

  /// Replaces the code if its time is over; whether it was.
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

  /// Crockford's alphabet: no letter that could be taken for a digit.
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

  /// Takes as long for a text that is nearly right as for one that is not at all.
  private static func isEqual(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
