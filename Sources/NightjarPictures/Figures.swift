extension Double {
  /// The number with at most two decimals and no exponent, for SVG's coordinates.
  var short: String { written(decimals: 2) }

  /// The number with at most this many decimals, without trailing zeros.
  func written(decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (self * scale).rounded()
    guard scaled.magnitude < 9e15 else { return isNaN ? "0" : self < 0 ? "-9999999" : "9999999" }
    let whole = Int64(scaled.magnitude)
    var fraction = String(whole % Int64(scale))
    fraction = String(repeating: "0", count: max(decimals - fraction.count, 0)) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let sign = scaled < 0 ? "-" : ""
    return sign + String(whole / Int64(scale)) + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
