extension [Int64] {
  /// The number below which this share of them lies, which are sorted and not none: between two of them, in proportion.
  package func quantile(_ share: Double) -> Double {
    let place = share * Double(count - 1)
    let low = Int(place)
    let high = Swift.min(low + 1, count - 1)
    return Double(self[low]) + (place - Double(low)) * Double(self[high] - self[low])
  }
}
