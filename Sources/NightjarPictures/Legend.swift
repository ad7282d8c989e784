/// The legend of a picture's colours and shapes, on as many lines as needed.
struct Legend: Sendable {
  /// One meaning.
  struct Entry: Sendable {
    enum Sample: Sendable {
      case line, dot, box
    }

    var name: String
    var ink: Ink
    var sample: Sample
    var opacity: Double

    init(_ name: String, _ ink: Ink, _ sample: Sample, opacity: Double = 1) {
      (self.name, self.ink, self.sample, self.opacity) = (name, ink, sample, opacity)
    }

    var width: Double { Legend.sampleWidth + 6 + name.pointsWide + 18 }
  }

  var entries: [Entry]

  func height(width: Double) -> Double { Double(places(width: width).last.map { $0.line + 1 } ?? 0) * Self.lineHeight }

  func draw(with pen: inout Pen, at corner: Point, width: Double) {
    for (entry, place) in zip(entries, places(width: width)) {
      let middle = Point(corner.x + place.x, corner.y + Double(place.line) * Self.lineHeight + Self.lineHeight / 2)
      draw(entry, at: middle, with: &pen)
      pen.text(entry.name, at: Point(middle.x + Self.sampleWidth + 6, middle.y + 4))
    }
  }

  private func draw(_ entry: Entry, at place: Point, with pen: inout Pen) {
    switch entry.sample {
    case .line:
      pen.leaf(
        "line",
        [
          "class": entry.ink.strokeName, "stroke": entry.ink.light, "stroke-width": "1.75",
          "stroke-dasharray": entry.ink.dashes.isEmpty ? "none" : entry.ink.dashes, "x1": place.x.short,
          "x2": (place.x + Self.sampleWidth).short, "y1": place.y.short, "y2": place.y.short,
        ])
    case .dot: pen.dot(at: Point(place.x + Self.sampleWidth / 2, place.y), entry.ink, radius: 4)
    case .box:
      pen.box(from: Point(place.x, place.y - 5), width: Self.sampleWidth, height: 10, entry.ink, opacity: entry.opacity)
    }
  }

  /// The position of each entry: its line, and its place along it.
  private func places(width: Double) -> [(line: Int, x: Double)] {
    var (line, x) = (0, 0.0)
    return entries.map { entry in
      if x > 0, x + entry.width > width { (line, x) = (line + 1, 0) }
      defer { x += entry.width }
      return (line, x)
    }
  }

  static let sampleWidth: Double = 22
  static let lineHeight: Double = 20
}
