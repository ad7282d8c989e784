/// A length of time as people read it: `0:07`, `12:30`, `3:05:00`, `4 days`; rounded to whole seconds.
struct Countdown: Hashable, Sendable, CustomStringConvertible {
  let seconds: Int64

  init(seconds: Double) { self.seconds = seconds.isFinite ? Int64(min(max(seconds, 0), 1e12).rounded()) : .max }

  var description: String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours >= 100 { return seconds / 86_400 > 999 ? "ages" : "\(seconds / 86_400) days" }
    if hours > 0 { return "\(hours):\(Self.twoDigits(minutes)):\(Self.twoDigits(seconds % 60))" }
    return "\(minutes):\(Self.twoDigits(seconds % 60))"
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
