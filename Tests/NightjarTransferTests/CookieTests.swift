import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

struct CookieJarTests {
  private func jar(_ fields: [String], from url: String = "https://shop.example.com/a/b/c") throws -> CookieJar {
    var jar = CookieJar()
    let headers = [HTTPField("Date", "Sun, 06 Nov 2044 08:49:37 GMT")] + fields.map { HTTPField("Set-Cookie", $0) }
    jar.take(AnswerHead(status: 302, headers: headers), from: try WebAddress(url))
    return jar
  }

  @Test(
    arguments: [
      ("a=1", "https://shop.example.com/a/b/x", "a=1"), ("a=1", "https://shop.example.com/a/", nil),
      ("a=1; Path=/", "https://shop.example.com/z", "a=1"), ("a=1; Path=/", "https://example.com/", nil),
      ("a=1; Path=/a", "https://shop.example.com/ab", nil), ("a=1; Path=/a", "https://shop.example.com/a/b", "a=1"),
      ("a=1; Path=/; Domain=example.com", "https://www.example.com/", "a=1"),
      ("a=1; Path=/; Domain=.EXAMPLE.com", "https://example.com/", "a=1"),
      ("a=1; Path=/; Domain=example.com", "https://badexample.com/", nil),
      ("a=1; Path=/; Domain=other.com", "https://shop.example.com/", nil),
      ("a=1; Path=/; Domain=com", "https://other.com/", nil),
      ("a=1; Path=/; Secure", "http://shop.example.com/", nil),
      ("a=1; Path=/; secure", "https://shop.example.com/", "a=1"),
      ("a=1; Path=/; Max-Age=0", "https://shop.example.com/", nil),
      ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "https://shop.example.com/", nil),
      ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60", "https://shop.example.com/", "a=1"),
      ("a=1; Path=/; Expires=Sun, 06-Nov-2094 08:49:37 GMT", "https://shop.example.com/", "a=1"),
      (" a = 1 2 ;Path=/", "https://shop.example.com/", "a=1 2"), ("novalue", "https://shop.example.com/a/b/", nil),
      ("a=1\u{16}; Path=/", "https://shop.example.com/", nil), ("a=1; Path=/\u{7F}", "https://shop.example.com/", nil),
      ("=1; Path=/", "https://shop.example.com/", nil), ("a=; Path=/", "https://shop.example.com/", "a="),
      ("a=1\u{600}; Path=/; Secure", "https://shop.example.com/", "a=1\u{600}"),
      ("a=1; Path=/; x\u{600}; Secure", "http://shop.example.com/", nil),
      ("a=\u{301}1; Path=/", "https://shop.example.com/", "a=\u{301}1"),
    ] as [(String, String, String?)])
  func `a cookie goes where RFC 6265 lets it`(field: String, url: String, sent: String?) throws {
    #expect(try jar([field]).field(adding: nil, for: WebAddress(url)) == sent)
  }

  @Test(arguments: [
    ("http", "a=1; Path=/; Secure", nil), ("https", "__Secure-a=1; Path=/", nil),
    ("https", "__Secure-a=1; Path=/; Secure", "__Secure-a=1"), ("https", "__Host-a=1; Path=/", nil),
    ("https", "__Host-a=1; Path=/; Secure; Domain=example.com", nil), ("https", "__host-a=1; Path=/a; Secure", nil),
    ("https", "__Host-a=1; Path=/; Secure", "__Host-a=1"), ("http", "__Host-a=1; Path=/; Secure", nil),
  ])
  func `a cookie is what its name and attributes promise`(scheme: String, field: String, sent: String?) throws {
    let jar = try jar([field], from: "\(scheme)://shop.example.com/a/b/c")

    #expect(try jar.field(adding: nil, for: WebAddress("https://shop.example.com/a/")) == sent)
  }

  @Test(arguments: ["a=evil; Path=/", "a=evil; Path=/b", "a=evil; Path=/; Domain=example.com"])
  func `what is set in the clear does not stand before a secure cookie`(field: String) throws {
    var jar = try jar(["a=1; Path=/; Secure"])
    let head = AnswerHead(
      status: 302, headers: [HTTPField("Set-Cookie", field), HTTPField("Set-Cookie", "b=2; Path=/")])

    jar.take(head, from: try WebAddress("http://shop.example.com/b/c"))

    #expect(try jar.field(adding: nil, for: WebAddress("https://shop.example.com/b/c")) == "a=1; b=2")
  }

  @Test func `a later cookie replaces an earlier one, and longer paths go first`() throws {
    let jar = try jar(["a=1; Path=/", "b=2; Path=/a", "a=3; Path=/", "c=4; Path=/a/b"])

    #expect(try jar.field(adding: nil, for: WebAddress("https://shop.example.com/a/b")) == "c=4; b=2; a=3")
  }

  @Test func `the client's own cookies go along, unless a server has set them anew`() throws {
    let jar = try jar(["a=new; Path=/"])

    #expect(try jar.field(adding: "x=1; a=old;y=2", for: WebAddress("https://shop.example.com/")) == "x=1; y=2; a=new")
    #expect(try jar.field(adding: "x=1", for: WebAddress("https://example.org/")) == "x=1")
    #expect(
      try jar.field(adding: "x=\u{600}; a=\u{301}old", for: WebAddress("https://shop.example.com/"))
        == "x=\u{600}; a=new")
  }

  @Test func `a cookie for a country's short label or an address stays with its host, one for a label goes`() throws {
    let british = try jar(["a=1; Path=/; Domain=co.uk"], from: "https://shop.co.uk/")
    let address = try jar(["a=1; Path=/; Domain=127.0.0.1", "b=1; Domain=0.0.1"], from: "https://127.0.0.1/")
    let label = try jar(["a=1; Path=/; Domain=uk"], from: "https://shop.co.uk/")

    #expect(try british.field(adding: nil, for: WebAddress("https://bank.co.uk/")) == nil)
    #expect(try british.field(adding: nil, for: WebAddress("https://shop.co.uk/")) == "a=1")
    #expect(try address.field(adding: nil, for: WebAddress("https://127.0.0.1/")) == "a=1")
    #expect(try label.field(adding: nil, for: WebAddress("https://shop.co.uk/")) == nil)
  }

  @Test func `a flood of cookies stays within bounds`() throws {
    let jar = try jar((0..<1000).map { "c\($0)=1; Path=/" } + ["big=\(String(repeating: "x", count: 10_000)); Path=/"])

    let pairs = jar.pairs(for: try WebAddress("https://shop.example.com/"))

    #expect(pairs.count == 50)
    #expect(!pairs.contains { $0.name == "big" })
  }
}

