import NightjarModel
import Testing

@testable import NightjarTransfer

@Suite struct `The reading of a challenge` {
  @Test func `takes apart what stands in one field or in several`() {
    let fields = [
      HTTPField(
        "WWW-Authenticate", "Negotiate, Basic realm=\"a, \\\"b\\\"\", Digest nonce=abc , qop=\"auth,auth-int\""),
      HTTPField("www-authenticate", "Bearer"),
    ]

    let schemes = AuthScheme.all(in: fields, named: "www-authenticate")

    #expect(schemes.map(\.name) == ["negotiate", "basic", "digest", "bearer"])
    #expect(schemes[1].parameters == ["realm": "a, \"b\""])
    #expect(schemes[2].parameters == ["nonce": "abc", "qop": "auth,auth-int"])
  }

  @Test(arguments: [false, true])
  func `takes nonces for stale in a row only as long as no request was let through`(isLetThrough: Bool) throws {
    let keeper = Gatekeeper.server(try WebAddress("http://films.example/").origin)
    let own = Credentials.Own(keeper: keeper, user: "anna", password: "secret")
    var credentials = Credentials(.download("http://films.example/"), own: own)

    let answers = (1...20).map { number -> Credentials.Next in
      let field = HTTPField("WWW-Authenticate", "Digest realm=\"r\", nonce=\"\(number)\", qop=\"auth\", stale=true")
      let next = credentials.read(
        AnswerHead(status: 401, headers: [field]), of: keeper, url: "http://films.example/")
      if isLetThrough { credentials.satisfied(keeper) }
      return next
    }

    #expect(answers.contains(.settle) == !isLetThrough)
  }

  @Test(arguments: ["", ",,,", "=", "Basic realm=\"", "Basic =", "\"", "a=b=c", String(repeating: "x ,", count: 5000)])
  func `survives nonsense, within bounds`(value: String) {
    let schemes = AuthScheme.all(in: [HTTPField("WWW-Authenticate", value)], named: "www-authenticate")

    #expect(schemes.count <= 16)
  }

  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func `proves a password as RFC 7616, section 3.9.1, has it`(algorithm: String, proof: String) throws {
    let scheme = AuthScheme(
      name: "digest",
      parameters: [
        "realm": "http-auth@example.org", "qop": "auth, auth-int", "algorithm": algorithm,
        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
      ])
    var digest = try #require(DigestChallenge(scheme))

    let field = digest.field(
      user: "Mufasa", password: "Circle of Life", method: "GET", target: "/dir/index.html",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")

    #expect(field.contains("response=\"\(proof)\""))
    #expect(field.contains("nc=00000001"))
  }

  @Test func `keeps to the secret of a session's first request, with a new client nonce for each`() throws {
    let parameters = ["realm": "r", "nonce": "n", "qop": "auth", "algorithm": "MD5-sess"]
    var digest = try #require(DigestChallenge(AuthScheme(name: "digest", parameters: parameters)))
    let alike: (DigestChallenge.Algorithm, [UInt8]) -> [UInt8] = { _, bytes in bytes }  // Nothing is hidden.
    func hex(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined() }

    let proofs = ["c1", "c2"].map { nonce in
      digest.field(user: "u", password: "p", method: "GET", target: "/", clientNonce: nonce, hash: alike)
    }

    let secret = hex("\(hex("u:r:p")):n:c1")
    let used = zip(proofs, [("00000001", "c1"), ("00000002", "c2")])
    for (proof, (count, nonce)) in used {
      #expect(proof.contains("response=\"\(hex("\(secret):n:\(count):\(nonce):auth:\(hex("GET:/"))"))\""))
    }
  }

  @Test func `leaves alone what it does not know`() {
    let unknown = AuthScheme(name: "digest", parameters: ["nonce": "n", "algorithm": "SHA-512-256"])
    let integrity = AuthScheme(name: "digest", parameters: ["nonce": "n", "qop": "auth-int"])

    #expect(DigestChallenge(unknown) == nil && DigestChallenge(integrity) == nil)
  }

  @Test(arguments: ["realm", "nonce", "opaque"], ["\r\nX: y", "\n", "\0", "\u{7F}"])
  func `takes no words that cannot be said back`(parameter: String, words: String) {
    let scheme = AuthScheme(
      name: "digest", parameters: ["realm": "r", "nonce": "n", "opaque": "o"].merging([parameter: words]) { $1 })

    #expect(DigestChallenge(scheme) == nil)
  }

  @Test func `leaves no quotation mark open, whatever follows it`() throws {
    let scheme = AuthScheme(name: "digest", parameters: ["realm": "a\"\u{301}, x=\"y", "nonce": "n"])
    var digest = try #require(DigestChallenge(scheme))

    let field = digest.field(user: "u", password: "p", method: "GET", target: "/", clientNonce: "c")

    #expect(field.contains("realm=\"a\\\"\u{301}, x=\\\"y\""))
  }
}
