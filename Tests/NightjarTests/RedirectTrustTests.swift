import Foundation
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

@Suite struct RedirectTrustTests {
  @Test(arguments: [
    ("https://h.example/a", "https://h.example/b", true),
    ("https://h.example/a", "https://H.example:443/b", true),
    ("http://h.example:80/a", "HTTP://h.example/b", true),
    ("https://h.example/a", "http://h.example/b", false),
    ("http://h.example/a", "https://h.example/b", true),
    ("http://h.example/a", "https://other.example/b", false),
    ("http://h.example:8080/a", "https://h.example/b", false),
    ("https://h.example:8443/a", "http://h.example:8443/b", false),
    ("https://h.example/a", "https://h.example:8443/b", false),
    ("https://h.example/a", "https://other.example/b", false),
  ])
  func `what speaks for the app stays with a scheme, a host and a port, or goes from there to its TLS`(
    from: String, to: String, goes: Bool
  ) throws {
    var request = URLRequest(url: try #require(URL(string: to)))
    let bound = ["Authorization", "Cookie", "Proxy-Authorization", "Private-Token", "X-Api-Key", "X-Auth", "Host"]
    for name in bound + ["X-Kept"] { request.setValue("1", forHTTPHeaderField: name) }

    let next = request.trusted(after: URL(string: from))

    #expect(Set((next.allHTTPHeaderFields ?? [:]).keys) == Set((goes ? bound : []) + ["X-Kept"]))
  }
}
