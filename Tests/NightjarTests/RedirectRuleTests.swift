import Foundation
import Testing

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Where redirects take the requests of tasks in this process.
@Suite struct RedirectRuleTests {
  private func next(
    _ location: String, _ status: Int = 302, after method: String = "GET",
    at url: String = "http://h.example:81/dir/film?page=1"
  ) throws -> URLRequest? {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    if method != "GET" && method != "HEAD" { request.httpBody = Data("body".utf8) }
    for name in ["Content-Type", "Accept"] { request.setValue("text/html", forHTTPHeaderField: name) }
    let redirect = HTTPURLResponse(
      url: try #require(request.url), statusCode: status, httpVersion: nil, headerFields: ["Location": location])
    return request.following(try #require(redirect))
  }

  @Test(arguments: [
    ("next", "http://h.example:81/dir/next"), ("./next", "http://h.example:81/dir/next"),
    ("../next", "http://h.example:81/next"), ("?page=2", "http://h.example:81/dir/film?page=2"),
    ("/a%2Fb", "http://h.example:81/a%2Fb"), ("/100%25", "http://h.example:81/100%25"),
    ("/a%2Fb ä", "http://h.example:81/a%2Fb%20%C3%A4"),
    ("?id[]=1&b=%7C", "http://h.example:81/dir/film?id%5B%5D=1&b=%7C"), ("//[::1]/a%2F", "http://[::1]/a%2F"),
    ("http://[::1]/?id[]=1&b=%7C", "http://[::1]/?id%5B%5D=1&b=%7C"),
    ("?n=//[x]&b=%7C", "http://h.example:81/dir/film?n=//%5Bx%5D&b=%7C"),
    ("/100% a%2Fb%", "http://h.example:81/100%25%20a%2Fb%25"),
    ("//other.example/a", "http://other.example/a"), ("HTTPS://h.example/a%2Fb", "HTTPS://h.example/a%2Fb"),
    ("http://anna:secret@h.example/a%2Fb?c", "http://h.example/a%2Fb?c"),
    ("http://anna@h.example/", "http://h.example/"),
  ])
  func `a location is read as a reference, and nobody's name and password with it`(location: String, url: String) throws
  {
    let next = try next(location)

    #expect(next?.url?.absoluteString == url)
  }

  @Test(arguments: ["file:///etc/passwd", "data:,film", "ftp://h.example/film", "http://", "mailto:anna@h.example", ""])
  func `a location that HTTP does not load leads nowhere`(location: String) throws {
    let next = try next(location)

    #expect(next == nil)
  }

  @Test(arguments: [
    ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("POST", 307, "POST"), ("POST", 308, "POST"),
    ("PUT", 301, "PUT"), ("PUT", 302, "PUT"), ("PUT", 303, "GET"), ("PATCH", 307, "PATCH"), ("DELETE", 303, "GET"),
    ("HEAD", 302, "HEAD"), ("HEAD", 303, "HEAD"), ("GET", 303, "GET"),
  ])
  func `what becomes a GET leaves its body and the fields about it behind`(
    method: String, status: Int, then: String
  ) throws {
    let next = try #require(try next("/b", status, after: method))

    #expect(next.httpMethod == then && next.value(forHTTPHeaderField: "Accept") == "text/html")
    let sends = method == then
    #expect((next.httpBody != nil) == (sends && !next.isReading))
    #expect((next.value(forHTTPHeaderField: "Content-Type") != nil) == sends)
  }
}
