/// One transfer on one line of a terminal: its name, a bar, the bytes, the rate and the time left, as far as they fit.
struct ProgressLine: Hashable, Sendable {
  var name: DisplayText
  var count: Int64
  /// The whole length; nil if the server named none.
  var expected: Int64?
  /// Bytes per second; nil while there is nothing to judge by.
  var rate: Double?
  /// What it waits for; nil while bytes move.
  var waitsFor: DisplayText?

  /// The line, never longer than `width` columns. Names are padded to `nameColumns`, so that bars stand below each
  /// other.
  func text(width: Int, nameColumns: Int) -> String {
    let wide = name.shortened(to: nameColumns)
    let padded = wide + String(repeating: " ", count: max(0, nameColumns - DisplayText(wide).width))
    if let waitsFor { return DisplayText("\(padded)  \(waitsFor)").truncated(to: width) }
    for tail in tails where nameColumns + 2 + tail.minimum <= width {
      return "\(padded)  \(tail.text(within: width - nameColumns - 2))"
    }
    return DisplayText(wide).truncated(to: width)
  }

  /// What may follow the name, the most detailed first.
  private var tails: [Tail] {
    let speed = Self.right(rate.map { ByteCount(Int64($0)).perSecond } ?? "", 12)
    let left = Self.right(timeLeft ?? "", 9)
    guard let fraction else {
      let size = Self.right("\(ByteCount(count))", 11)
      return [Tail(after: "\(size) \(speed)"), Tail(after: size)]
    }
    let percent = Self.right("\(Int((fraction * 100).rounded(.down)))%", 4)
    let size = Self.right(ByteCount(count).description(of: ByteCount(expected ?? 0)), 17)
    return [
      Tail(fraction: fraction, after: "\(percent) \(size) \(speed) \(left)"),
      Tail(fraction: fraction, after: "\(percent) \(size) \(speed)"),
      Tail(fraction: fraction, after: "\(percent) \(size)"),
      Tail(fraction: fraction, after: percent), Tail(after: percent),
    ]
  }

  private var fraction: Double? {
    guard let expected, expected > 0 else { return nil }
    return min(max(Double(count) / Double(expected), 0), 1)
  }

  private var timeLeft: String? {
    guard let expected, let rate, rate >= 1, expected > count else { return nil }
    return "\(Countdown(seconds: Double(expected - count) / rate))"
  }

  private static func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  /// A bar, if there is one, and figures behind it.
  private struct Tail {
    static let barMin = 12
    static let barMax = 42
    var fraction: Double?
    var after: String

    var minimum: Int { after.count + (fraction == nil ? 0 : Self.barMin + 1) }

    func text(within columns: Int) -> String {
      guard let fraction else { return after }
      return "\(Self.bar(fraction, columns: min(Self.barMax, columns - after.count - 1))) \(after)"
    }

    static func bar(_ fraction: Double, columns: Int) -> String {
      let inner = columns - 2
      let full = min(inner, Int((Double(inner) * fraction).rounded(.down)))
      let isUnderWay = full > 0 && full < inner
      let shaft = String(repeating: "=", count: isUnderWay ? full - 1 : full)
      return "[\(shaft)\(isUnderWay ? ">" : "")\(String(repeating: " ", count: inner - full))]"
    }
  }
}
