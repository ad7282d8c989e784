import Glibc

/// A moment in whole seconds, and how HTTP writes it (RFC 9110, 5.6.7).
struct HTTPMoment: Comparable, Sendable {
  /// Seconds since 1970 began in Greenwich.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else, the two obsolete forms included.
  init?(_ text: String) {
    let words = text.split { " ,:".contains($0) }
    guard words.count == 8, let month = Self.months.firstIndex(of: words[2]) else { return nil }
    let numbers = [words[1], words[3], words[4], words[5], words[6]].compactMap { Int32($0) }
    guard numbers.count == 5 else { return nil }
    var parts = tm()
    (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] &- 1900)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
    self.seconds = timegm(&parts)
    guard self.text == text else { return nil }  // The 30th of February, a wrong weekday, doubled spaces.
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  var text: String { written(Self.form) }

  /// `1994-11-06T08:49:37Z`, as JSON bodies have it (RFC 3339).
  var iso: String { written("%Y-%m-%dT%H:%M:%SZ") }

  static func < (left: HTTPMoment, right: HTTPMoment) -> Bool { left.seconds < right.seconds }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let form = "%a, %d %b %Y %H:%M:%S GMT"

  private func written(_ form: String) -> String {
    var (clock, parts) = (time_t(seconds), tm())
    gmtime_r(&clock, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      strftime(room.baseAddress!, room.count, form, &parts)
      return String(cString: room.baseAddress!)
    }
  }
}
