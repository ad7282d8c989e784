import HTTPTypes
import Testing

@testable import NightjarHome

@Suite struct GatekeeperTests {
  private static func request(host: String?, _ fields: [String: String] = [:]) -> HTTPRequest {
    var request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
    for (name, value) in fields { request.headerFields[HTTPField.Name(name)!] = value }
    return request
  }

  private static func refusal(of request: HTTPRequest, port: Int = 4711) -> String? {
    do throws(Refusal) { try Gatekeeper.check(request, port: port) } catch { return error.code }
    return nil
  }

  @Test(arguments: [
    nil, "", "127.0.0.1", "127.0.0.1:80", "localhost", "evil.example:4711", "127.0.0.1.evil.example:4711", "[::1]:4711",
    "0.0.0.0:4711", "127.0.0.1:4711:4711", "user@127.0.0.1:4711",
  ])
  func `a name that somebody else has pointed here is not answered to`(host: String?) {
    let request = Self.request(host: host)

    let refusal = Self.refusal(of: request)

    #expect(refusal == "wrongHost")
  }

  @Test(arguments: ["127.0.0.1:4711", "evil.example"])
  func `a request that names a second host is refused`(second: String) {
    let request = Self.request(host: "127.0.0.1:4711", ["Host": second])

    let refusal = Self.refusal(of: request)

    #expect(refusal == "twoHosts")
  }

  @Test(arguments: [
    ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:4712"],
    ["Origin": "https://127.0.0.1:4711"], ["Origin": "http://localhost:4711"], ["Sec-Fetch-Site": "cross-site"],
    ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"],
    ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"],
  ])
  func `another site's page is refused`(fields: [String: String]) {
    let request = Self.request(host: "127.0.0.1:4711", fields)

    let refusal = Self.refusal(of: request)

    #expect(refusal == "wrongOrigin")
  }

  @Test(arguments: [
    [:], ["Origin": "http://127.0.0.1:4711"], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
    ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
  ])
  func `our own page and a person who comes by a link are let through`(fields: [String: String]) {
    let request = Self.request(host: "127.0.0.1:4711", fields)

    let refusal = Self.refusal(of: request)

    #expect(refusal == nil)
  }

  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1"), ("127.0.0.1:80", "http://127.0.0.1:80"), ("localhost", "http://localhost"),
    ("127.0.0.1:80", "http://127.0.0.1"),
  ])
  func `at HTTP's own port the page is let through as browsers name it, without the port`(host: String, origin: String)
  {
    let request = Self.request(host: host, ["Origin": origin])

    let refusal = Self.refusal(of: request, port: 80)

    #expect(refusal == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:81", nil), ("evil.example", nil), ("127.0.0.1", "http://127.0.0.1:81"),
    ("127.0.0.1", "https://127.0.0.1"),
    ("127.0.0.1", "http://localhost"), ("127.0.0.1", "null"),
  ])
  func `at HTTP's own port others are refused as well`(host: String, origin: String?) {
    let request = Self.request(host: host, origin.map { ["Origin": $0] } ?? [:])

    let refusal = Self.refusal(of: request, port: 80)

    #expect(refusal == (origin == nil ? "wrongHost" : "wrongOrigin"))
  }

  @Test func `the page under its other name is let through too`() {
    let request = Self.request(host: "LOCALHOST:4711", ["Origin": "http://localhost:4711"])

    let refusal = Self.refusal(of: request)

    #expect(refusal == nil)
  }
}
