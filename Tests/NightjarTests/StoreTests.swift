import Foundation
import Synchronization
import Testing

import class FoundationNetworking.CachedURLResponse
import class FoundationNetworking.HTTPCookie
import class FoundationNetworking.HTTPCookieStorage
import class FoundationNetworking.URLCache
import class FoundationNetworking.URLCredential
import class FoundationNetworking.URLCredentialStorage
import class FoundationNetworking.URLProtectionSpace
import class FoundationNetworking.URLResponse

@testable import Nightjar

/// The stores' methods that take a task.
@Suite struct StoreTests {
  private let task = URLSession(configuration: .ephemeral).dataTask(with: World.film)

  @Test func `a cache keeps a response for a task's request`() async {
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let response = URLResponse(url: World.film, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)

    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("x".utf8)), for: task)
    let kept = await cache.cachedResponse(for: task)
    cache.removeCachedResponse(for: task)
    let left = await cache.cachedResponse(for: task)

    #expect(kept?.data == Data("x".utf8) && left == nil)
  }

  @Test func `a cookie store takes a server's cookies for a task, and gives those that are sent`() async throws {
    let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    let cookies = [("own", "films.example", "/"), ("deep", "films.example", "/deep"), ("alien", "other.example", "/")]
      .compactMap { HTTPCookie(properties: [.name: $0.0, .value: "1", .domain: $0.1, .path: $0.2]) }

    storage.storeCookies(cookies, for: task)
    let told = Mutex<[String]?>(nil)
    storage.getCookiesFor(task) { found in told.withLock { $0 = found?.map(\.name) } }

    #expect(Set(storage.cookies?.map(\.name) ?? []) == ["own", "deep"])
    #expect(await storage.cookies(for: task)?.map(\.name) == ["own"])
    #expect(told.withLock { $0 } == ["own"])
  }

  @Test func `a credential store finds what it keeps by an equal space`() async {
    let storage = URLCredentialStorage()
    let (ann, bob) = (credential("ann"), credential("bob"))

    storage.set(ann, for: space(), task: task)
    storage.setDefaultCredential(bob, for: space(), task: task)
    let all = await storage.credentials(for: space(), task: task)
    let first = await storage.defaultCredential(for: space(), task: task)
    storage.remove(
      bob, for: space(), options: [NSURLCredentialStorageRemoveSynchronizableCredentials: true], task: task)
    let told = Mutex<[String]>([])
    storage.getCredentials(for: space(), task: task) { found in told.withLock { $0 = (found ?? [:]).keys.sorted() } }
    storage.getDefaultCredential(for: space(), task: task) { found in
      if let user = found?.user { told.withLock { $0.append("\(user) first") } }
    }

    #expect(all?.keys.sorted() == ["ann", "bob"] && first?.user == "bob")
    #expect(told.withLock { $0 } == ["ann"])
  }

  private func credential(_ user: String) -> URLCredential {
    URLCredential(user: user, password: "s3cret", persistence: .forSession)
  }

  /// A new object each time.
  private func space() -> URLProtectionSpace {
    URLProtectionSpace(
      host: "films.example", port: 80, protocol: "http", realm: "films", authenticationMethod: nil)
  }
}
