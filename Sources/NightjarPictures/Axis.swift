#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One axis of a plot: what it measures and how.
public struct Axis: Hashable, Sendable {
  /// The scale of values.
  public enum Scale: Hashable, Sendable {
    /// Equal distances for equal differences.
    case linear
    /// Equal distances for equal factors; only what is above 0 can be shown.
    case logarithmic
  }

  /// A labelled place on an axis.
  public struct Tick: Hashable, Sendable {
    /// Where it is.
    public var value: Double
    /// Its label.
    public var label: String

    /// A labelled place.
    public init(_ value: Double, _ label: String) { (self.value, self.label) = (value, label) }
  }

  /// What is measured, with its unit.
  public var label: String
  /// The range of its values.
  public let range: ClosedRange<Double>
  /// The scale of values.
  public let scale: Scale
  /// Its labelled places.
  public var ticks: [Tick]

  /// An axis over a range, with ticks at round values unless others are given.
  ///
  /// A range that cannot be drawn (empty, not finite, not above 0 on a logarithmic axis) is replaced by the nearest
  /// that can.
  public init(_ label: String, _ range: ClosedRange<Double>, _ scale: Scale = .linear, ticks: [Tick]? = nil) {
    let drawn = Self.drawable(range, scale)
    (self.label, self.range, self.scale) = (label, drawn, scale)
    self.ticks = ticks ?? (scale == .linear ? Self.linearTicks(drawn) : Self.logarithmicTicks(drawn))
  }

  /// The hours of one day.
  public static let hoursOfDay = Axis(
    "", 0...24, ticks: [0, 3, 6, 9, 12, 15, 18, 21, 24].map { Tick($0, "\($0 < 10 ? "0" : "")\(Int($0)):00") })

  /// From the least to the greatest of some values, or from 0 if `fromZero`.
  public static func fitting(
    _ label: String, _ values: [Double], _ scale: Scale = .linear, fromZero: Bool = true
  ) -> Axis {
    let usable = values.filter { $0.isFinite && (scale == .linear || $0 > 0) }
    let least = usable.min() ?? 0
    let top = usable.max() ?? 1
    return Axis(label, (scale == .linear && fromZero ? min(least, 0) : least)...max(top, least), scale)
  }

  /// Where a value lies, from 0 at the beginning to 1 at the end; nil if it cannot be shown.
  func fraction(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    switch scale {
    case .linear: return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    case .logarithmic:
      guard value > 0 else { return nil }
      return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
    }
  }

  private static func drawable(_ range: ClosedRange<Double>, _ scale: Scale) -> ClosedRange<Double> {
    var (low, high) = (range.lowerBound, range.upperBound)
    if !low.isFinite || low.magnitude > 1e12 { low = 0 }
    if !high.isFinite || high.magnitude > 1e12 { high = low + 1 }
    if scale == .logarithmic {
      low = low > 1e-9 ? low : min(1, max(high, 1e-6) / 1000)
      return low...(high > low ? high : low * 10)
    }
    return low...(high - low > 1e-9 ? high : low + 1)
  }

  private static func linearTicks(_ range: ClosedRange<Double>) -> [Tick] {
    let span = range.upperBound - range.lowerBound
    let power = pow(10, floor(log10(span / 5)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { span / $0 <= 6 } ?? span
    let decimals = max(0, -Int(floor(log10(step) + 1e-9)))
    let first = Int((range.lowerBound / step - 1e-9).rounded(.up))
    let last = Int((range.upperBound / step + 1e-9).rounded(.down))
    return first <= last ? (first...last).map { Tick(Double($0) * step, (Double($0) * step).grouped(decimals)) } : []
  }

  private static func logarithmicTicks(_ range: ClosedRange<Double>) -> [Tick] {
    let decades = Int(floor(log10(range.lowerBound) - 1e-9))...Int(ceil(log10(range.upperBound) + 1e-9))
    let digits: [Double] = decades.count > 4 ? [1] : [1, 2, 5]
    return decades.flatMap { decade in
      let power = pow(10, Double(decade))
      return digits.compactMap { digit in logarithmicTick(digit * power, in: range, decade) }
    }
  }

  private static func logarithmicTick(_ value: Double, in range: ClosedRange<Double>, _ decade: Int) -> Tick? {
    let slack = value * 1e-9
    guard value >= range.lowerBound - slack, value <= range.upperBound + slack else { return nil }
    return Tick(value, value.grouped(max(0, -decade)))
  }
}

extension Double {
  /// The number with at most this many decimals, with thousands separated.
  fileprivate func grouped(_ decimals: Int) -> String {
    let text = written(decimals: decimals)
    let whole = text.prefix { $0 != "." }
    guard whole.count > 4, decimals == 0 else { return text }
    return String(
      whole.reversed().enumerated().reduce(into: "") { text, digit in
        text += digit.offset > 0 && digit.offset % 3 == 0 && digit.element != "-" ? "\u{202F}" : ""
        text.append(digit.element)
      }.reversed())
  }
}
