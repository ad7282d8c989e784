/// How long ago an app was used, in 21 steps that grow with it, and how long ago the device was, in four.
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

  /// Steps that there are.
  static let count = 21

  /// When the step of such a time ends, in seconds; nil for the last, which has no end.
  static func end(ofStep step: Int) -> Int64? { step < bounds.count ? bounds[step] : nil }

  private static let bounds: [Int64] = [
    10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 600, 720, 960, 1200, 1440, 1800, 2880, 5760,
  ].map { $0 * 60 }
}

/// Whether the device is in use, or how long ago it was.
enum Activity {
  /// The step of a time since the device was in use, in seconds: just now, half an hour, two hours, longer.
  static func step(_ seconds: Int64) -> Int { bounds.firstIndex { seconds <= $0 } ?? bounds.count }

  /// Steps that there are.
  static let count = 4

  static let bounds: [Int64] = [300, 1800, 7200]
}
