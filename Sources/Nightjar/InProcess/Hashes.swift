import Foundation

/// The hash functions of Digest challenges (RFC 7616, section 3.2), and the code on resume data: for few bytes. The
/// library that apps link has no dependency that provides them.
enum Hashes {
  /// MD5 (RFC 1321).
  static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for block in blocks(of: bytes, isBigEndian: false) { mixMD5(block, into: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
  }

  /// SHA-256 (FIPS 180-4).
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = fractions(of: firstPrimes(8)) { $0.squareRoot() }
    for block in blocks(of: bytes, isBigEndian: true) { mixSHA256(block, into: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  /// HMAC with SHA-256 (RFC 2104).
  static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? sha256(key) : key
    let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
    let inner = sha256(padded.map { $0 ^ 0x36 } + bytes)
    return sha256(padded.map { $0 ^ 0x5C } + inner)
  }

  /// Padded to whole blocks of sixteen words: a one, zeros, and the count of bits.
  private static func blocks(of bytes: [UInt8], isBigEndian: Bool) -> [[UInt32]] {
    let bits = UInt64(bytes.count) * 8
    let padded = bytes + [0x80] + [UInt8](repeating: 0, count: (119 - bytes.count % 64) % 64)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64(isBigEndian ? 7 - $0 : $0))) }
    let words = stride(from: 0, to: padded.count + 8, by: 4).map { start in
      (0..<4).reduce(UInt32(0)) { word, place in
        let at = start + place
        let byte = at < padded.count ? padded[at] : length[at - padded.count]
        return word | UInt32(byte) << UInt32(8 * (isBigEndian ? 3 - place : place))
      }
    }
    return stride(from: 0, to: words.count, by: 16).map { Array(words[$0..<($0 + 16)]) }
  }

  // MARK: MD5

  private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  /// The integer part of 2³² times the sine of each step (RFC 1321, section 3.4).
  private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  private static func mixMD5(_ block: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, place) = round(step, b, c, d)
      let sum = a &+ mixed &+ sines[step] &+ block[place]
      let turned = turn(sum, left: shifts[step / 16][step % 4])
      (a, d, c, b) = (d, c, b, b &+ turned)
    }
    state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }

  private static func round(_ step: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, Int) {
    switch step / 16 {
    case 0: ((b & c) | (~b & d), step)
    case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
    default: (c ^ (b | ~d), (7 * step) % 16)
    }
  }

  private static func turn(_ word: UInt32, left count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

  // MARK: SHA-256

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let cubes: [UInt32] = fractions(of: firstPrimes(64)) { cbrt($0) }

  private static func fractions(of primes: [Int], _ root: (Double) -> Double) -> [UInt32] {
    primes.map { prime in
      let root = root(Double(prime))
      return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
  }

  private static func firstPrimes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  private static func mixSHA256(_ block: [UInt32], into state: inout [UInt32]) {
    var words = block
    for place in 16..<64 {
      let (near, far) = (words[place - 2], words[place - 15])
      let first = turn(far, left: 25) ^ turn(far, left: 14) ^ (far >> 3)
      let second = turn(near, left: 15) ^ turn(near, left: 13) ^ (near >> 10)
      words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
    }
    var mixed = state
    for step in 0..<64 { mixSHA256(words[step] &+ cubes[step], into: &mixed) }
    state = zip(state, mixed).map { $0 &+ $1 }
  }

  private static func mixSHA256(_ word: UInt32, into s: inout [UInt32]) {
    let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
    let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
    let first = s[7] &+ (turn(s[4], left: 26) ^ turn(s[4], left: 21) ^ turn(s[4], left: 7)) &+ choice &+ word
    let second = (turn(s[0], left: 30) ^ turn(s[0], left: 19) ^ turn(s[0], left: 10)) &+ majority
    s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
  }
}
