/// A chart of what happened when: a row for each thing, or each day, over one axis of time.
public struct Timeline: Panel {
  /// A stretch of time in a row.
  public struct Span: Hashable, Sendable {
    /// From when to when, on the axis.
    public var range: ClosedRange<Double>
    /// Its colour.
    public var ink: Ink
    /// How much it covers, from 0 to 1.
    public var opacity: Double
    /// Its tooltip; nil for none.
    public var words: String?

    /// A stretch of time.
    public init(_ range: ClosedRange<Double>, _ ink: Ink, opacity: Double = 1, says words: String? = nil) {
      (self.range, self.ink, self.opacity, self.words) = (range, ink, opacity, words)
    }
  }

  /// A moment in a row.
  public struct Mark: Hashable, Sendable {
    /// When, on the axis.
    public var at: Double
    /// Its colour, which gives its shape.
    public var ink: Ink
    /// Its tooltip; nil for none.
    public var words: String?

    /// A moment.
    public init(at: Double, _ ink: Ink, says words: String? = nil) {
      (self.at, self.ink, self.words) = (at, ink, words)
    }
  }

  /// One row.
  public struct Row: Hashable, Sendable {
    /// What it is about.
    public var label: String
    /// Its stretches, the last in front.
    public var spans: [Span]
    /// Its moments, in front of them.
    public var marks: [Mark]

    /// A row of stretches and moments.
    public init(_ label: String, spans: [Span] = [], marks: [Mark] = []) {
      (self.label, self.spans, self.marks) = (label, spans, marks)
    }
  }

  /// What a colour means, for the legend.
  public struct Meaning: Hashable, Sendable {
    /// In words.
    public var words: String
    /// The colour.
    public var ink: Ink
    /// Whether it is that of a moment rather than a stretch.
    public var isMark: Bool
    /// How much a stretch covers, from 0 to 1.
    public var opacity: Double

    /// The meaning of a colour.
    public init(_ words: String, _ ink: Ink, isMark: Bool = false, opacity: Double = 1) {
      (self.words, self.ink, self.isMark, self.opacity) = (words, ink, isMark, opacity)
    }
  }

  /// What it shows; empty for nothing above it.
  public var title: String
  /// The time, to the right.
  public var axis: Axis
  /// From top to bottom.
  public var rows: [Row]
  /// What lies behind all rows, such as nights.
  public var backdrop: [Span]
  /// What the colours mean.
  public var legend: [Meaning]
  /// How high a row is, in points.
  public var rowHeight: Double

  /// Rows over an axis of time.
  public init(
    _ title: String = "", axis: Axis = .hoursOfDay, rows: [Row], backdrop: [Span] = [], legend: [Meaning] = [],
    rowHeight: Double = 22
  ) {
    (self.title, self.axis, self.rows) = (title, axis, rows)
    (self.backdrop, self.legend, self.rowHeight) = (backdrop, legend, rowHeight)
  }

  public func height(width: Double) -> Double {
    top + rowsHeight + below + shownLegend.height(width: width - left - Plot.right)
  }

  public func draw(with pen: inout Pen, width: Double) {
    let fieldWidth = max(width - left - Plot.right, 40)
    if !title.isEmpty { pen.text(title, at: Point(Picture.gap, 12), [.bold]) }
    for span in backdrop { draw(span, top: top, height: rowsHeight, fieldWidth, with: &pen) }
    drawAxis(fieldWidth, with: &pen)
    for (number, row) in rows.enumerated() {
      draw(row, top: top + Double(number) * rowHeight, fieldWidth, with: &pen)
    }
    shownLegend.draw(with: &pen, at: Point(left, top + rowsHeight + below), width: fieldWidth)
  }

  private func drawAxis(_ fieldWidth: Double, with pen: inout Pen) {
    let foot = top + rowsHeight
    for tick in axis.ticks {
      guard let fraction = axis.fraction(tick.value), (-0.001...1.001).contains(fraction) else { continue }
      let x = left + fraction * fieldWidth
      pen.rule(from: Point(x, top), to: Point(x, foot))
      pen.text(tick.label, at: Point(x, foot + 16), [.centred, .faint])
    }
    if !axis.label.isEmpty { pen.text(axis.label, at: Point(left + fieldWidth / 2, foot + 34), [.centred]) }
  }

  private func draw(_ row: Row, top: Double, _ fieldWidth: Double, with pen: inout Pen) {
    let inset = min(4, rowHeight / 6)
    pen.rule(from: Point(left, top + rowHeight), to: Point(left + fieldWidth, top + rowHeight))
    pen.text(row.label, at: Point(left - 8, top + rowHeight / 2 + 4), [.to])
    for span in row.spans { draw(span, top: top + inset, height: rowHeight - 2 * inset, fieldWidth, with: &pen) }
    for mark in row.marks {
      guard let fraction = axis.fraction(mark.at), (0...1).contains(fraction) else { continue }
      let place = Point(left + fraction * fieldWidth, top + rowHeight / 2)
      pen.dot(at: place, mark.ink, radius: min(4, rowHeight / 4), says: mark.words)
    }
  }

  /// Draws a stretch, cut off at the axis's ends and at least wide enough to be seen.
  private func draw(_ span: Span, top: Double, height: Double, _ fieldWidth: Double, with pen: inout Pen) {
    guard let from = axis.fraction(span.range.lowerBound), let to = axis.fraction(span.range.upperBound), to >= 0,
      from <= 1
    else { return }
    let (start, end) = (max(from, 0) * fieldWidth, min(to, 1) * fieldWidth)
    pen.box(
      from: Point(left + start, top), width: max(end - start, 1.5), height: height, span.ink, opacity: span.opacity,
      says: span.words)
  }

  private var shownLegend: Legend {
    Legend(entries: legend.map { .init($0.words, $0.ink, $0.isMark ? .dot : .box, opacity: $0.opacity) })
  }

  private var top: Double { title.isEmpty ? 4 : 24 }
  private var below: Double { axis.label.isEmpty ? 28 : 46 }
  private var rowsHeight: Double { Double(rows.count) * rowHeight }
  private var left: Double { min(max(rows.map(\.label.pointsWide).max() ?? 0, 40) + 24, 220) }
}
