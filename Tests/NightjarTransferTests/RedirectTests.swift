import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is followed to the file`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/a/b", .redirect(status: status, to: "../file/7/1000"))

      let facts = try await workshop.run(.download(server.url("/a/b")))

      #expect(facts.response?.url == server.url("/file/7/1000"))
      #expect(Disk.read(workshop.part()) == Content(seed: 7, size: 1000).bytes)
    }
  }

  @Test func `redirects in circles end`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/a", .redirect(to: "/b"))
      server.play("/b", .redirect(to: "/a"))

      let facts = try await workshop.run(.download(server.url("/a")))

      #expect(facts.failure?.code == .tooManyRedirects)
      #expect(server.requests("/a").count == 1)
    }
  }

  @Test func `redirects without end stop at the bound`() async throws {
    try await withWorkshop(settings: { $0.redirectsMax = 3 }) { workshop, server in
      for step in 0..<5 { server.play("/\(step)", .redirect(to: "/\(step + 1)")) }

      let facts = try await workshop.run(.download(server.url("/0")))

      #expect(facts.failure?.code == .tooManyRedirects)
      #expect(server.requests("/4").isEmpty)
    }
  }

  @Test(arguments: ["ftp://elsewhere/x", "javascript:alert(1)", "http://"])
  func `a redirect to where HTTP does not lead is refused`(location: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/a", .redirect(to: location))
      let facts = try await workshop.run(.download(server.url("/a")))

      #expect(facts.failure?.code == .badRedirect)
    }
  }

  @Test func `credentials stay with the origin they were meant for`() async throws {
    try await withWorkshop { workshop, server in
      let other = try await HTTPTestServer.start()
      other.play("/x", .answer(status: 200))
      server.play("/a", .redirect(to: "/b"))
      server.play("/b", .redirect(to: other.url("/x")))

      try await workshop.run(
        .download(server.url("/a")) {
          $0.headers = [HTTPField("authorization", "s"), HTTPField("Cookie", "c"), HTTPField("X-Own", "1")]
        })
      let (near, far) = (server.requests("/b").first?.headers, other.requests("/x").first?.headers)
      try await other.stop()

      #expect(near?["authorization"] == "s" && near?["cookie"] == "c")
      #expect(far?["authorization"] == nil && far?["cookie"] == nil && far?["x-own"] == "1")
    }
  }

  @Test func `a redirect to another origin can be stopped on its way`() async throws {
    try await withWorkshop { workshop, server in
      let others = try await [HTTPTestServer.start(), HTTPTestServer.start(), HTTPTestServer.start()]
      for (number, other) in others.enumerated() {
        other.play("/x", .silence)
        server.play("/\(number)", .redirect(to: other.url("/x")))
        let order = TransferOrder.download(server.url("/\(number)"), id: Int64(number + 1))
        workshop.engine.start(order)
        workshop.engine.stop(order.id, attempt: 1)
        #expect(try await workshop.end(of: order).last == .stopped)
      }
      for other in others { try await other.stop() }
    }
  }

  @Test func `the rest of a file is asked for behind a redirect too`() async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 7, size: 1000)
      Disk.write(content.bytes(0..<600), to: workshop.part())
      let resume = ResumePoint(offset: 600, validator: .entityTag("\"7-1000\""), length: 1000)

      try await workshop.run(.download(server.url("/redirect/file/7/1000"), resume: resume))

      #expect(server.requests("/file/7/1000").first?.headers["range"] == "bytes=600-")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }
}

struct ItineraryTests {
  @Test(
    arguments: [
      ("http://h:80", "http://h/u", true, true), ("http://a:80", "http://h/u", false, false),
      (nil, "http://h/u", false, false), ("http://h:80", "http://a/u", false, true),
      ("http://a:80", "http://a/u", false, true), ("http://a:80", "http://b/u", false, false),
      ("http://h:80", "http://h:8080/u", false, true), ("https://h:443", "http://h/u", false, false),
    ] as [(String?, String, Bool, Bool)])
  func `what goes along to an upload's place depends on who named it`(
    namer: String?, place: String, isOwn: Bool, showsCredentials: Bool
  ) throws {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "http://u:p@h/")
    request.body = [1]
    request.headers = [HTTPField("Cookie", "c=1"), HTTPField("Accept", "*/*"), HTTPField("X", "y")]
    var itinerary = try Itinerary(request, redirectsMax: 20)
    itinerary.takeCookies(AnswerHead(status: 307, headers: [HTTPField("Set-Cookie", "d=2")]))

    let side = itinerary.visiting(try WebAddress(place), namedBy: namer, method: "PATCH")

    #expect(side.headers.map(\.name) == (isOwn ? ["Cookie", "Accept", "X", "Authorization"] : ["Accept"]))
    #expect(side.cookies == (isOwn ? "c=1; d=2" : nil))
    #expect(side.showsCredentials == showsCredentials)
  }

  @Test func `nobody answers for what is named at the client's server once the way has led over another`() throws {
    var itinerary = try itinerary("PUT", upload: true)
    var namers = [itinerary.namer]
    for location in ["/x", "http://a/", "http://a/x", "http://h/y"] {
      try itinerary.follow(status: 307, location: location)
      namers.append(itinerary.namer)
    }

    #expect(namers == ["http://h:80", "http://h:80", "http://a:80", "http://a:80", nil])
  }

  private func itinerary(_ method: String, upload: Bool = false) throws -> Itinerary {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "http://h/")
    (request.method, request.body) = (method, Array("body".utf8))
    request.headers = [HTTPField("Content-Type", "text/plain"), HTTPField("X", "y")]
    return try Itinerary(request, redirectsMax: 20)
  }

  @Test(arguments: [
    ("TOKEN", "VE9LRU46"), ("TOKEN:", "VE9LRU46"), ("a:b", "YTpi"), (":b", "OmI="),
  ])
  func `a name in the URL is sent with a colon, with or without a password`(userinfo: String, sent: String) throws {
    let request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "https://\(userinfo)@h/")

    #expect(try Itinerary(request, redirectsMax: 20).headers[field: "Authorization"] == "Basic \(sent)")
  }

  @Test(arguments: [("http", false, false), ("http", true, true), ("https", false, true), ("https", true, true)])
  func `a password in the URL is sent unasked where it goes encrypted or a body goes with it`(
    scheme: String, hasBody: Bool, isSent: Bool
  ) throws {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "\(scheme)://u:p@h/")
    if hasBody { request.body = [1] }
    var itinerary = try Itinerary(request, redirectsMax: 20)
    let wasSent = itinerary.headers[field: "Authorization"] != nil

    #expect(wasSent == isSent && itinerary.own?.isShown == isSent)
    try itinerary.follow(status: 303, location: "https://elsewhere/")
    #expect(itinerary.headers[field: "Authorization"] == nil && itinerary.own?.isShown == false)
  }

  @Test(arguments: [
    ("POST", 301, "GET", false), ("POST", 302, "GET", false), ("POST", 303, "GET", false), ("POST", 307, "POST", true),
    ("POST", 308, "POST", true), ("PUT", 301, "PUT", true), ("PUT", 302, "PUT", true), ("PUT", 303, "GET", false),
    ("HEAD", 303, "HEAD", true), ("DELETE", 307, "DELETE", true),
  ])
  func `the method after a redirect is the one that RFC 9110 says`(
    method: String, status: Int, next: String, sendsBody: Bool
  ) throws {
    var itinerary = try itinerary(method)

    try itinerary.follow(status: status, location: "/next")

    #expect(itinerary.method == next)
    #expect(itinerary.sendsBody == sendsBody)
    #expect(itinerary.headers.contains(HTTPField("X", "y")))
    #expect((itinerary.headers[field: "Content-Type"] != nil) == sendsBody)
  }

  /// The last leads to a page, without the body.
  @Test(arguments: [("PUT", 307, true), ("POST", 308, true), ("PUT", 302, true), ("POST", 303, false)])
  func `a body that went encrypted goes nowhere in the clear`(method: String, status: Int, isRefused: Bool) throws {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "https://h/")
    (request.method, request.body) = (method, Array("body".utf8))
    var itinerary = try Itinerary(request, redirectsMax: 20)
    try itinerary.follow(status: 307, location: "https://h/x")

    var failure: TransferFailure?
    do { try itinerary.follow(status: status, location: "http://there/") } catch { failure = error }

    #expect((failure?.code == .badRedirect) == isRefused)
    #expect((failure?.detail.contains("from https to http (there)") == true) == isRefused)
  }

  @Test func `a download may lead out of https`() throws {
    let request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "https://h/")
    var itinerary = try Itinerary(request, redirectsMax: 20)

    try itinerary.follow(status: 307, location: "http://h/")

    #expect(itinerary.address.scheme == .http)
  }

  @Test func `leaving https drops credentials`() throws {
    var request = TransferRequest(key: RequestKey(high: 0, low: 1), app: AppID("a"), url: "https://u:p@h/")
    request.headers = [HTTPField("Cookie", "c")]
    var itinerary = try Itinerary(request, redirectsMax: 20)

    try itinerary.follow(status: 302, location: "http://h/")

    #expect(itinerary.headers.isEmpty)
  }
}

struct WebAddressTests {
  @Test(arguments: [
    ("http://h", "http://h/"), ("HTTP://Host.Example:80/a?b#c", "http://host.example/a?b"),
    ("https://h:443/x", "https://h/x"), ("https://h:8443", "https://h:8443/"), ("http://u:p@h/x", "http://h/x"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://h/a b|é", "http://h/a%20b%7C%C3%A9"),
    ("http://h?q", "http://h/?q"), ("http://h/a/./b/../c", "http://h/a/c"), ("http://h/%41", "http://h/%41"),
  ])
  func `a URL is read as it is meant`(text: String, read: String) throws {
    #expect(try WebAddress(text).text == read)
  }

  /// The examples of RFC 3986, section 5.4.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
    ("https://b/x", "https://b/x"),
  ])
  func `a reference leads where RFC 3986 says`(reference: String, target: String) throws {
    #expect(try WebAddress("http://a/b/c/d;p?q").resolving(reference).text == target)
  }
}
