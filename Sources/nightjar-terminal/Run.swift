import Nightjar
import NightjarTerminal

/// Characters of one row, side by side, that look the same.
struct Run {
  var text: String
  var style: Style
  var isCursor = false

  /// The runs of a row; what is empty at its end is left out.
  static func runs(of cells: [Cell], cursor: Int?) -> [Run] {
    let isBlank = { (cell: Cell) in cell == Cell() }
    let end = max((cells.lastIndex { !isBlank($0) } ?? -1) + 1, (cursor ?? -1) + 1)
    var runs: [Run] = []
    for (column, cell) in cells.prefix(end).enumerated() {
      let isCursor = column == cursor
      if let last = runs.last, last.style == cell.style, !last.isCursor, !isCursor {
        runs[runs.count - 1].text += cell.text
      } else {
        runs.append(Run(text: cell.text, style: cell.style, isCursor: isCursor))
      }
    }
    return runs
  }

  /// The run as HTML.
  var html: HTML {
    let (classes, colours) = (classes, colours)
    if classes.isEmpty, colours.isEmpty { return HTML(text: text) }
    return "<span class='\(classes)' style='\(colours)'>\(text)</span>"
  }

  private var classes: String {
    let marks: [(String, Bool)] = [
      ("c", isCursor), ("b", style.isBold), ("f", style.isFaint), ("i", style.isItalic), ("u", style.isUnderlined),
      ("s", style.isStruck), ("h", style.isHidden),
    ]
    return marks.filter(\.1).map(\.0).joined(separator: " ")
  }

  private var colours: String {
    guard !isCursor else { return "" }
    var (front, back) = (style.foreground, style.background)
    if style.isInverse {
      (front, back) = (
        back == .standard ? .mixed(22, 22, 26) : back, front == .standard ? .mixed(230, 230, 230) : front
      )
    }
    return [front.css.map { "color:\($0)" }, back.css.map { "background:\($0)" }].compactMap(\.self)
      .joined(separator: ";")
  }
}

extension Color {
  fileprivate var css: String? { components.map { "rgb(\($0.red),\($0.green),\($0.blue))" } }
}
