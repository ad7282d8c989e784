import Foundation
import NightjarWire
import ScriptedServer
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What Apple's URLRequest says and FoundationNetworking's does not.
@Suite(.blocking) struct RequestWishTests {
  private func request(_ url: URL = World.film, _ change: (inout URLRequest) -> Void) -> URLRequest {
    var request = URLRequest(url: url)
    request.setValue("mine", forHTTPHeaderField: "X-Own")
    change(&request)
    return request
  }

  @Test func `a request keeps what it is told, and a copy of it too`() {
    let plain = request { _ in }
    var told = request {
      ($0.allowsExpensiveNetworkAccess, $0.allowsConstrainedNetworkAccess) = (false, false)
      ($0.assumesHTTP3Capable, $0.attribution, $0.requiresDNSSECValidation) = (true, .user, true)
      $0.allowsUltraConstrainedNetworkAccess = true
    }
    let copy = told
    told.allowsExpensiveNetworkAccess = true
    told.attribution = .developer
    told.allowsUltraConstrainedNetworkAccess = false

    #expect(plain.allowsExpensiveNetworkAccess && plain.allowsConstrainedNetworkAccess && !plain.assumesHTTP3Capable)
    #expect(!copy.allowsExpensiveNetworkAccess && !copy.allowsConstrainedNetworkAccess)
    #expect(copy.assumesHTTP3Capable && copy.attribution == .user && copy.requiresDNSSECValidation)
    #expect(told.allowsExpensiveNetworkAccess && !told.allowsConstrainedNetworkAccess && told.attribution == .developer)
    #expect(!plain.allowsUltraConstrainedNetworkAccess && copy.allowsUltraConstrainedNetworkAccess)
    #expect(!told.allowsUltraConstrainedNetworkAccess)
    #expect(copy.withoutWishes.allHTTPHeaderFields == ["X-Own": "mine"])
  }

  @Test func `a background task heeds both the request's and the session's word, and sends neither`() {
    let world = World()
    let link = world.newLife()
    let session = world.session(of: link, Recorder())
    let strict = world.session(of: link, Recorder(), identifier: "strict") {
      $0.allowsExpensiveNetworkAccess = false
    }

    session.downloadTask(with: request { $0.allowsExpensiveNetworkAccess = false }).resume()
    session.downloadTask(with: request { $0.allowsConstrainedNetworkAccess = false }).resume()
    strict.downloadTask(with: request { $0.allowsExpensiveNetworkAccess = true }).resume()
    world.daemon.waitForCalls(3) { $0.isEnqueue }

    let orders = world.daemon.enqueued
    #expect(orders.map { $0.options?.allowsExpensive } == [false, nil, false])
    #expect(orders.map { $0.options?.allowsConstrained } == [nil, false, nil])
    #expect(orders.allSatisfy { $0.headers.map(\.name) == ["X-Own"] })
  }

  @Test func `nobody's word on networks of the lowest quality is handed over`() {
    let world = World()
    let session = world.session(of: world.newLife(), Recorder()) { $0.allowsUltraConstrainedNetworkAccess = true }

    session.downloadTask(with: request { _ in }).resume()
    session.downloadTask(with: request { $0.allowsUltraConstrainedNetworkAccess = true }).resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }

    let orders = world.daemon.enqueued
    #expect(orders.map(\.options) == [nil, nil] && orders.allSatisfy { $0.headers.map(\.name) == ["X-Own"] })
    #expect(session.configuration.allowsUltraConstrainedNetworkAccess)
  }

  @Test func `a task in this process sends none of it`() async throws {
    let server = try await HTTPTestServer.start()
    server.play("/x", .answer(status: 200, body: "open"))
    let asked = request(URL(string: server.url("/x"))!) { $0.allowsConstrainedNetworkAccess = false }

    _ = try await URLSession(configuration: .ephemeral).data(for: asked)
    let headers = server.requests("/x").first?.headers
    try await server.stop()

    #expect(headers?["x-own"] == "mine" && headers?["nightjar-wishes"] == nil)
  }
}
