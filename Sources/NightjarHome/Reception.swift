import HTTPTypes
import Synchronization

/// Applies the ``Doorman`` for all connections, with a clock, and reports new codes.
final class Reception: Sendable {
  private let doorman: Mutex<Doorman>
  private let now: @Sendable () -> Duration
  private let told: @Sendable (String, HomeScreen.Entrance.Occasion) -> Void
  private let telling = Mutex(())

  /// - Parameter told: Called with every code after the first, and why there is a new one. It is called by one caller
  ///   at a time, the last time with the newest code. A code that is replaced at once may be left out, and the next
  ///   one be told twice.
  init(
    now: @escaping @Sendable () -> Duration, entropy: @escaping @Sendable () -> UInt64,
    told: @escaping @Sendable (String, HomeScreen.Entrance.Occasion) -> Void
  ) {
    doorman = Mutex(Doorman(at: now(), entropy: entropy))
    (self.now, self.told) = (now, told)
  }

  /// The present code.
  var code: String { doorman.withLock { $0.code } }

  /// Whether a request is authorized: it has `Authorization: Bearer TOKEN` (RFC 6750, 2.1) with a valid token.
  func admits(_ authorization: String?) -> Bool {
    guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
    return doorman.withLock { $0.knows(String(authorization.dropFirst("Bearer ".count))) }
  }

  /// Exchanges a code for a token.
  ///
  /// - Throws: `Refusal`, whose message says how to come in.
  func exchange(_ code: String) throws(Refusal) -> String {
    let (answer, isReplaced) = doorman.withLock { doorman in
      let before = doorman.code
      let answer = doorman.admit(code, at: now())
      return (answer, doorman.code != before)
    }
    if isReplaced { tell(.wanted) }
    switch answer {
    case .admitted(let token): return token
    case .spent:
      throw Refusal(.forbidden, "codeSpent", "That code has been used, and each is good once. \(Self.remedy)")
    case .expired: throw Refusal(.forbidden, "codeExpired", "That code was too old. \(Self.remedy)")
    case .unknown: throw Refusal(.forbidden, "codeUnknown", "That is not the code. \(Self.remedy)")
    }
  }

  /// Replaces every code that expires unused, until `pause` throws.
  func renewCodes(_ pause: (Duration) async throws -> Void) async throws {
    while true {
      try await pause(doorman.withLock { $0.codeEnd } - now())
      if doorman.withLock({ $0.renew(at: now()) }) { tell(.renewed) }
    }
  }

  private func tell(_ occasion: HomeScreen.Entrance.Occasion) { telling.withLock { _ in told(code, occasion) } }

  private static let remedy = "Type the code that the terminal with `nightjar home` shows now, or open its file again."
}
