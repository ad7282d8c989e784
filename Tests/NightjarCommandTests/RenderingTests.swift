import NightjarModel
import NightjarWire
import Testing

@testable import NightjarCommand

@Suite struct RenderingTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (1_048_575, "1.0 MiB"),
    (734_003_200, "700.0 MiB"), (1_073_741_824, "1.0 GiB"), (Int64.max, "8.0 EiB"),
  ])
  func `sizes have one decimal and a fitting unit`(bytes: Int64, text: String) {
    #expect("\(ByteCount(bytes))" == text)
  }

  @Test(
    arguments: [
      (0, "0"), (0.000_012, "0.000012"), (0.000_000_1, "0"), (-0.25, "-0.25"), (0.5, "0.5"), (12.345, "12.3"),
      (99.96, "100"), (1234.5, "1235"), (4e15, "4000000000000000"), (.infinity, "inf"), (-2, "-2"),
    ] as [(Double, String)])
  func `a figure has three digits that count and never an exponent`(number: Double, text: String) {
    #expect(number.short == text)
  }

  @Test(
    arguments: [
      (0, 2, "0.00"), (1.005e-5, 3, "0.000"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (12.25, 0, "12"),
      (9.999, 2, "10.00"),
      (3.05, 3, "3.050"),
    ] as [(Double, Int, String)])
  func `a figure has as many decimals as it is asked for`(number: Double, decimals: Int, text: String) {
    #expect(number.fixed(decimals) == text)
  }

  @Test func `a part has the unit of its whole`() {
    #expect(ByteCount(1024).description(of: ByteCount(734_003_200)) == "0.0/700.0 MiB")
    #expect(ByteCount(5).description(of: ByteCount(10)) == "5/10 B")
  }

  @Test(
    arguments: [
      (0, "0:00"), (7.4, "0:07"), (750, "12:30"), (11_100, "3:05:00"), (400_000, "4 days"), (.infinity, "ages"),
      (.nan, "ages"), (-3, "0:00"),
    ] as [(Double, String)])
  func `a time left is short to read`(seconds: Double, text: String) {
    #expect("\(Countdown(seconds: seconds))" == text)
  }

  @Test(arguments: [
    ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{9b}31m", "\\u{9b}31m"), ("\u{7f}", "\\u{7f}"),
    ("x\u{202e}y", "x\\u{202e}y"), ("\u{2028}", "\\u{2028}"), ("tab\t", "tab\\u{9}"), ("Grüße 日本 👩‍👩‍👧", "Grüße 日本 👩‍👩‍👧"),
  ])
  func `nothing that others wrote acts on the terminal`(raw: String, safe: String) {
    #expect(DisplayText(raw).description == safe)
  }

  @Test(arguments: 0..<12) func `cut text never takes more columns than it may`(columns: Int) {
    for text in ["abcdefghijklmnop", "日本日本日本日本", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"] {
      #expect(DisplayText(DisplayText(text).truncated(to: columns)).width <= columns)
      #expect(DisplayText(DisplayText(text).shortened(to: columns)).width <= columns)
    }
    #expect(DisplayText("abcdefghij").shortened(to: 7) == "abc…hij")
  }

  @Test(arguments: [0, 1, 5, 20, 39, 40, 50, 60, 79, 100, 200])
  func `a progress line fits its width`(width: Int) {
    let line = ProgressLine(
      name: DisplayText("debian-12.iso"), count: 330_000_000, expected: 734_003_200, rate: 12_900_000, waitsFor: nil)

    #expect(DisplayText(line.text(width: width, nameColumns: min(13, width))).width <= width)
  }

  @Test func `a wide line tells everything and a narrow one the share`() {
    let line = ProgressLine(
      name: DisplayText("a.iso"), count: 367_001_600, expected: 734_003_200, rate: 36_700_160, waitsFor: nil)

    #expect(
      line.text(width: 79, nameColumns: 5)
        == "a.iso  [===========>            ]  50%   350.0/700.0 MiB   35.0 MiB/s      0:10")
    #expect(line.text(width: 24, nameColumns: 5) == "a.iso  [====>     ]  50%")
    #expect(line.text(width: 12, nameColumns: 5) == "a.iso   50%")
  }

  @Test func `a length unknown or wrong is no reason to fail`() {
    var line = ProgressLine(name: DisplayText("x"), count: 2048, expected: nil, rate: nil, waitsFor: nil)
    #expect(line.text(width: 60, nameColumns: 1) == "x      2.0 KiB             ")
    (line.expected, line.count) = (1024, 4096)
    #expect(line.text(width: 60, nameColumns: 1).contains("100%"))
    (line.expected, line.count) = (0, 0)
    #expect(!line.text(width: 60, nameColumns: 1).contains("%"))
    line.waitsFor = DisplayText("waiting: no\u{1b}network")
    #expect(line.text(width: 60, nameColumns: 1) == "x  waiting: no\\u{1b}network")
  }

  @Test func `a table is aligned, and its last column gives way on a terminal`() {
    var table = Table([.init(heading: "ID", side: .right), .init(heading: "NAME"), .init(heading: "WHY")])
    table.append([.init("7"), .init("日本"), .init("because it has to wait")])
    table.append([.init("12"), .init("b"), .init("x")])

    #expect(
      table.lines(width: nil, hasColour: false) == [
        "ID  NAME  WHY", " 7  日本  because it has to wait", "12  b     x",
      ])
    #expect(table.lines(width: 20, hasColour: false)[1] == " 7  日本  becau…wait")
    #expect(table.lines(width: 20, hasColour: true)[0].contains("\u{1b}[1mNAME\u{1b}[0m"))
  }

  @Test(arguments: [.suspended, .waiting] as [ControlInterface.Transfer.State])
  func `the list names the failure of a transfer, unless that waits to be resumed`(
    state: ControlInterface.Transfer.State
  ) {
    let (failure, verdict) = ("h closed the connection", "It goes on when it is resumed.")
    let transfer = ControlInterface.Transfer(
      id: 1, app: "a", direction: .download, url: "http://h/1.bin", label: "", state: state, count: 0, attempts: 1,
      failure: FailureMessage(code: "connectionLost", detail: failure), verdict: verdict)

    let lines = TransfersCommand.List.table([transfer]).lines(width: nil, hasColour: false)

    #expect(lines.last?.hasSuffix("  \(state == .suspended ? verdict : failure)") == true)
  }

  @Test func `a live block is replaced where it stands`() {
    var block = LiveBlock()

    #expect(block.redraw(["a", "b"]) == "\ra\u{1b}[K\nb\u{1b}[K\n\u{1b}[J")
    #expect(block.redraw(["c"]) == "\r\u{1b}[2Ac\u{1b}[K\n\u{1b}[J")
    #expect(block.erase() == "\r\u{1b}[1A\u{1b}[J")
    #expect(block.erase() == "")
  }

  @Test func `a reason that has no room beside the rest stands below it`() {
    var table = Table([
      .init(heading: "APP", columnsMax: 40), .init(heading: "STATE"), .init(heading: "WAITING", side: .right),
      .init(heading: "WHY", mayMoveBelow: true),
    ])
    table.append(
      ["org.example.department.of.players.Player", "notRunning", "1", "It waits for a network: none is up."].map {
        Table.Cell($0)
      })
    table.append(["b", "foreground", "0", "-"].map { Table.Cell($0) })

    #expect(
      table.lines(width: 80, hasColour: false) == [
        "APP                                       STATE       WAITING",
        "org.example.department.of.players.Player  notRunning        1",
        "    It waits for a network: none is up.",
        "b                                         foreground        0",
      ])
    #expect(table.lines(width: 100, hasColour: false)[1].hasSuffix("1  It waits for a network: none is up."))
    #expect(
      table.lines(width: 40, hasColour: false).allSatisfy { $0.count <= 40 }, "nothing wraps")
  }

  @Test(arguments: [20, 30, 47, 60, 80, 110]) func `no reason loses a word, however narrow the terminal`(width: Int) {
    let reasons = [
      "It waits until a network is up that is not metered, since the app has marked it as discretionary.",
      "https://example.com/a/path/without/any/spaces/that/is/longer/than/most/terminals/are/wide/and/then/some is gone.",
      "日本日本日本日本日本日本日本日本日本日本日本日本", "!",
    ]
    var table = Table([.init(heading: "ID", side: .right), .init(heading: "WHY", mayMoveBelow: true)])
    for reason in reasons { table.append([.init("7"), .init(reason)]) }

    let lines = table.lines(width: width, hasColour: false)

    #expect(lines.allSatisfy { DisplayText($0).width <= width })
    let text = lines.joined().filter { $0 != " " }
    for reason in reasons { #expect(text.contains(reason.filter { $0 != " " })) }
  }

  @Test func `a reason that is moved is broken between words, and indented`() {
    var table = Table([.init(heading: "ID", side: .right), .init(heading: "WHY", mayMoveBelow: true)])
    table.append([.init("7"), .init("It waits for a network: none is up.", .faint)])

    #expect(
      table.lines(width: 24, hasColour: false) == ["ID", " 7", "    It waits for a", "    network: none is up."])
    #expect(table.lines(width: 24, hasColour: true).last == "    \u{1b}[2mnetwork: none is up.\u{1b}[0m")
    #expect(table.lines(width: 39, hasColour: false).count == 2, "beside the rest it has room")
    #expect(table.lines(width: 38, hasColour: false).count == 4, "a column less, and it has none")
  }

  @Test func `a rate is of the last seconds, and falls when nothing comes`() throws {
    var meter = RateMeter()
    for second in 0...60 { meter.note(Int64(second) * 1000, at: .seconds(second)) }

    #expect(try #require(meter.bytesPerSecond(at: .seconds(60))) == 1000)
    #expect(try #require(meter.bytesPerSecond(at: .seconds(100))) < 250)
  }

  @Test func `a transfer that begins anew has no negative rate`() throws {
    var meter = RateMeter()
    meter.note(5000, at: .zero)
    meter.note(0, at: .seconds(1))

    #expect(meter.bytesPerSecond(at: .seconds(1)) == nil)
    #expect(try #require(meter.bytesPerSecond(at: .seconds(2))) == 0)
  }

  @Test func `JSON is one line or many, and safe on a terminal`() throws {
    #expect(try JSONDocument.line(["a": "\u{1b}\u{9b}\u{202e}/ü"]) == #"{"a":"\u001b\u009b\u202e/ü"}"#)
    #expect(try JSONDocument.pretty(["b": 1, "a": 2]) == "{\n  \"a\" : 2,\n  \"b\" : 1\n}")
  }
}
