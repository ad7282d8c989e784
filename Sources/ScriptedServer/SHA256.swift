/// SHA-256 (FIPS 180-4), so that what arrives can be compared with sha256sum(1). For tests; not fast.
public struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0
  private var words = [UInt32](repeating: 0, count: 64)

  /// The digest of nothing, so far.
  public init() {}

  /// The digest of some bytes, in lowercase hexadecimal.
  public static func hex(_ bytes: some Collection<UInt8>) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.hex()
  }

  /// Adds bytes.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    count += UInt64(bytes.count)
    pending.append(contentsOf: bytes)
    let whole = pending.count / 64 * 64
    for start in stride(from: 0, to: whole, by: 64) { compress(start) }
    pending.removeFirst(whole)
  }

  /// The digest of all that was added, in lowercase hexadecimal.
  public func hex() -> String {
    var last = self
    let bits = count &* 8
    let zeros = (119 - Int(count % 64)) % 64
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    last.update([0x80] + [UInt8](repeating: 0, count: zeros) + length)
    return last.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Through pointers, since an unoptimised build checks every access to an array.
  private mutating func compress(_ start: Int) {
    pending.withUnsafeBufferPointer { bytes in
      words.withUnsafeMutableBufferPointer { words in
        Self.constants.withUnsafeBufferPointer { constants in
          Self.expand(bytes.baseAddress! + start, into: words.baseAddress!)
          Self.mix(&state, words.baseAddress!, constants.baseAddress!)
        }
      }
    }
  }

  private static func mix(
    _ state: inout [UInt32], _ words: UnsafeMutablePointer<UInt32>, _ constants: UnsafePointer<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var index = 0
    while index < 64 {
      let first = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      let one = h &+ first &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
      let second = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      let two = second &+ ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = d &+ one
      d = c
      c = b
      b = a
      a = one &+ two
      index += 1
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func expand(_ bytes: UnsafePointer<UInt8>, into words: UnsafeMutablePointer<UInt32>) {
    var index = 0
    while index < 16 {
      let place = bytes + index * 4
      words[index] = UInt32(place[0]) << 24 | UInt32(place[1]) << 16 | UInt32(place[2]) << 8 | UInt32(place[3])
      index += 1
    }
    while index < 64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let first = turn(a, 7) ^ turn(a, 18) ^ (a >> 3)
      let second = turn(b, 17) ^ turn(b, 19) ^ (b >> 10)
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      index += 1
    }
  }

  private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word &>> bits | word &<< (32 &- bits) }

  /// The fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { UInt32(truncatingIfNeeded: cubeRootFraction($0)) }

  private static func primes(_ count: Int) -> [UInt64] {
    var found: [UInt64] = []
    var candidate: UInt64 = 2
    while found.count < count {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found
  }

  /// The largest x with x³ ≤ prime · 2⁹⁶, whose low 32 bits are the fraction.
  private static func cubeRootFraction(_ prime: UInt64) -> UInt64 {
    var root: UInt64 = 0
    for bit in stride(from: 35, through: 0, by: -1) {
      let trial = root | 1 << UInt64(bit)
      let square = trial.multipliedFullWidth(by: trial)
      let low = square.low.multipliedFullWidth(by: trial)
      let high = square.high * trial + low.high
      if high < prime << 32 || (high == prime << 32 && low.low == 0) { root = trial }
    }
    return root
  }
}
