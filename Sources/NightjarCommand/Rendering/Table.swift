/// Columns of text, aligned, with two spaces between them. Cells are escaped; no line is wider than the terminal.
struct Table: Sendable {
  /// One column: its heading, which side its cells keep to, and how wide it may grow on a terminal.
  struct Column: Sendable {
    enum Side: Sendable { case left, right }
    var heading: String
    var side = Side.left
    var columnsMax = Int.max
    /// Whether its texts are sentences, which are never cut but move below their rows if one does not fit. Only for the
    /// last column.
    var mayMoveBelow = false
  }

  /// One cell; text from others is escaped here.
  struct Cell: Sendable {
    let text: DisplayText
    let style: Style

    init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (DisplayText(text), style) }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "A row of \(row.count) cells in a table of \(columns.count) columns")
    rows.append(row)
  }

  /// The table with its headings, one string for each line.
  ///
  /// - Parameter width: The columns of the terminal, within which every line stays; nil for no limit at all.
  func lines(width: Int?, hasColour: Bool) -> [String] {
    let headings = columns.map { Cell($0.heading, .heading) }
    if let width, hasTooMuch(for: width) { return linesWithTextBelow(headings, width, hasColour) }
    let widths = width.map { columnWidths(within: $0) } ?? paddedWidths
    return ([headings] + rows).map { line($0, widths: widths, cuts: width != nil, hasColour: hasColour) }
  }

  /// Whether the last column may move, and would have to be cut where it is.
  private func hasTooMuch(for width: Int) -> Bool {
    guard let last = columns.last, last.mayMoveBelow else { return false }
    let widest = rows.reduce(last.heading.count) { max($0, $1[columns.count - 1].text.width) }
    let others = columnWidths(within: .max).dropLast().reduce(0) { $0 + $1 + 2 }
    return others + widest > width
  }

  /// Each row without its last cell, whose text follows below.
  private func linesWithTextBelow(_ headings: [Cell], _ width: Int, _ hasColour: Bool) -> [String] {
    var rest = Table(Array(columns.dropLast()))
    for row in rows { rest.append(Array(row.dropLast())) }
    let widths = rest.columnWidths(within: width)
    let first = rest.line(Array(headings.dropLast()), widths: widths, hasColour: hasColour)
    let others = zip(rest.rows, rows).flatMap { short, row -> [String] in
      let line = rest.line(short, widths: widths, hasColour: hasColour)
      return [line] + Self.below(row[columns.count - 1], width, hasColour)
    }
    return [first] + others
  }

  /// The lines of a text below its row; none if it is empty.
  private static func below(_ cell: Cell, _ width: Int, _ hasColour: Bool) -> [String] {
    guard !["", "-"].contains(cell.text.description) else { return [] }
    return cell.text.wrapped(to: max(1, width - indent.count)).map {
      indent + cell.style.applied(to: $0, hasColour: hasColour)
    }
  }

  /// The widths if nothing is cut: every column is as wide as its widest cell, except for very wide cells, which push
  /// the rest of their own row aside instead.
  private var paddedWidths: [Int] {
    columns.indices.map { index in
      let widths = rows.lazy.map { $0[index].text.width }.filter { $0 <= Self.paddingMax }
      return widths.reduce(columns[index].heading.count) { max($0, $1) }
    }
  }

  private static let paddingMax = 40

  /// The widths within a terminal: every column is as wide as its widest cell, up to its own maximum; the last one gets
  /// the rest.
  private func columnWidths(within width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      let widest = rows.reduce(columns[index].heading.count) { max($0, $1[index].text.width) }
      return min(widest, max(columns[index].columnsMax, columns[index].heading.count))
    }
    guard let last = widths.indices.last else { return widths }
    narrow(&widths, to: width - columns[last].heading.count)
    let others = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    widths[last] = min(widths[last], max(width - others, columns[last].heading.count))
    return widths
  }

  /// Narrows the widest of the columns that have a maximum, one column at a time, until all but the last fit.
  private func narrow(_ widths: inout [Int], to width: Int) {
    var excess = widths.dropLast().reduce(0) { $0 + $1 + 2 } - width
    while excess > 0 {
      let spare = widths.indices.dropLast().filter { index in
        columns[index].columnsMax < .max && widths[index] > max(columns[index].heading.count, Self.columnsMin)
      }
      guard let widest = spare.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  private static let columnsMin = 8
  private static let indent = "    "

  private func line(_ row: [Cell], widths: [Int], cuts: Bool = true, hasColour: Bool) -> String {
    let cells = row.indices.map { index in
      let text = cuts ? row[index].text.shortened(to: widths[index]) : row[index].text.description
      let padding = String(repeating: " ", count: max(0, widths[index] - DisplayText(text).width))
      let styled = row[index].style.applied(to: text, hasColour: hasColour)
      return columns[index].side == .right ? padding + styled : styled + padding
    }
    return String(cells.joined(separator: "  ").trimmingSuffix(" "))
  }
}

extension String {
  /// The string without the given character at its end.
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var rest = self[...]
    while rest.last == character { rest.removeLast() }
    return rest
  }
}
