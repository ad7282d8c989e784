import Foundation
import Testing

import class FoundationNetworking.HTTPCookie

@testable import Nightjar

/// RFC 6265, as far as FoundationNetworking leaves it to us.
@Suite struct CookieRuleTests {
  @Test(
    arguments: [
      ("www.films.example", "films.example", ".films.example"),
      ("www.films.example", ".Films.Example", ".films.example"),
      ("films.example", "films.example", ".films.example"),
      ("www.films.example", "", "www.films.example"),
      ("films.example", "www.films.example", nil),
      ("notfilms.example", "films.example", nil),
      ("films.example", "example", nil),
      ("films", "films", "films"),
      ("films.co.uk", "co.uk", "films.co.uk"),
      ("192.0.2.7", "192.0.2.7", "192.0.2.7"),
      ("192.0.2.7", "0.2.7", nil),
      ("films.example", "192.0.2.7", nil),
    ] as [(String, String, String?)])
  func `a cookie's domain is one that its server has a say over`(host: String, said: String, kept: String?) throws {
    let field = "seen=1; Secure; HttpOnly; Expires=Wed, 01 Jan 2098 00:00:00 GMT; Domain=\(said)"
    let url = try #require(URL(string: "http://\(host)/"))
    let cookie = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url).first

    let assigned = cookie?.assigned(by: host)

    #expect(cookie != nil && assigned?.domain == kept)
    if let assigned { #expect(assigned.isSecure && assigned.isHTTPOnly && assigned.expiresDate == cookie?.expiresDate) }
  }

  @Test func `a cookie without a domain is its host's alone`() throws {
    let url = try #require(URL(string: "http://films.example/"))
    let cookie = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": "seen=1"], for: url).first

    #expect(cookie?.assigned(by: "films.example")?.domain == "films.example")
    #expect(cookie?.assigned(by: "www.films.example") == nil)
  }

  @Test(
    arguments: [
      ("Max-Age=60", 1060), ("max-age=60; Expires=Wed, 01 Jan 2020 00:00:00 GMT", 1060), ("Max-Age=soon", nil),
      ("Max-Age=9000000000000000000", 1_000_001_000),
      ("Max-Age=0", Date.distantPast.timeIntervalSince1970),
      ("Max-Age=-1; Expires=Wed, 01 Jan 2098 00:00:00 GMT", Date.distantPast.timeIntervalSince1970),
    ] as [(String, TimeInterval?)])
  func `Max-Age counts from now, whatever Expires says`(said: String, end: TimeInterval?) throws {
    let field = "seen=1; HttpOnly; Path=/all; Domain=films.example; \(said)"
    let url = try #require(URL(string: "http://www.films.example/"))
    let cookie = try #require(HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url).first)

    let dated = cookie.dated(from: Date(timeIntervalSince1970: 1000))

    #expect(dated.expiresDate?.timeIntervalSince1970 == end)
    #expect(dated.domain == ".films.example" && dated.path == "/all" && dated.value == "1" && dated.isHTTPOnly)
  }

  private func cookie(path: String = "/", expires: Date? = nil) throws -> HTTPCookie {
    let usual = HTTPCookie(properties: [
      .name: "seen", .value: "1", .domain: "films.example", .path: path, .expires: expires ?? Date.distantFuture,
    ])
    return try #require(usual)
  }

  @Test(arguments: [
    ("/", "", true), ("/", "/1", true), ("/admin", "/admin", true), ("/admin", "/admin/1", true),
    ("/admin/", "/admin/", true), ("/admin/", "/admin", false), ("/admin", "/administrator", false),
    ("/admin", "/", false), ("/admin", "/1?/admin", false),
  ])
  func `a cookie goes to its path and what lies below`(path: String, asked: String, goes: Bool) throws {
    let url = try #require(URL(string: "http://films.example\(asked)"))

    #expect(try cookie(path: path).belongs(to: url, at: Date(timeIntervalSince1970: 0)) == goes)
  }

  @Test func `a cookie goes nowhere once it has expired`() throws {
    let cookie = try cookie(expires: Date(timeIntervalSince1970: 1000))

    #expect(cookie.belongs(to: World.film, at: Date(timeIntervalSince1970: 999)))
    #expect(!cookie.belongs(to: World.film, at: Date(timeIntervalSince1970: 1000)))
  }
}
