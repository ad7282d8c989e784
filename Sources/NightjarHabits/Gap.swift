/// How long ago an app was used, in 21 steps that grow with it.
enum Gap {
  /// The step of a time since an app was used, in seconds.
  static func step(_ seconds: Int64) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] > seconds { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The number of steps.
  static let count = 21

  /// When the step of such a time ends, in seconds; nil for the last, which has no end.
  static func end(ofStep step: Int) -> Int64? { step < bounds.count ? bounds[step] : nil }

  /// From ten minutes to four days.
  private static let bounds: [Int64] = [
    600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800, 36_000, 43_200, 57_600, 72_000,
    86_400,
    108_000, 172_800, 345_600,
  ]
}

/// Whether the device is in use, or how long ago it was.
enum Activity {
  /// The step of a time since the device was in use, in seconds: just now, half an hour, two hours, longer.
  static func step(_ seconds: Int64) -> Int { bounds.firstIndex { seconds <= $0 } ?? bounds.count }

  /// The number of steps.
  static let count = 4

  static let bounds: [Int64] = [300, 1800, 7200]
}
