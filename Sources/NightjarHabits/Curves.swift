/// The two functions that forecasts and fetches need of a mathematics library, which pure rooms do not have.
///
/// They use additions, multiplications and divisions alone, so every machine computes the same bits (IEEE 754).
public enum Curves {
  /// e to the power of `x`, correct to about 15 digits; infinite above 709, zero below -708.
  public static func exp(_ x: Double) -> Double {
    guard x == x else { return x }
    if x > 709 { return .infinity }
    if x < -708 { return 0 }
    let doublings = Int(x / ln2 + (x < 0 ? -0.5 : 0.5))
    let rest = (x - Double(doublings) * ln2High) - Double(doublings) * ln2Low
    return series(rest) * power(ofTwo: doublings)
  }

  /// The natural logarithm of `x`, correct to about 15 digits; minus infinity at zero, not a number below it.
  public static func ln(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x > 0 ? x : .nan }
    let (significand, exponent) = parts(of: x)
    let isUpper = significand > 1.414_213_562_373_095_1
    let mantissa = isUpper ? significand / 2 : significand
    let doublings = Double(exponent + (isUpper ? 1 : 0))
    let s = (mantissa - 1) / (mantissa + 1)
    return doublings * ln2High + (2 * s * halfSeries(s * s) + doublings * ln2Low)
  }

  /// How much of something is left after `time` if half of it is lost in each `halfLife`.
  public static func left(after time: Double, halfLife: Double) -> Double { exp(-ln2 * time / halfLife) }

  /// A power of two: made from its bits, except for subnormal numbers.
  private static func power(ofTwo exponent: Int) -> Double {
    guard (-1022...1023).contains(exponent) else { return Double(sign: .plus, exponent: exponent, significand: 1) }
    return Double(bitPattern: UInt64(exponent + 1023) << 52)
  }

  /// The significand, from 1 to 2, and the exponent of a number above zero: from its bits, except for subnormal
  /// numbers.
  private static func parts(of x: Double) -> (significand: Double, exponent: Int) {
    guard x.isNormal else { return (x.significand, Int(x.exponent)) }
    let bits = x.bitPattern
    return (Double(bitPattern: bits & 0xf_ffff_ffff_ffff | 0x3ff0_0000_0000_0000), Int(bits >> 52) - 1023)
  }

  /// The Taylor series of e to the power of `x`, for at most half of ln 2.
  private static func series(_ x: Double) -> Double {
    var sum = 1.0 / 6_227_020_800
    sum = sum * x + 1.0 / 479_001_600
    sum = sum * x + 1.0 / 39_916_800
    sum = sum * x + 1.0 / 3_628_800
    sum = sum * x + 1.0 / 362_880
    sum = sum * x + 1.0 / 40_320
    sum = sum * x + 1.0 / 5_040
    sum = sum * x + 1.0 / 720
    sum = sum * x + 1.0 / 120
    sum = sum * x + 1.0 / 24
    sum = sum * x + 1.0 / 6
    sum = sum * x + 1.0 / 2
    return (sum * x + 1) * x + 1
  }

  /// The area hyperbolic tangent of `s` divided by `s`, as a series in the square of `s`.
  private static func halfSeries(_ square: Double) -> Double {
    var sum = 1.0 / 21
    sum = sum * square + 1.0 / 19
    sum = sum * square + 1.0 / 17
    sum = sum * square + 1.0 / 15
    sum = sum * square + 1.0 / 13
    sum = sum * square + 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square + 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square + 1.0 / 3
    return sum * square + 1
  }

  private static let ln2 = 0.693_147_180_559_945_3
  /// The leading bits of ln 2, whose products with whole numbers are exact, and the rest.
  private static let ln2High = 0.693_147_180_369_123_8
  private static let ln2Low = 1.908_214_929_270_587_7e-10
}
