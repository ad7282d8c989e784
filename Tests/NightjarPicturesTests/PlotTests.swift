import NightjarPictures
import Testing

@Suite struct PlotTests {
  @Test func `ticks stand at round values`() {
    #expect(Axis("x", 0...1).ticks.map(\.label) == ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    #expect(Axis("x", 0...48).ticks.map(\.label) == ["0", "10", "20", "30", "40"])
    #expect(
      Axis("x", 0...30_000).ticks.map(\.label) == [
        "0", "5000", "10\u{202F}000", "15\u{202F}000", "20\u{202F}000", "25\u{202F}000", "30\u{202F}000",
      ])
    #expect(Axis("x", -3...3).ticks.map(\.label) == ["-3", "-2", "-1", "0", "1", "2", "3"])
  }

  @Test func `a logarithmic axis has ticks at 1, 2 and 5 of each decade, and of many decades at 1`() {
    #expect(Axis("x", 1...64, .logarithmic).ticks.map(\.label) == ["1", "2", "5", "10", "20", "50"])
    #expect(Axis("x", 0.01...1000, .logarithmic).ticks.map(\.label) == ["0.01", "0.1", "1", "10", "100", "1000"])
  }

  @Test(arguments: [
    (0.0...0.0, Axis.Scale.linear), (0...0, .logarithmic), (-5...(-1), .logarithmic),
    (-.infinity ... .infinity, .linear),
    (7...7, .linear), (0...1e300, .logarithmic), (1e-300...2e-300, .linear),
  ])
  func `a range that cannot be drawn is replaced by one that can`(range: ClosedRange<Double>, scale: Axis.Scale) {
    let axis = Axis("x", range, scale)

    #expect(axis.range.lowerBound < axis.range.upperBound)
    #expect(axis.range.lowerBound.isFinite && axis.range.upperBound.isFinite)
    #expect(axis.ticks.count <= 30)
    #expect(Drawn(Picture("x", description: "", panels: [Plot(x: axis, y: axis, series: [])]).svg).isWellFormed)
  }

  @Test func `a value is drawn where the axes have it`() {
    let axis = Axis("x", 0...10)
    let plot = Plot(
      x: axis, y: axis, series: [Series("a", .line, .blue, [Point(0, 0), Point(5, 10), Point(10, 5)])], fieldHeight: 100
    )

    let drawn = Drawn(Picture("x", description: "", width: 288, panels: [plot]).svg)

    #expect(drawn.all("path").map { $0.attributes["d"] } == ["M0 100L100 0L200 50"])
  }

  @Test func `a value holds until the next on a line of steps`() {
    let axis = Axis("x", 0...10)
    let plot = Plot(
      x: axis, y: axis, series: [Series("a", .steps, .blue, [Point(0, 0), Point(5, 10)])], fieldHeight: 100)

    let drawn = Drawn(Picture("x", description: "", width: 288, panels: [plot]).svg)

    #expect(drawn.all("path").map { $0.attributes["d"] } == ["M0 100L100 100L100 0"])
  }

  @Test func `what is no number is left out and cuts the line`() {
    let axis = Axis("x", 0...10)
    let points = [Point(0, 0), Point(1, .nan), Point(2, 10), Point(.infinity, 3), Point(10, 0)]
    let plot = Plot(x: axis, y: axis, series: [Series("a", .dottedLine, .red, points)], fieldHeight: 100)

    let drawn = Drawn(Picture("x", description: "", width: 288, panels: [plot]).svg)

    #expect(drawn.all("path").first?.attributes["d"] == "M0 100M40 0M200 100")
    #expect(!drawn.all("path").contains { $0.attributes["d"]?.contains("nan") == true })
  }

  @Test func `bars stand on the axis, so wide as they are said to be`() {
    let axis = Axis("x", 0...10)
    let plot = Plot(x: axis, y: axis, series: [Series("a", .bars(width: 1), .blue, [Point(5, 5)])], fieldHeight: 100)

    let drawn = Drawn(Picture("x", description: "", width: 288, panels: [plot]).svg)

    let bar = drawn.all("rect").first { $0.attributes["class"] == "nj-blue" }
    #expect(bar?.attributes["x"] == "90.5")
    #expect(bar?.attributes["width"] == "19")
    #expect(bar?.attributes["y"] == "50")
    #expect(bar?.attributes["height"] == "50")
  }

  @Test func `dots of different colours have different shapes`() {
    let axis = Axis("x", 0...10)
    let inks: [Ink] = [.blue, .orange, .green, .purple, .red]
    let plot = Plot(x: axis, y: axis, series: inks.map { Series("", .dots, $0, [Point(5, 5)]) })

    let drawn = Drawn(Picture("x", description: "", panels: [plot]).svg)

    #expect(Set(drawn.all("path").map { $0.attributes["d"] }).count == inks.count)
  }

  @Test func `the legend breaks into as many lines as it needs`() {
    let axis = Axis("x", 0...10)
    let plot = { count in
      Plot(x: axis, y: axis, series: (0..<count).map { Series("policy number \($0)", .line, .blue, []) })
    }

    #expect(plot(12).height(width: 400) > plot(2).height(width: 400))
    #expect(plot(12).height(width: 4000) == plot(2).height(width: 4000))
  }
}

@Suite struct TimelineTests {
  @Test func `a stretch lies where the day has it, and says what it is`() {
    let row = Timeline.Row("Mail", spans: [.init(6...12, .blue, says: "06:00 to 12:00")])

    let drawn = Drawn(Picture("x", description: "", width: 328, panels: [Timeline(rows: [row])]).svg)

    let span = drawn.all("rect").first { $0.attributes["class"] == "nj-blue" }
    #expect(span?.attributes["x"] == "124")  // A quarter of the 240 points after the label.
    #expect(span?.attributes["width"] == "60")
    #expect(drawn.all("title").map(\.text).contains("06:00 to 12:00"))
  }

  @Test func `a stretch is cut off at midnight, and one of a moment can be seen`() {
    let row = Timeline.Row("Mail", spans: [.init(-3...0.0, .red), .init(23...30, .blue), .init(5...5, .green)])

    let drawn = Drawn(Picture("x", description: "", width: 328, panels: [Timeline(rows: [row])]).svg)

    let end = drawn.all("rect").first { $0.attributes["class"] == "nj-blue" }
    #expect(end?.attributes["width"] == "10")
    let moment = drawn.all("rect").first { $0.attributes["class"] == "nj-green" }
    #expect(moment?.attributes["width"] == "1.5")
  }

  @Test func `a moment beyond the axis is not drawn`() {
    let row = Timeline.Row("Mail", marks: [.init(at: 25, .red), .init(at: 12, .red), .init(at: .nan, .red)])

    let drawn = Drawn(Picture("x", description: "", panels: [Timeline(rows: [row])]).svg)

    #expect(drawn.all("path").count == 1)
  }
}
