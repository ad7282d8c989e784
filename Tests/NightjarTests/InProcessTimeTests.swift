import Foundation
import ScriptedServer
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// How long tasks in this process may take.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessTimeTests: LoopbackSuite {
  @Test func `a timeout is handed on as far as it can be counted`() {
    let configuration = URLSessionConfiguration.ephemeral
    var request = URLRequest(url: World.film)
    let wishes = [.infinity, .nan, .greatestFiniteMagnitude, 0.5, 0, -1, 90] as [Double]

    for (wish, given) in zip(wishes, [1e9, 1e9, 1e9, 1, 1, 1, 90] as [Double]) {
      (configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource) = (wish, wish)
      request.timeoutInterval = wish
      let foreign = configuration.foreign

      #expect(foreign.timeoutIntervalForRequest == given && foreign.timeoutIntervalForResource == given, "\(wish)")
      #expect(request.timed(in: configuration).timeoutInterval == given, "\(wish)")
    }
  }

  @Test(arguments: [0, -1, .nan] as [Double])
  func `a request whose timeout is not greater than 0 has its session's`(wish: Double) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 90

    let request = URLRequest(url: World.film, cachePolicy: .useProtocolCachePolicy, timeoutInterval: wish)

    #expect(request.timed(in: configuration).timeoutInterval == 90)
  }

  @Test func `a task may wait for ever`() async {
    await #expect(processExitsWith: .success) {
      let suite = InProcessTimeTests()
      try await suite.withServer { server in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = .infinity
        configuration.timeoutIntervalForResource = .infinity
        let session = URLSession(configuration: configuration)
        var request = URLRequest(url: suite.url("/film", server))

        let (first, _) = try await session.data(for: request)
        request.timeoutInterval = .greatestFiniteMagnitude
        let (second, _) = try await session.data(for: request)

        #expect(first == Data(suite.film.bytes) && second == first)
      }
    }
  }

  @Test func `a task that takes longer than its session allows ends`() async throws {
    try await withServer { server in
      server.play("/silent", .silence)
      let configuration = URLSessionConfiguration.ephemeral
      (configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource) = (1e9, 1)
      let listener = Listener()

      session(listener, configuration).dataTask(with: url("/silent", server)).resume()
      let heard = try await listener.whole()

      #expect(heard == ["1 created", "metrics", "failed \(URLError.Code.timedOut.rawValue)"])
    }
  }
}
