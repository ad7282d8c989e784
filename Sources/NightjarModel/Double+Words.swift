extension Double {
  /// The number with so many decimals, and never an exponent. What is not finite, or too large to have decimals, is
  /// written as Swift does.
  public func fixed(_ decimals: Int) -> String {
    let scale = Self.scale(decimals)
    let scaled = (magnitude * scale).rounded()
    guard scaled < 1e18 else { return "\(self)" }
    let (whole, fraction) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
    let digits = String(fraction)
    let zeros = String(repeating: "0", count: max(0, decimals - digits.count))
    return (self < 0 && scaled > 0 ? "-" : "") + String(whole) + (decimals == 0 ? "" : "." + zeros + digits)
  }

  /// The number with three significant digits or all its whole ones, at most six decimals, and no trailing zeros.
  public var short: String {
    guard isFinite, self != 0 else { return self == 0 ? "0" : "\(self)" }
    var (decimals, scaled) = (0, magnitude)
    while scaled < 100, decimals < 6 { (decimals, scaled) = (decimals + 1, scaled * 10) }
    var text = fixed(decimals)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    return text.last == "." ? String(text.dropLast()) : text
  }

  /// The nearest number with so many decimals.
  public func rounded(decimals: Int) -> Double {
    let scale = Self.scale(decimals)
    return (self * scale).rounded() / scale
  }

  private static func scale(_ decimals: Int) -> Double { (0..<decimals).reduce(1.0) { scale, _ in scale * 10 } }
}
