import FoundationXML
import NightjarPictures
import Testing

import class Foundation.NSObject
import struct Foundation.Data

@Suite struct PictureTests {
  @Test func `a picture says what it is and what there is to see`() {
    let picture = Picture("Energy", description: "Joules by day.", panels: [])

    let drawn = Drawn(picture.svg)

    #expect(drawn.texts(of: "title") == ["Energy"])
    #expect(drawn.texts(of: "desc") == ["Joules by day."])
    #expect(drawn.root["role"] == "img")
    let named = drawn.root["aria-labelledby"]?.split(separator: " ").map(String.init) ?? []
    #expect(named == drawn.elements.filter { ["title", "desc"].contains($0.name) }.map { $0.attributes["id"] ?? "" })
  }

  @Test(arguments: ["<script>alert(1)</script>", "\" onload=\"x", "]]>&amp;'", "a\u{0}b\u{1B}[2J", "naïve 天気 \u{FFFE}"])
  func `whatever words come in stay words`(words: String) {
    let axis = Axis(words, 0...1, ticks: [.init(0.5, words)])
    let plot = Plot(words, x: axis, y: axis, series: [Series(words, .dots, .red, [Point(0.5, 0.5)], labels: [words])])
    let span = Timeline.Span(0...4, .blue, says: words)
    let day = Timeline(
      words, rows: [.init(words, spans: [span], marks: [.init(at: 3, .red, says: words)])],
      legend: [.init(words, .blue)])

    let drawn = Drawn(Picture(words, description: words, panels: [plot, day]).svg)

    #expect(drawn.isWellFormed)
    #expect(drawn.elements.allSatisfy { Self.harmless.contains($0.name) })
    #expect(drawn.elements.allSatisfy { $0.attributes.keys.allSatisfy { !$0.hasPrefix("on") && !$0.contains("href") } })
    #expect(drawn.texts(of: "desc").first?.isEmpty == false)
  }

  /// Sets and dictionaries have another order in each. Whoever changes what is drawn writes down the new number.
  @Test func `the same values give the same bytes in every process`() {
    let axis = Axis.fitting("x", [1, 2, 3])
    let picture = Picture(
      "Same", description: "Same.",
      panels: [Plot(x: axis, y: axis, series: [Series("a", .steps, .green, [Point(1, 1), Point(2, 3)])])])

    let digest = picture.svg.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }

    #expect(digest == 0x5B29_D861_82E9_D9E9)
  }

  @Test func `colours follow a dark screen, and a page that forbids styles gets none`() {
    let picture = Picture("Both", description: "Both.", panels: [])

    #expect(picture.svg.contains("prefers-color-scheme:dark"))
    #expect(!picture.unstyledSVG.contains("<style"))
    #expect(Ink.styleSheet.contains(".nj-blue-line"))
  }

  @Test func `panels lie below one another, within the picture`() {
    let axis = Axis("x", 0...1)
    let plot = Plot("plot", x: axis, y: axis, series: [Series("long name", .line, .blue, [])], fieldHeight: 100)
    let rows = (1...5).map { Timeline.Row("row \($0)") }

    let one = Picture("One", description: "", panels: [plot])
    let two = Picture("Two", description: "", panels: [plot, Timeline(rows: rows)])

    #expect(two.height > one.height + 5 * 22)
    #expect(
      Drawn(two.svg).root["height"] == Drawn(two.svg).root["viewBox"]?.split(separator: " ").last.map(String.init))
  }

  private static let harmless: Set = ["svg", "title", "desc", "style", "rect", "g", "text", "line", "path"]
}

/// A picture as a reader of XML sees it.
final class Drawn: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    var depth: Int
  }

  private(set) var elements: [Element] = []
  private(set) var isWellFormed = false
  private var open: [Int] = []

  init(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  var root: [String: String] { elements.first?.attributes ?? [:] }

  /// The texts of the elements of a name that lie directly in the picture.
  func texts(of name: String) -> [String] { elements.filter { $0.name == name && $0.depth == 1 }.map(\.text) }

  /// The elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.append(Element(name: name, attributes: attributes, depth: open.count))
    open.append(elements.count - 1)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let place = open.last { elements[place].text += text }
  }
}
