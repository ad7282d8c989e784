/// A drawing for people to look at: panels below one another, as one SVG text.
///
/// The text is self-contained: no script, no external resources, a title and a description for screen readers, and
/// colours for light and dark screens. The same values give the same bytes on every machine.
///
///     let front = Plot(
///       x: Axis("fetches per app and day", 1...64, .logarithmic), y: Axis("fresh", 0...1),
///       series: [Series("nightjar", .line, .blue, [Point(2, 0.44), Point(4, 0.55)])])
///     let svg = Picture("Freshness", description: "How fresh apps are.", panels: [front]).svg
public struct Picture: Sendable {
  /// Its title, drawn on top.
  public var title: String
  /// A description for people who do not see it.
  public var description: String
  /// How wide it is, in points.
  public var width: Double
  /// Its panels, from top to bottom.
  public var panels: [any Panel]

  /// A picture of these panels.
  public init(_ title: String, description: String, width: Double = 760, panels: [any Panel]) {
    (self.title, self.description, self.width, self.panels) = (title, description, width, panels)
  }

  /// How high it is, in points.
  public var height: Double {
    panels.reduce(Self.titleHeight) { $0 + $1.height(width: width) + Self.gap } + Self.gap
  }

  /// The picture as a document of its own, or to be embedded in a page.
  public var svg: String { text(styled: true) }

  /// The picture for a page that forbids inline styles: the page must include ``Ink/styleSheet`` itself.
  public var unstyledSVG: String { text(styled: false) }

  private func text(styled: Bool) -> String {
    var pen = Pen()
    let (titleID, descriptionID) = ("nj-t-\(fingerprint)", "nj-d-\(fingerprint)")
    pen.open(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "nj-picture", "viewBox": "0 0 \(width.short) \(height.short)",
        "width": width.short, "height": height.short, "role": "img", "aria-labelledby": "\(titleID) \(descriptionID)",
        "font-family": "system-ui, sans-serif", "font-size": "12",
      ])
    pen.leaf("title", ["id": titleID], title)
    pen.leaf("desc", ["id": descriptionID], description)
    if styled { pen.leaf("style", [:], Ink.styleSheet) }
    pen.leaf("rect", ["class": "nj-paper", "width": "100%", "height": "100%", "fill": Ink.paper])
    pen.text(title, at: Point(Self.gap, 26), [.bold, .size(16)])
    drawPanels(with: &pen)
    pen.close()
    return pen.text
  }

  private func drawPanels(with pen: inout Pen) {
    var top = Self.titleHeight
    for panel in panels {
      pen.open("g", ["transform": "translate(0 \(top.short))"])
      panel.draw(with: &pen, width: width)
      pen.close()
      top += panel.height(width: width) + Self.gap
    }
  }

  /// Makes the element ids of several pictures in one page distinct (FNV-1a).
  private var fingerprint: String {
    let words = "\(title)\u{0}\(description)".utf8
    let hash = words.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 36)
  }

  static let titleHeight: Double = 40
  static let gap: Double = 16
}

/// A part of a picture, over its whole width.
public protocol Panel: Sendable {
  /// Its height in a picture of this width, in points.
  func height(width: Double) -> Double
  /// Draws it below and to the right of the origin.
  func draw(with pen: inout Pen, width: Double)
}

/// A place in a picture or among data.
public struct Point: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Upwards among data, downwards in a picture.
  public var y: Double

  /// The place at these coordinates.
  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  var isFinite: Bool { x.isFinite && y.isFinite }
}
