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
    var sum = 1.0
    for n in stride(from: 13.0, to: 0, by: -1) { sum = 1 + rest * sum / n }
    return sum * Double(sign: .plus, exponent: doublings, significand: 1)
  }

  /// The natural logarithm of `x`, correct to about 15 digits; minus infinity at zero, not a number below it.
  public static func ln(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x > 0 ? x : .nan }
    let isUpper = x.significand > 1.414_213_562_373_095_1
    let mantissa = isUpper ? x.significand / 2 : x.significand
    let doublings = Double(Int(x.exponent) + (isUpper ? 1 : 0))
    let s = (mantissa - 1) / (mantissa + 1)
    var sum = 0.0
    for n in stride(from: 21.0, to: 0, by: -2) { sum = sum * s * s + 1 / n }
    return doublings * ln2High + (2 * s * sum + doublings * ln2Low)
  }

  /// How much of something is left after `time` if half of it is lost in each `halfLife`.
  public static func left(after time: Double, halfLife: Double) -> Double { exp(-ln2 * time / halfLife) }

  private static let ln2 = 0.693_147_180_559_945_3
  /// The leading bits of it, whose products with whole numbers are exact, and the others.
  private static let ln2High = 0.693_147_180_369_123_8
  private static let ln2Low = 1.908_214_929_270_587_7e-10
}
