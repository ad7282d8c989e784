/// A terminal's screen, computed from what a program writes: the part of xterm's behaviour that full-screen and
/// line-oriented programs use (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). Unknown sequences are ignored.
public struct Terminal: Sendable {
  /// Where the next character goes, and how it looks.
  struct Cursor: Hashable, Sendable {
    var (row, column) = (0, 0)
    var style = Style()
    /// Whether a character was put in the last column, so that the next one begins a new line.
    var isPastEnd = false
    /// Whether letters are drawn as lines and corners (DEC Special Graphics).
    var drawsLines = false
  }

  /// What a program has switched on or off.
  struct Modes: Hashable, Sendable {
    var showsCursor = true
    var wraps = true
    var inserts = false
    /// Whether rows count from the region's first, and the cursor stays in the region.
    var isOriginRelative = false
    /// Whether cursor keys send `ESC O` (DECCKM).
    var hasApplicationKeys = false
  }

  /// Its size.
  public let (columns, rows): (Int, Int)
  var grid: Grid
  var cursor = Cursor()
  var modes = Modes()
  /// The rows that scroll.
  var region: Range<Int>
  var saved = Cursor()
  /// The ordinary screen, while a full-screen program uses the alternate one.
  var ordinary: (grid: Grid, cursor: Cursor)?
  /// The last character, for the sequence that repeats it.
  var last: Unicode.Scalar?
  private var tokenizer = Tokenizer()
  /// The replies to the program's queries.
  var replies: [UInt8] = []

  /// An empty screen.
  public init(columns: Int = 80, rows: Int = 24) {
    precondition(columns > 1 && rows > 1, "a screen has at least two rows and columns")
    (self.columns, self.rows) = (columns, rows)
    (grid, region) = (Grid(columns: columns, rows: rows), 0..<rows)
  }

  /// The cells, row by row.
  public var cells: [[Cell]] { grid.cells }

  /// The cursor's position; nil while the program hides it.
  public var cursorPlace: (row: Int, column: Int)? { modes.showsCursor ? (cursor.row, cursor.column) : nil }

  /// Whether cursor keys are to send `ESC O` rather than `ESC [`.
  public var hasApplicationKeys: Bool { modes.hasApplicationKeys }

  /// Handles the program's output; returns the replies to its queries, to be sent to it.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    for byte in bytes {
      for token in tokenizer.take(byte) { obey(token) }
    }
    defer { replies = [] }
    return replies
  }

  private mutating func obey(_ token: Token) {
    switch token {
    case .character(let scalar): write(scalar)
    case .control(let byte): control(byte)
    case .escape(let intermediate, let final): escape(intermediate, final)
    case .sequence(let sequence): obey(sequence)
    }
  }

  // MARK: Writing

  mutating func write(_ scalar: Unicode.Scalar) {
    let scalar = cursor.drawsLines ? scalar.drawn : scalar
    let width = scalar.columns
    guard width > 0 else {
      return grid.combine(scalar, row: cursor.row, column: cursor.isPastEnd ? columns - 1 : max(cursor.column - 1, 0))
    }
    if modes.wraps, cursor.isPastEnd || cursor.column + width > columns { breakLine() }
    cursor.column = min(cursor.column, columns - width)
    if modes.inserts { grid.insert(row: cursor.row, column: cursor.column, count: width, cursor.style) }
    grid.put(Cell(text: String(scalar), style: cursor.style), width, row: cursor.row, column: cursor.column)
    last = scalar
    cursor.isPastEnd = cursor.column + width >= columns
    cursor.column = min(cursor.column + width, columns - 1)
  }

  private mutating func breakLine() {
    cursor.column = 0
    advance()
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x08: move(row: cursor.row, column: cursor.column - 1)
    case 0x09: move(row: cursor.row, column: (cursor.column / 8 + 1) * 8)
    case 0x0A, 0x0B, 0x0C: advance()
    case 0x0D: move(row: cursor.row, column: 0)
    default: break
    }
  }

  /// Moves the cursor down a row; scrolls at the region's last one.
  mutating func advance() {
    cursor.isPastEnd = false
    if cursor.row == region.upperBound - 1 {
      grid.scrollUp(region, by: 1, cursor.style)
    } else {
      cursor.row = min(cursor.row + 1, rows - 1)
    }
  }

  /// Moves the cursor up a row; scrolls at the region's first one.
  mutating func retreat() {
    cursor.isPastEnd = false
    if cursor.row == region.lowerBound {
      grid.scrollDown(region, by: 1, cursor.style)
    } else {
      cursor.row = max(cursor.row - 1, 0)
    }
  }

  mutating func move(row: Int, column: Int) {
    cursor.row = min(max(row, 0), rows - 1)
    cursor.column = min(max(column, 0), columns - 1)
    cursor.isPastEnd = false
  }

  // MARK: Escape sequences

  private mutating func escape(_ intermediate: UInt8?, _ final: UInt8) {
    switch (intermediate.map(Unicode.Scalar.init), Unicode.Scalar(final)) {
    case (nil, "7"): saved = cursor
    case (nil, "8"): restore()
    case (nil, "D"): advance()
    case (nil, "E"):
      move(row: cursor.row, column: 0)
      advance()
    case (nil, "M"): retreat()
    case (nil, "c"): self = Terminal(columns: columns, rows: rows)
    case ("(", let set): cursor.drawsLines = set == "0"
    default: break
    }
  }

  mutating func restore() {
    let column = saved.column
    cursor = saved
    move(row: saved.row, column: column)
  }
}

extension Unicode.Scalar {
  /// The line or corner for a letter (DEC Special Graphics).
  fileprivate var drawn: Unicode.Scalar {
    guard (0x60...0x7E).contains(value) else { return self }
    return Self.graphics[Int(value - 0x60)]
  }

  private static let graphics = Array("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars)
}