@Suite(.timeLimit(.minutes(2))) struct CookieTests {
  @Test func `a cookie that a redirect sets opens the door behind it, and stays at its host`() async throws {
    try await withWorkshop { workshop, server in
      let other = try await HTTPTestServer.start()
      other.play("/x", .answer(status: 200))
      server.play("/login", .answer(status: 302, headers: ["Location": "/file", "Set-Cookie": "session=s; Path=/"]))
      server.play("/file", .redirect(to: "http://localhost:\(other.port)/x"))

      try await workshop.run(.download(server.url("/login")) { $0.headers = [HTTPField("Cookie", "own=1")] })
      let (door, far) = (server.requests("/file").first, other.requests("/x").first)
      try await other.stop()

      #expect(door?.headers["cookie"] == "own=1; session=s")
      #expect(far != nil && far?.headers["cookie"] == nil)
    }
  }

  @Test func `a cookie that comes with the question for a password goes along with the answer`() async throws {
    try await withWorkshop { workshop, server in
      let challenge = "Digest realm=\"r\", qop=\"auth\", algorithm=MD5, nonce=\"n\""
      server.play(
        "/x", .answer(status: 401, headers: ["WWW-Authenticate": challenge, "Set-Cookie": "visit=7; Path=/"]),
        .answer(status: 200, body: "here"))

      let facts = try await workshop.run(.download("http://anna:sesame@127.0.0.1:\(server.port)/x"))

      #expect(facts.response?.status == 200)
      #expect(server.requests("/x").map { $0.headers["cookie"] } == [nil, "visit=7"])
    }
  }

  @Test func `a redirect to the same place is followed where a cookie was set on the way, and only then`() async throws
  {
    try await withWorkshop { workshop, server in
      let back = ["Location": "/file", "Set-Cookie": "seen=1; Path=/"]
      server.play("/file", .answer(status: 302, headers: back), .answer(status: 200, body: "here"))
      server.play("/wall", .answer(status: 302, headers: ["Location": "/wall", "Set-Cookie": "seen=1; Path=/"]))

      let opened = try await workshop.run(.download(server.url("/file")))
      let circling = try await workshop.run(.download(server.url("/wall"), id: 2))

      #expect(opened.response?.status == 200)
      #expect(server.requests("/file").map { $0.headers["cookie"] } == [nil, "seen=1"])
      #expect(circling.failure?.code == .tooManyRedirects)
      #expect(server.requests("/wall").count == 2)
    }
  }

  @Test(arguments: [
    "Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "PRIVATE-TOKEN", "X-Amz-Security-Token", "Api-Secret",
    "X-CSRF-Token", "Proxy-Authorization", "X-Password",
  ])
  func `a field that speaks for the client stays with its origin`(name: String) throws {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "https://h/")
    request.headers = [HTTPField(name, "s"), HTTPField("X-Author", "me"), HTTPField("Accept", "*/*")]
    for elsewhere in ["https://h:8443/", "http://h/", "https://www.h/", "//other/"] {
      var near = try Itinerary(request, redirectsMax: 20)
      var far = near

      try near.follow(status: 302, location: "/next")
      try far.follow(status: 302, location: elsewhere)

      #expect(near.headers[field: name] == "s")
      #expect(far.headers.map(\.name) == ["X-Author", "Accept"], "\(elsewhere)")
    }
  }
}
