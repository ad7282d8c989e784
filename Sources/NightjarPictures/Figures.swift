extension Double {
  /// With at most two decimals and never an exponent, as SVG's coordinates are written.
  var short: String { written(decimals: 2) }

  /// With at most so many decimals, none of them a zero at the end.
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
