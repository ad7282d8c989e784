/// Control sequences: moving, erasing, scrolling, colours and modes.
extension Terminal {
  mutating func obey(_ sequence: Token.Sequence) {
    guard sequence.intermediate == nil else { return }
    switch (sequence.prefix.map(Unicode.Scalar.init), Unicode.Scalar(sequence.final)) {
    case (nil, let final): obey(final, sequence)
    case ("?", "h"): for mode in sequence.parameters { setPrivate(mode.number, true) }
    case ("?", "l"): for mode in sequence.parameters { setPrivate(mode.number, false) }
    case ("?", "J"): erase(display: sequence.number(0))
    case ("?", "K"): erase(line: sequence.number(0))
    case (">", "c"): reply("\u{1B}[>0;10;1c")
    default: break
    }
  }

  private mutating func obey(_ final: Unicode.Scalar, _ sequence: Token.Sequence) {
    let count = sequence.count()
    switch final {
    case "A": moveUp(count)
    case "B", "e": moveDown(count, column: cursor.column)
    case "C", "a": move(row: cursor.row, column: cursor.column + count)
    case "D": move(row: cursor.row, column: cursor.column - count)
    case "E": moveDown(count, column: 0)
    case "F": move(row: cursor.row - count, column: 0)
    case "G", "`": move(row: cursor.row, column: count - 1)
    case "H", "f": place(row: count - 1, column: sequence.count(1) - 1)
    case "d": place(row: count - 1, column: cursor.column)
    case "J": erase(display: sequence.number(0))
    case "K": erase(line: sequence.number(0))
    case "L": if region.contains(cursor.row) { grid.scrollDown(belowCursor, by: count, cursor.style) }
    case "M": if region.contains(cursor.row) { grid.scrollUp(belowCursor, by: count, cursor.style) }
    case "P": grid.delete(row: cursor.row, column: cursor.column, count: count, cursor.style)
    case "@": grid.insert(row: cursor.row, column: cursor.column, count: count, cursor.style)
    case "X": grid.erase(row: cursor.row, cursor.column..<cursor.column + count, cursor.style)
    case "S": grid.scrollUp(region, by: count, cursor.style)
    case "T": grid.scrollDown(region, by: count, cursor.style)
    case "b": for _ in 0..<min(count, columns * rows) { last.map { write($0) } }
    case "m": cursor.style.take(sequence.parameters)
    case "r": setRegion(sequence)
    case "s": saved = cursor
    case "u": restore()
    case "h": if sequence.number(0) == 4 { modes.inserts = true }
    case "l": if sequence.number(0) == 4 { modes.inserts = false }
    case "n": report(sequence.number(0))
    case "c": reply("\u{1B}[?6c")  // A VT102.
    default: break
    }
  }

  private var belowCursor: Range<Int> { cursor.row..<region.upperBound }

  private mutating func moveUp(_ count: Int) {
    let first = cursor.row >= region.lowerBound ? region.lowerBound : 0
    move(row: max(cursor.row - count, first), column: cursor.column)
  }

  private mutating func moveDown(_ count: Int, column: Int) {
    let last = cursor.row < region.upperBound ? region.upperBound - 1 : rows - 1
    move(row: min(cursor.row + count, last), column: column)
  }

  /// Moves the cursor to a position, which may count from the region's first row.
  private mutating func place(row: Int, column: Int) {
    guard modes.isOriginRelative else { return move(row: row, column: column) }
    move(row: min(region.lowerBound + row, region.upperBound - 1), column: column)
  }

  private mutating func erase(display part: Int) {
    switch part {
    case 0:
      erase(line: 0)
      grid.erase(rows: cursor.row + 1..<rows, cursor.style)
    case 1:
      erase(line: 1)
      grid.erase(rows: 0..<cursor.row, cursor.style)
    case 2, 3: grid.erase(rows: 0..<rows, cursor.style)
    default: break
    }
    if part != 0 { cursor.isPastEnd = false }
  }

  private mutating func erase(line part: Int) {
    switch part {
    case 0: grid.erase(row: cursor.row, cursor.column..<columns, cursor.style)
    case 1: grid.erase(row: cursor.row, 0..<cursor.column + 1, cursor.style)
    case 2: grid.erase(row: cursor.row, 0..<columns, cursor.style)
    default: break
    }
  }

