/// The cells of a screen, row by row, and the operations that move and erase them. Rows and columns count from 0, and
/// every position is clamped.
struct Grid: Hashable, Sendable {
  let (columns, rows): (Int, Int)
  private(set) var cells: [[Cell]]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// Puts a character in its cell. If it replaces half of a wide one, the other half is erased.
  mutating func put(_ cell: Cell, _ width: Int, row: Int, column: Int) {
    loosen(row, column)
    if width == 2, column + 1 < columns {
      loosen(row, column + 1)
      cells[row][column + 1] = Cell(text: "", style: cell.style)
    }
    cells[row][column] = cell
  }

  /// Adds a combining mark to a character, as long as it stays small.
  mutating func combine(_ scalar: Unicode.Scalar, row: Int, column: Int) {
    let place = cells[row][column].isRightHalf ? max(column - 1, 0) : column
    guard cells[row][place].text.unicodeScalars.count < 8 else { return }
    cells[row][place].text.unicodeScalars.append(scalar)
  }

  private mutating func loosen(_ row: Int, _ column: Int) {
    if cells[row][column].isRightHalf, column > 0 { cells[row][column - 1] = Cell(style: cells[row][column].style) }
    if column + 1 < columns, cells[row][column + 1].isRightHalf {
      cells[row][column + 1] = Cell(style: cells[row][column].style)
    }
  }

  /// Erases cells of a row.
  mutating func erase(row: Int, _ range: Range<Int>, _ style: Style) {
    let range = range.clamped(to: 0..<columns)
    guard let first = range.first, let last = range.last else { return }
    loosen(row, first)
    loosen(row, last)
    for column in range { cells[row][column] = Cell(style: style.erased) }
  }

  /// Erases whole rows.
  mutating func erase(rows range: Range<Int>, _ style: Style) {
    for row in range.clamped(to: 0..<rows) { erase(row: row, 0..<columns, style) }
  }

  /// Moves the rows of a region up; the new rows below are empty.
  mutating func scrollUp(_ region: Range<Int>, by count: Int, _ style: Style) {
    let count = min(count, region.count)
    let kept = cells[region.lowerBound + count..<region.upperBound]
    cells.replaceSubrange(region, with: Array(kept) + empty(count, style))
  }

  /// Moves the rows of a region down; the new rows above are empty.
  mutating func scrollDown(_ region: Range<Int>, by count: Int, _ style: Style) {
    let count = min(count, region.count)
    let kept = cells[region.lowerBound..<region.upperBound - count]
    cells.replaceSubrange(region, with: empty(count, style) + Array(kept))
  }

  /// Deletes cells of a row; those to their right move there. A wide character of which half goes is erased.
  mutating func delete(row: Int, column: Int, count: Int, _ style: Style) {
    let count = min(count, columns - column)
    loosen(row, column)
    loosen(row, column + count - 1)
    cells[row].removeSubrange(column..<column + count)
    cells[row] += Array(repeating: Cell(style: style.erased), count: count)
  }

  /// Inserts empty cells in a row; those to their right move on, and off the screen. A wide character that they part is
  /// erased.
  mutating func insert(row: Int, column: Int, count: Int, _ style: Style) {
    let count = min(count, columns - column)
    if cells[row][column].isRightHalf {
      loosen(row, column)
      cells[row][column] = Cell(style: cells[row][column].style)
    }
    cells[row].removeLast(count)
    cells[row].insert(contentsOf: Array(repeating: Cell(style: style.erased), count: count), at: column)
    if cells[row][columns - 1].isRightHalf == false, let last = cells[row].last?.text.unicodeScalars.first,
      last.columns == 2
    {
      cells[row][columns - 1] = Cell(style: style.erased)  // Its right half has moved off the screen.
    }
  }

  private func empty(_ count: Int, _ style: Style) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(style: style.erased), count: columns), count: count)
  }
}
