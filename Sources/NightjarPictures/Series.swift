/// Values that belong together, and how they are shown.
public struct Series: Hashable, Sendable {
  /// How values are shown.
  public enum Marks: Hashable, Sendable {
    /// A line from each to the next.
    case line
    /// A value holds until the next.
    case steps
    /// A dot for each.
    case dots
    /// A line with dots on it.
    case dottedLine
    /// A bar for each, of this width on the axis.
    case bars(width: Double)
  }

  /// Its name in the legend; empty for a series that is not in it.
  public var name: String
  /// How its values are shown.
  public var marks: Marks
  /// Its colour.
  public var ink: Ink
  /// Its values, in the order in which lines join them. Values that are not finite are left out and break the line.
  public var points: [Point]
  /// Labels beside its values, which may be fewer than the values.
  public var labels: [String]

  /// A series of values.
  public init(_ name: String, _ marks: Marks, _ ink: Ink, _ points: [Point], labels: [String] = []) {
    (self.name, self.marks, self.ink, self.points, self.labels) = (name, marks, ink, points, labels)
  }

  var isLine: Bool { marks == .line || marks == .steps || marks == .dottedLine }
  var hasDots: Bool { marks == .dots || marks == .dottedLine }
}

/// The shape of a dot, which goes with its colour.
enum Shape {
  case circle, square, diamond, triangle, cross

  init(_ ink: Ink) {
    self =
      switch ink {
      case .blue, .text, .rule: .circle
      case .orange: .square
      case .green, .sky: .diamond
      case .purple, .faint: .triangle
      case .red, .grey: .cross
      }
  }

  /// Its outline as SVG's path data, around a place.
  func path(around place: Point, radius: Double) -> String {
    let (x, y, r) = (place.x, place.y, radius)
    func path(_ points: [(Double, Double)]) -> String {
      "M" + points.map { "\($0.short) \($1.short)" }.joined(separator: "L") + "Z"
    }
    switch self {
    case .circle:
      let turn = "a\(r.short) \(r.short) 0 1 0"
      return "M\((x - r).short) \(y.short)\(turn) \((2 * r).short) 0\(turn) \((-2 * r).short) 0Z"
    case .square: return path([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])
    case .diamond: return path([(x, y - 1.3 * r), (x + 1.3 * r, y), (x, y + 1.3 * r), (x - 1.3 * r, y)])
    case .triangle: return path([(x, y - 1.2 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)])
    case .cross:
      let t = r / 2.5
      return path([
        (x - r, y - r + t), (x - r + t, y - r), (x, y - t), (x + r - t, y - r), (x + r, y - r + t), (x + t, y),
        (x + r, y + r - t), (x + r - t, y + r), (x, y + t), (x - r + t, y + r), (x - r, y + r - t), (x - t, y),
      ])
    }
  }
}

extension Pen {
  /// Draws a dot of a colour and its shape, with a tooltip if given.
  public mutating func dot(at place: Point, _ ink: Ink, radius: Double = 3.5, says words: String? = nil) {
    open(
      "path",
      ["class": ink.name, "fill": ink.light, "d": Shape(ink).path(around: place, radius: radius)])
    if let words { leaf("title", [:], words) }
    close()
  }
}