  private mutating func setRegion(_ sequence: Token.Sequence) {
    let (first, last) = (sequence.count() - 1, sequence.number(1) == 0 ? rows : min(sequence.number(1), rows))
    guard first + 1 < last else { return }
    region = first..<last
    place(row: 0, column: 0)
  }

  private mutating func setPrivate(_ mode: Int, _ isOn: Bool) {
    switch mode {
    case 1: modes.hasApplicationKeys = isOn
    case 6:
      modes.isOriginRelative = isOn
      place(row: 0, column: 0)
    case 7: modes.wraps = isOn
    case 25: modes.showsCursor = isOn
    case 47, 1047, 1049: useOtherScreen(isOn)
    case 1048: if isOn { saved = cursor } else { restore() }
    default: break
    }
  }

  /// Switches to or from the alternate screen: a full-screen program begins with an empty one, and restores the
  /// ordinary one.
  private mutating func useOtherScreen(_ isOn: Bool) {
    if isOn, ordinary == nil {
      ordinary = (grid, cursor)
      grid = Grid(columns: columns, rows: rows)
    } else if !isOn, let ordinary {
      (grid, cursor) = ordinary
      (self.ordinary, region) = (nil, 0..<rows)
    }
  }

  private mutating func report(_ what: Int) {
    switch what {
    case 5: reply("\u{1B}[0n")
    case 6: reply("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R")
    default: break
    }
  }

  private mutating func reply(_ text: String) {
    if replies.count < 4096 { replies += Array(text.utf8) }
  }
}

extension Style {
  /// Select Graphic Rendition (SGR).
  fileprivate mutating func take(_ parameters: [Token.Parameter]) {
    var rest = (parameters.isEmpty ? [Token.Parameter()] : parameters)[...]
    while let parameter = rest.popFirst() {
      switch (parameter.number, parameter.details) {
      case (38, let details): if let color = Self.color(details, &rest) { foreground = color }
      case (48, let details): if let color = Self.color(details, &rest) { background = color }
      case (58, let details): _ = Self.color(details, &rest)  // Underlines have the text's colour here.
      case (let code, []): take(code)
      case (4, let details): isUnderlined = details[0] != 0  // In whatever style: doubled, curled, dotted.
      default: break
      }
    }
  }

  private mutating func take(_ code: Int) {
    switch code {
    case 0: self = Style()
    case 1: isBold = true
    case 2: isFaint = true
    case 3: isItalic = true
    case 4, 21: isUnderlined = true
    case 7: isInverse = true
    case 8: isHidden = true
    case 9: isStruck = true
    case 22: (isBold, isFaint) = (false, false)
    case 23: isItalic = false
    case 24: isUnderlined = false
    case 27: isInverse = false
    case 28: isHidden = false
    case 29: isStruck = false
    case 30...37: foreground = .indexed(UInt8(code - 30))
    case 39: foreground = .standard
    case 40...47: background = .indexed(UInt8(code - 40))
    case 49: background = .standard
    case 90...97: foreground = .indexed(UInt8(code - 82))
    case 100...107: background = .indexed(UInt8(code - 92))
    default: break
    }
  }

  /// A colour. With colons it is in the details, otherwise in the parameters that follow.
  private static func color(_ details: [Int], _ rest: inout ArraySlice<Token.Parameter>) -> Color? {
    guard details.isEmpty else { return color(details) }
    let count = rest.first.flatMap { [2: 4, 5: 2][$0.number] } ?? 1
    defer { rest = rest.dropFirst(count) }
    return color(rest.prefix(count).map(\.number))
  }

  /// A colour from `5 n`, `2 r g b` or, as in the standard, `2 space r g b` and more (ITU-T T.416, 13.1.8).
  private static func color(_ codes: [Int]) -> Color? {
    switch (codes.first, codes.count) {
    case (5, 2...): return .indexed(UInt8(clamping: codes[1]))
    case (2, 4...):
      let mixed = codes.dropFirst(codes.count > 4 ? 2 : 1).map { UInt8(clamping: $0) }
      return .mixed(mixed[0], mixed[1], mixed[2])
    default: return nil
    }
  }
}
