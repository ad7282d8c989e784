/// Writes SVG text, element by element; all given text is escaped.
public struct Pen: Sendable {
  /// How a text looks.
  public enum Look: Hashable, Sendable {
    /// Bold.
    case bold
    /// This size in points, instead of 12.
    case size(Double)
    /// Beginning, centred or ending at its place.
    case from, centred, to
    /// Less important.
    case faint
    /// Read from bottom to top.
    case upwards
  }

  /// The text written so far.
  public private(set) var text = ""
  private var opened: [String] = []

  /// A pen that has written nothing.
  public init() {}

  /// Begins an element with children.
  public mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>) {
    text += "<\(name)\(Self.written(attributes))>"
    opened.append(name)
  }

  /// Ends the element that was begun last.
  public mutating func close() {
    guard let name = opened.popLast() else { preconditionFailure("no element is open") }
    text += "</\(name)>\n"
  }

  /// Writes an element without children, with text if given.
  public mutating func leaf(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String? = nil) {
    let body = content.map { ">\($0.escapedForXML)</\(name)>" } ?? "/>"
    text += "<\(name)\(Self.written(attributes))\(body)\n"
  }

  /// Writes words.
  public mutating func text(_ words: String, at place: Point, _ looks: Set<Look> = []) {
    var size = 12.0
    for case .size(let points) in looks { size = points }
    let anchor = looks.contains(.to) ? "end" : looks.contains(.centred) ? "middle" : "start"
    let ink = looks.contains(.faint) ? Ink.faint : Ink.text
    var written =
      "<text class=\"\(ink.name)\" fill=\"\(ink.light)\" font-size=\"\(size.short)\" text-anchor=\"\(anchor)\""
    written += looks.contains(.bold) ? " font-weight=\"600\"" : ""
    written +=
      looks.contains(.upwards)
      ? " transform=\"translate(\(place.x.short) \(place.y.short)) rotate(-90)\""
      : " x=\"\(place.x.short)\" y=\"\(place.y.short)\""
    text += "\(written)>\(words.escapedForXML)</text>\n"
  }

  /// Draws a straight line of the picture's frame.
  public mutating func rule(from start: Point, to end: Point, _ ink: Ink = .rule) {
    leaf(
      "line",
      [
        "class": ink.strokeName, "stroke": ink.light, "x1": start.x.short, "y1": start.y.short, "x2": end.x.short,
        "y2": end.y.short,
      ])
  }

  /// Fills a box, with a tooltip if given.
  public mutating func box(
    from corner: Point, width: Double, height: Double, _ ink: Ink, opacity: Double = 1, says words: String? = nil
  ) {
    open(
      "rect",
      [
        "class": ink.name, "fill": ink.light, "fill-opacity": opacity.short, "x": corner.x.short, "y": corner.y.short,
        "width": max(width, 0).short, "height": max(height, 0).short,
      ])
    if let words { leaf("title", [:], words) }
    close()
  }

  private static func written(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.reduce(into: "") { $0 += " \($1.key)=\"\($1.value.escapedForXML)\"" }
  }
}

extension String {
  /// This text escaped for content and attributes. Characters that XML cannot represent become replacement characters.
  public var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{9}", "\u{A}", "\u{D}": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The approximate width of this text, in points at a size of 12.
  var pointsWide: Double {
    unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 12 : 6.7) }
  }
}
