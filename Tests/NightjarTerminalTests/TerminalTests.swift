import Testing

@testable import NightjarTerminal

@Suite struct `A terminal` {
  @Test(arguments: [
    ("plain\r\nlines", ["plain", "lines"]),
    ("a\tb", ["a       b"]),
    ("ab\u{8}c", ["ac"]),
    ("12345678901", ["1234567890", "1"]),
    ("1234567890\r\nx", ["1234567890", "x"]),
    ("\u{1B}[2;3Hx\u{1B}[Hy", ["y", "  x"]),
    ("\u{1B}[3;1Ha\u{1B}[2Ab\u{1B}[Bc\u{1B}[4Dd", [" b", "d c", "a"]),
    ("abcdef\u{1B}[3D\u{1B}[K", ["abc"]),
    ("abcdef\u{1B}[3D\u{1B}[1K", ["    ef"]),
    ("one\r\ntwo\r\nthree\u{1B}[2;2H\u{1B}[J", ["one", "t"]),
    ("abc\u{1B}[2D\u{1B}[2@", ["a  bc"]),
    ("abcdef\u{1B}[5D\u{1B}[2P", ["adef"]),
    ("abcdef\u{1B}[5D\u{1B}[2X", ["a  def"]),
    ("1\r\n2\r\n3\u{1B}[2;1H\u{1B}[L", ["1", "", "2", "3"]),
    ("1\r\n2\r\n3\u{1B}[2;1H\u{1B}[M", ["1", "3"]),
    ("1\r\n2\r\n3\r\n4\r\n5", ["2", "3", "4", "5"]),
    ("1\r\n2\r\n3\r\n4\u{1B}[2;3r\u{1B}[3;1H\nx", ["1", "3", "x", "4"]),
    ("1\r\n2\r\n3\r\n4\u{1B}[2;3r\u{1B}[2;1H\u{1B}Mx", ["1", "x", "2", "4"]),
    ("ab\u{1B}7\u{1B}[3;3Hx\u{1B}8c", ["abc", "", "  x"]),
    ("a\u{1B}[4hb\r\u{1B}[4lc", ["cb"]),
    ("x\u{1B}[4b", ["xxxxx"]),
    ("\u{1B}(0lqk\u{1B}(Bq", ["┌─┐q"]),
    ("\u{1B}]0;a title\u{7}x\u{1B}Pstring\u{1B}\\y", ["xy"]),
    ("\u{1B}[?25x\u{1B}[>4;1m\u{1B}[1 qz", ["z"]),
    ("\u{1B}[1;\u{18}a", ["a"]),
    ("日本x", ["日本x"]),
    ("123456789日", ["123456789", "日"]),
    ("日\u{8}a", [" a"]),
    ("e\u{301}x", ["e\u{301}x"]),
    ("\u{1B}[?7l123456789012", ["1234567892"]),
    ("✅\u{8}a", [" a"]),
    ("🌡\u{8}a", ["a"]),
    ("a漢bcd\u{1B}[1;1H\u{1B}[2P", [" bcd"]),
    ("a漢bcd\u{1B}[1;3H\u{1B}[P", ["a bcd"]),
    ("a漢bcd\u{1B}[1;2H\u{1B}[2P", ["abcd"]),
    ("a漢字d\u{1B}[1;3H\u{1B}[2P", ["a  d"]),
    ("a漢bcd\u{1B}[1;3H\u{1B}[2@", ["a    bcd"]),
    ("a漢bcd\u{1B}[1;2H\u{1B}[@", ["a 漢bcd"]),
    ("a\u{1B}[1;9H漢\u{1B}[1;1H\u{1B}[@", [" a"]),
    ("a漢bcd\u{1B}[1;2H\u{1B}[4h字\u{1B}[4l", ["a字漢bcd"]),
  ])
  func `shows what a program writes`(written: String, shown: [String]) {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take(written.utf8)
    #expect(terminal.lines == shown)
  }

  @Test func `gives the ordinary screen back when a program in full screen ends`() {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take("shell\r\n$ ".utf8)
    _ = terminal.take("\u{1B}[?1049h\u{1B}[Heditor\u{1B}[2;3r".utf8)
    let during = terminal.lines
    _ = terminal.take("\u{1B}[?1049l".utf8)
    _ = terminal.take("ls".utf8)

    #expect(during == ["editor"])
    #expect(terminal.lines == ["shell", "$ ls"])
  }

  @Test func `answers what a program asks of it`() {
    var terminal = Terminal(columns: 10, rows: 4)
    let replies = terminal.take("\u{1B}[3;5H\u{1B}[6n\u{1B}[5n\u{1B}[c".utf8)
    #expect(String(decoding: replies, as: UTF8.self) == "\u{1B}[3;5R\u{1B}[0n\u{1B}[?6c")
    #expect(terminal.take("x".utf8).isEmpty)
  }

