/// Values over values: two axes with what is drawn between them, and a legend.
public struct Plot: Panel {
  /// What it shows; empty for nothing above it.
  public var title: String
  /// To the right.
  public var x: Axis
  /// Upwards.
  public var y: Axis
  /// The series, the last in front.
  public var series: [Series]
  /// How high the field between the axes is, in points.
  public var fieldHeight: Double

  /// A plot of series between two axes.
  public init(_ title: String = "", x: Axis, y: Axis, series: [Series], fieldHeight: Double = 280) {
    (self.title, self.x, self.y, self.series, self.fieldHeight) = (title, x, y, series, fieldHeight)
  }

  public func height(width: Double) -> Double {
    top + fieldHeight + below + legend.height(width: width - Self.left - Self.right)
  }

  public func draw(with pen: inout Pen, width: Double) {
    let field = Field(plot: self, width: max(width - Self.left - Self.right, 40))
    if !title.isEmpty { pen.text(title, at: Point(Picture.gap, 12), [.bold]) }
    pen.open("g", ["transform": "translate(\(Self.left.short) \(top.short))"])
    field.drawAxes(with: &pen)
    field.drawSeries(with: &pen)
    pen.close()
    legend.draw(with: &pen, at: Point(Self.left, top + fieldHeight + below), width: field.width)
  }

  private var legend: Legend {
    Legend(
      entries: series.filter { !$0.name.isEmpty }.map { series in
        Legend.Entry(series.name, series.ink, series.isLine ? .line : series.hasDots ? .dot : .box)
      })
  }

  private var top: Double { title.isEmpty ? 8 : 26 }
  private var below: Double { x.label.isEmpty ? 26 : 46 }
  static let left: Double = 64
  static let right: Double = 24
}

/// The field of a plot between its axes, with its origin in the upper left corner.
struct Field {
  let plot: Plot
  let width: Double
  var height: Double { plot.fieldHeight }

  func drawAxes(with pen: inout Pen) {
    for tick in plot.y.ticks {
      guard let place = vertical(tick.value), (-0.5...height + 0.5).contains(place) else { continue }
      pen.rule(from: Point(0, place), to: Point(width, place))
      pen.text(tick.label, at: Point(-8, place + 4), [.to, .faint])
    }
    for tick in plot.x.ticks {
      guard let place = horizontal(tick.value), (-0.5...width + 0.5).contains(place) else { continue }
      pen.rule(from: Point(place, height), to: Point(place, height + 5), .faint)
      pen.text(tick.label, at: Point(place, height + 18), [.centred, .faint])
    }
    pen.rule(from: Point(0, height), to: Point(width, height), .faint)
    pen.text(plot.x.label, at: Point(width / 2, height + 36), [.centred])
    pen.text(plot.y.label, at: Point(-Plot.left + 14, height / 2), [.centred, .upwards])
  }

  /// Draws the series. A nested SVG document clips what lies beyond the axes.
  func drawSeries(with pen: inout Pen) {
    pen.open("svg", ["x": "0", "y": "0", "width": width.short, "height": height.short, "overflow": "hidden"])
    for series in plot.series {
      switch series.marks {
      case .bars(let barWidth): drawBars(series, barWidth, with: &pen)
      case .line, .steps, .dots, .dottedLine: drawLine(series, with: &pen)
      }
    }
    pen.close()
    for series in plot.series where series.hasDots { drawDots(series, with: &pen) }
    for series in plot.series { drawLabels(series, with: &pen) }
  }

  private func drawLine(_ series: Series, with pen: inout Pen) {
    guard series.isLine else { return }
    let path = outline(series)
    guard !path.isEmpty else { return }
    pen.leaf(
      "path",
      [
        "class": series.ink.strokeName, "stroke": series.ink.light, "stroke-width": "1.75", "fill": "none",
        "stroke-dasharray": series.ink.dashes.isEmpty ? "none" : series.ink.dashes, "stroke-linejoin": "round",
        "d": path,
      ])
  }

  private func outline(_ series: Series) -> String {
    var (path, isCut, last) = ("", true, Point(0, 0))
    for point in series.points {
      guard let place = place(point) else {
        isCut = true
        continue
      }
      path += isCut ? "M" : series.marks == .steps ? "L\(place.x.short) \(last.y.short)L" : "L"
      path += "\(place.x.short) \(place.y.short)"
      (isCut, last) = (false, place)
    }
    return path
  }

  private func drawDots(_ series: Series, with pen: inout Pen) {
    for point in series.points {
      guard let place = place(point), (-1...width + 1).contains(place.x), (-1...height + 1).contains(place.y) else {
        continue
      }
      pen.dot(at: place, series.ink)
    }
  }

  private func drawBars(_ series: Series, _ barWidth: Double, with pen: inout Pen) {
    let foot = vertical(max(0, plot.y.range.lowerBound)) ?? height
    for point in series.points {
      guard let left = horizontal(point.x - barWidth / 2), let right = horizontal(point.x + barWidth / 2),
        let top = vertical(point.y)
      else { continue }
      let corner = Point(left + 0.5, min(top, foot))
      pen.box(from: corner, width: right - left - 1, height: (foot - top).magnitude, series.ink)
    }
  }

  private func drawLabels(_ series: Series, with pen: inout Pen) {
    for (point, label) in zip(series.points, series.labels) where !label.isEmpty {
      guard let place = place(point) else { continue }
      let isNearEnd = place.x + 8 + label.pointsWide > width
      pen.text(label, at: Point(place.x + (isNearEnd ? -8 : 8), place.y - 6), [isNearEnd ? .to : .from, .size(11)])
    }
  }

  private func place(_ point: Point) -> Point? {
    guard let across = horizontal(point.x), let down = vertical(point.y) else { return nil }
    return Point(across, down)
  }

  private func horizontal(_ value: Double) -> Double? { plot.x.fraction(value).map { $0 * width } }
  private func vertical(_ value: Double) -> Double? { plot.y.fraction(value).map { (1 - $0) * height } }
}
