import NightjarModel
import Testing

@testable import NightjarStore

struct LineTextTests {
  @Test func `a person can read the header fields`() {
    let fields = [HTTPField("Accept", "*/*"), HTTPField("X-Path", "C:\\temp")]

    #expect(String(decoding: LineText.bytes(of: fields), as: UTF8.self) == "Accept: */*\nX-Path: C:\\\\temp\n")
  }

  @Test(arguments: [[], [""], ["", ""], ["a\nb", "\\", "c:d", "\\n"], ["👩🏽‍🚀\r\n"]])
  func `a list of any texts comes back as it was`(lines: [String]) throws {
    let bytes = LineText.bytes(of: lines)

    let back = try bytes.withUnsafeBufferPointer { text throws(DamagedRow) in try LineText.lines(text) }

    #expect(back == lines)
  }

  @Test(arguments: ["a", "a:b\n", "a: b", "a\\", ": \\"])
  func `what was never written is refused`(text: String) {
    #expect(throws: DamagedRow.self) {
      try Array(text.utf8).withUnsafeBufferPointer { text throws(DamagedRow) in try LineText.fields(text) }
    }
  }
}