  @Test func `has colours and marks, until they are taken back`() {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take("\u{1B}[1;31;48;5;4ma\u{1B}[38;2;1;2;3;4mb\u{1B}[0mc\u{1B}[97;7md".utf8)
    let cells = terminal.cells[0]

    #expect(
      cells[0].style.isBold && cells[0].style.foreground == .indexed(1) && cells[0].style.background == .indexed(4))
    #expect(cells[1].style.foreground == .mixed(1, 2, 3) && cells[1].style.isUnderlined)
    #expect(cells[2].style == Style())
    #expect(cells[3].style.foreground == .indexed(15) && cells[3].style.isInverse)
  }

  @Test(arguments: [
    "38:2::10:20:7", "38:2:9:10:20:7", "38:2:10:20:7", "38:2::10:20:7:0:1:0", "38;2;10;20;7",
  ])
  func `takes a colour as the standard has it with colons, and as most write it`(code: String) {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take("\u{1B}[3;\(code);9mx".utf8)
    let style = terminal.cells[0][0].style

    #expect(style.foreground == .mixed(10, 20, 7))
    #expect(style.isItalic && style.isStruck && !style.isInverse)
  }

  @Test func `takes what follows a colon for a detail and for nothing else`() {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take("\u{1B}[4:3ma\u{1B}[4:0mb\u{1B}[48:5:9;58:2::1:2:3;58;5;7;1:7mc".utf8)
    let styles = terminal.cells[0].map(\.style)
    var coloured = Style()
    coloured.background = .indexed(9)

    #expect(styles[0].isUnderlined && !styles[0].isItalic)
    #expect(styles[1] == Style() && styles[2] == coloured)
  }

  @Test(arguments: [
    ("✅❌⚡⭐🟢☔🀄⌚🚀🈁", 2), ("日本カ한！", 2), ("🌡🛠☀✓→é", 1), ("🇩🇪", 1),
  ])
  func `gives a character the columns that Unicode says it has`(characters: String, width: Int) {
    for scalar in characters.unicodeScalars {
      var terminal = Terminal(columns: 10, rows: 4)
      _ = terminal.take(String(scalar).utf8)
      #expect(terminal.cursorPlace?.column == width, "\(scalar)")
    }
  }

  @Test func `hides its cursor when it is told to`() {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take("ab".utf8)
    let shown = terminal.cursorPlace.map { [$0.row, $0.column] }
    _ = terminal.take("\u{1B}[?25l".utf8)
    #expect(shown == [0, 2])
    #expect(terminal.cursorPlace == nil)
  }

  @Test func `replaces what is no UTF-8, and goes on`() {
    var terminal = Terminal(columns: 10, rows: 4)
    _ = terminal.take([0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x1B, 0x5B, 0x43, 0x63])
    #expect(terminal.lines == ["\u{FFFD}a\u{FFFD}b\u{FFFD} c"])
  }

  @Test(arguments: 0..<UInt64(40))
  func `survives whatever a program writes, and keeps its shape`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var terminal = Terminal(columns: 12, rows: 5)
    for _ in 0..<1000 { _ = terminal.take(dice.piece()) }

    let areWhole = terminal.cells.allSatisfy { $0.count == 12 && $0.areWhole }
    #expect(terminal.cells.count == 5 && areWhole, "seed \(seed)")
    if let place = terminal.cursorPlace { #expect((0..<5).contains(place.row) && (0..<12).contains(place.column)) }
  }
}

extension Terminal {
  /// What can be read on it, without what is empty at the ends.
  fileprivate var lines: [String] {
    var lines = cells.map { row in
      var line = row.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension [Cell] {
  /// Whether a right half stands behind every wide character, and nowhere else.
  fileprivate var areWhole: Bool {
    let areWide = map { $0.text.unicodeScalars.first?.columns == 2 }
    return areWide.last == false && map(\.isRightHalf) == [false] + areWide.dropLast()
  }
}

/// Numbers from a seed (SplitMix64), and what a mad program might write.
private struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func piece() -> [UInt8] {
    switch below(6) {
    case 0: return (0..<below(20)).map { _ in UInt8(below(256)) }
    case 1: return Array("日本ab\u{301}".utf8)
    case 2...4:
      let letters = Array("ABCDEFGHJKLMPSTXbdefghlmnrsu@`".utf8)
      let numbers = (0..<below(4)).map { _ in String([0, 1, 2, 3, 5, 7, 12, 40, 1049, 99_999][below(10)]) }
      return Array("\u{1B}[\(below(3) == 0 ? "?" : "")\(numbers.joined(separator: below(4) == 0 ? ":" : ";"))".utf8) + [
        letters[below(letters.count)]
      ]
    default: return [0x1B, Array("78DEMc(0=".utf8)[below(9)], 0x0A, 0x41]
    }
  }

  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
