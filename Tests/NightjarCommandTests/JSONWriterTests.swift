import Testing

@testable import NightjarCommand

/// What ``JSONWriter`` writes is what Foundation makes of the same values.
@Suite struct JSONWriterTests {
  private struct Document: Encodable {
    struct Entry: Encodable {
      var name: String
      var share: Double?
    }
    var entries: [Entry], isLong: Bool, none: [Entry], seed: UInt64, total: Entry
  }

  private static func text(of document: Document) -> String {
    JSONWriter.text { json in
      json.list("entries", of: document.entries) { write($1, to: &$0) }
      json.field("isLong", document.isLong)
      json.list("none", of: document.none) { write($1, to: &$0) }
      json.field("seed", document.seed)
      json.object("total") { write(document.total, to: &$0) }
    }
  }

  private static func write(_ entry: Document.Entry, to json: inout JSONWriter) {
    json.field("name", entry.name)
    json.field("share", entry.share)
  }

  @Test(arguments: [
    "", "Mail", #"a "b" \ c/d"#, "Größe 🙂", "\n\r\t\u{8}\u{c}\u{0}\u{1b}\u{7f}",
    "\u{9b}\u{202e}\u{200d}\u{2028}\u{e0001}",
  ])
  func `any text is written as Foundation writes it, and safe on a terminal`(text: String) throws {
    let entry = Document.Entry(name: text, share: nil)
    let document = Document(entries: [entry, entry], isLong: true, none: [], seed: .max, total: entry)

    #expect(Self.text(of: document) == (try JSONDocument.pretty(document)))
  }

  @Test(arguments: [0, -0.0, 1, -2.5, 0.001, 1e-7, 133.617, 1e15, 1e16, 1e300, .leastNonzeroMagnitude, 0.1 + 0.2])
  func `any number is written as Foundation writes it`(number: Double) throws {
    let entry = Document.Entry(name: "Mail", share: number)
    let document = Document(entries: [entry], isLong: false, none: [], seed: 0, total: entry)

    #expect(Self.text(of: document) == (try JSONDocument.pretty(document)))
  }
}
