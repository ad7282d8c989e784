import Foundation
import ScriptedServer
import Testing

import class FoundationNetworking.CachedURLResponse
import class FoundationNetworking.HTTPURLResponse
import class FoundationNetworking.NSURLRequest
import class FoundationNetworking.URLCache
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What the cache of a session in this process is good for.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessCacheTests: LoopbackSuite {
  typealias Policy = NSURLRequest.CachePolicy

  /// A configuration whose cache has an old answer, if there is one.
  private func configuration(_ kept: String?, for url: URL) throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    configuration.urlCache = cache
    guard let kept else { return configuration }
    let age = ["Cache-Control": "max-age=1", "Date": "Mon, 06 Nov 2023 08:49:37 GMT"]
    let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: age)
    let answer = CachedURLResponse(response: try #require(response), data: Data(kept.utf8))
    cache.storeCachedResponse(answer, for: URLRequest(url: url))
    return configuration
  }

  @Test(
    arguments: [
      (.returnCacheDataElseLoad, "old"), (.returnCacheDataDontLoad, "old"), (.useProtocolCachePolicy, "new"),
      (.reloadIgnoringLocalCacheData, "new"), (.reloadIgnoringLocalAndRemoteCacheData, "new"),
    ] as [(Policy, String)], [true, false])
  func `what the app has kept is the answer where the policy says so`(
    wanted: (policy: Policy, body: String), ofSession: Bool
  ) async throws {
    try await withServer { server in
      server.play("/page", .answer(status: 200, body: "new"))
      let configuration = try configuration("old", for: url("/page", server))
      var request = URLRequest(url: url("/page", server))
      if ofSession { configuration.requestCachePolicy = wanted.policy } else { request.cachePolicy = wanted.policy }
      let listener = Listener()

      let (data, response) = try await session(listener, configuration).data(for: request)
      let (file, _) = try await session(listener, configuration).download(for: request)

      #expect(String(decoding: data, as: UTF8.self) == wanted.body)
      #expect(try String(contentsOf: file, encoding: .utf8) == wanted.body)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(server.requests("/page").count == (wanted.body == "old" ? 0 : 2))
      #expect((listener.metrics?.transactionMetrics.last?.resourceFetchType == .localCache) == (wanted.body == "old"))
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test(arguments: [URLSession.ResponseDisposition.cancel, .allow])
  func `what is cancelled at its head has no body, though all of it is at hand`(
    disposition: URLSession.ResponseDisposition
  ) async throws {
    let configuration = try configuration("old", for: World.film)
    configuration.requestCachePolicy = .returnCacheDataDontLoad
    let kept = Kept<URLSessionTask>()
    let listener = Listener(
      answers: .init(toResponse: { answer in
        if disposition == .allow { kept.value?.cancel() }
        answer(disposition)
      }))
    let task = session(listener, configuration).dataTask(with: World.film)
    kept.value = task

    task.resume()
    let heard = try await listener.whole()

    #expect(heard == ["1 created", "response 200", "metrics", "failed -999"] && listener.data.isEmpty)
  }

  @Test func `nothing is loaded where only the cache may answer and has nothing`() async throws {
    try await withServer { server in
      var request = URLRequest(url: url("/film", server))
      request.cachePolicy = .returnCacheDataDontLoad
      let session = URLSession(configuration: try configuration(nil, for: url("/film", server)))

      let end = await Result { try await session.data(for: request) }
      request.cachePolicy = .returnCacheDataElseLoad
      let (data, _) = try await session.data(for: request)

      let error = try #require(throws: URLError.self) { try end.get() }
      #expect(error.code == .resourceUnavailable && error.failingURL == url("/film", server))
      #expect(data == Data(film.bytes) && server.requests("/film").count == 1)
    }
  }
}
