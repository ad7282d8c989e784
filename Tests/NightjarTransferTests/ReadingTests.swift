import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

struct AnswerHeadTests {
  private func head(_ fields: [(String, String)], status: Int = 200) -> AnswerHead {
    AnswerHead(status: status, headers: fields.map { HTTPField($0.0, $0.1) })
  }

  @Test(arguments: [("\"1 a\"", true), ("W/\"1\"", false), ("\"\u{FFFD}\"", false), ("\"\u{E9}\"", false)])
  func `an entity tag tells versions apart if it is strong and every byte of it is known`(tag: String, tells: Bool) {
    #expect(head([("ETag", tag)]).validator == (tells ? .entityTag(tag) : nil))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800), ("Mon, 01 Jan 2035 00:00:00 GMT", 2_051_222_400),
  ])
  func `a date is read in each of its three forms`(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT", "1 2 3 4 5", "a b c d e f",
  ])
  func `what is no date is none`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  @Test(
    arguments: [
      ("120", nil, Duration.seconds(120)), ("-5", nil, nil), ("soon", nil, nil), ("99999999999", nil, .days(366)),
      ("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", .seconds(60)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", .zero),
      ("Sun, 06 Nov 1994 08:50:37 GMT", nil, nil),
    ] as [(String, String?, Duration?)])
  func `a wish to be left alone is read against the server's own clock`(text: String, date: String?, wish: Duration?) {
    #expect(head([("Retry-After", text)] + (date.map { [("Date", $0)] } ?? [])).retryAfter == wish)
  }

  @Test(arguments: [("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0)])
  func `one in an answer without a date is read against our clock`(text: String, wish: Int) {
    var head = head([("Retry-After", text)])
    head.received = 784_111_777

    #expect(head.retryAfter == .seconds(wish))
  }

  @Test(
    arguments: [
      ([("ETag", "\"a\"")], Validator.entityTag("\"a\"")), ([("ETag", "W/\"a\"")], nil), ([("ETag", "bare")], nil),
      ([], nil),
      ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], nil),
      (
        [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:38 GMT")],
        .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
      ),
      ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], nil),
      (
        [
          ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:38 GMT"),
          ("ETag", "W/\"a\""),
        ], nil
      ),
    ] as [([(String, String)], Validator?)])
  func `only a strong validator counts`(fields: [(String, String)], validator: Validator?) {
    #expect(head(fields).validator == validator)
  }

  @Test(arguments: [
    ("bytes 0-4/5", 0...4 as ClosedRange<Int64>?, 5 as Int64?), ("bytes 2-3/*", 2...3, nil), ("bytes */7", nil, 7),
  ])
  func `a content range is read`(text: String, positions: ClosedRange<Int64>?, total: Int64?) {
    #expect(ContentRange(text)?.positions == positions)
    #expect(ContentRange(text)?.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 4-0/5", "bytes 0-5/5", "bytes -1-4/5", "bytes 0-4", "octets 0-4/5", "bytes 0-4/5/6",
  ])
  func `a content range that makes no sense is none`(text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test(arguments: [
    ("none", false), ("binary", false), ("utf-8, aws-chunked", false), ("Identity", false), ("", false),
    ("gzip", true), ("X-GZIP", true), ("none, br", true), ("zstd", true), ("pack200-gzip", true),
  ])
  func `a body is coded where a word names a coding`(words: String, isCoded: Bool) {
    #expect(head([("Content-Encoding", words)]).isCoded == isCoded)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `base 64 is that of RFC 4648`(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }
}

struct AuthorityTests {
  @Test(arguments: [
    ("http://a:b@h/", "http://h/"), ("http://a:b@c@h/d@e", "http://h/d@e"), ("http://h/a@b", "http://h/a@b"),
    ("http://a:b\u{600}@h/", "http://h/"), ("http://a:b@\u{301}h/", "http://\u{301}h/"),
    ("http://a:b\u{110BD}@h\u{600}/c@d", "http://h\u{600}/c@d"),
  ])
  func `no credentials are shown, whatever the letters around them`(url: String, shown: String) {
    #expect(url.withoutCredentials == shown)
  }
}

struct PaceTests {
  private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  @Test func `a stall is told once nothing moved for the limit, and not before`() {
    var watch = StallWatch(limit: .seconds(60), at: start)

    watch.moved(at: start + .seconds(30))

    #expect(watch.finding(at: start + .seconds(60)) == .look(start + .seconds(90)))
    #expect(watch.finding(at: start + .seconds(90)) == .stalled)
  }

  @Test func `however much moves, no two looks are further apart than the limit`() {
    var watch = StallWatch(limit: .seconds(60), at: start)

    watch.moved(at: start + .seconds(50))
    let first = watch.due
    watch.looked(at: start + .seconds(60))

    #expect(first == start + .seconds(60))
    #expect(watch.due == start + .seconds(110))
  }

  @Test func `progress is due at first and then once in an interval`() {
    var pace = ProgressPace(interval: .milliseconds(200))

    let due = [0, 100, 199, 200, 300, 450].map { pace.isDue(at: start + .milliseconds($0)) }

    #expect(due == [true, false, false, true, false, true])
  }
}

struct ScriptedServerTests {
  @Test func `a range of the content is the same bytes as in the whole`() {
    let content = Content(seed: 11, size: 1000)

    for range in [0..<1, 3..<17, 8..<16, 993..<1000, 5..<5] as [Range<Int64>] {
      #expect(content.bytes(range) == Array(content.bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
  }
}
