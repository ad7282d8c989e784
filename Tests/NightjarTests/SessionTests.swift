import Foundation
import NightjarWire
import Patience
import Synchronization
import TestThreads
import Testing

import class FoundationNetworking.CachedURLResponse
import class FoundationNetworking.HTTPCookie
import struct FoundationNetworking.URLRequest
import class FoundationNetworking.URLCache
import class FoundationNetworking.URLCredential
import class FoundationNetworking.URLProtectionSpace
import class FoundationNetworking.URLResponse

@testable import Nightjar

/// What a session does besides its tasks, in this process and in the background.
@Suite(.blocking) struct SessionTests {
  let world = World()

  /// Where a session keeps what it knows.
  enum Home: CaseIterable { case process, background }

  private func session(_ home: Home, _ configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
    switch home {
    case .process: URLSession(configuration: configuration)
    case .background:
      world.session(of: world.newLife(), Recorder()) {
        $0.httpCookieStorage = configuration.httpCookieStorage
        $0.urlCredentialStorage = configuration.urlCredentialStorage
        $0.urlCache = configuration.urlCache
      }
    }
  }

  private static let space = URLProtectionSpace(
    host: "films.example", port: 80, protocol: "http", realm: "films", authenticationMethod: nil)

  /// A configuration whose stores hold something each.
  private func filled() throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let cookie = HTTPCookie(properties: [.name: "a", .value: "1", .domain: "films.example", .path: "/"])
    try #require(configuration.httpCookieStorage).setCookie(try #require(cookie))
    let credential = URLCredential(user: "ann", password: "s3cret", persistence: .forSession)
    try #require(configuration.urlCredentialStorage).set(credential, for: Self.space)
    let response = URLResponse(url: World.film, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    let kept = CachedURLResponse(response: response, data: Data("x".utf8))
    try #require(configuration.urlCache).storeCachedResponse(kept, for: URLRequest(url: World.film))
    return configuration
  }

  /// What the stores hold.
  private func holdings(_ configuration: URLSessionConfiguration) -> [Bool] {
    [
      configuration.httpCookieStorage?.cookies?.isEmpty == false,
      configuration.urlCredentialStorage?.credentials(for: Self.space)?.isEmpty == false,
      configuration.urlCache?.cachedResponse(for: URLRequest(url: World.film)) != nil,
    ]
  }

  @Test(arguments: Home.allCases)
  func `a reset empties what a session keeps, and calls back on its queue`(home: Home) throws {
    let configuration = try filled()
    let session = session(home, configuration)
    #expect(holdings(configuration) == [true, true, true])
    let done = DispatchSemaphore(value: 0)
    let queue = Mutex<OperationQueue?>(nil)

    session.reset {
      queue.withLock { $0 = OperationQueue.current }
      done.signal()
    }
    try done.wait(for: "the session calls back")

    #expect(holdings(configuration) == [false, false, false])
    #expect(queue.withLock { $0 } === session.delegateQueue)
  }

  @Test(arguments: Home.allCases)
  func `a reset can be awaited, and leaves tasks alone`(home: Home) async throws {
    let configuration = try filled()
    let session = session(home, configuration)
    let task = session.downloadTask(with: World.film)

    await session.reset()

    #expect(holdings(configuration) == [false, false, false])
    #expect(task.state == .suspended)
  }

  @Test func `a reset has the daemon forget what was decided for the session, before it is asked for more`() async {
    let session = session(.background)

    await session.reset()
    session.downloadTask(with: World.film).resume()

    world.daemon.waitForCalls { $0.isEnqueue }
    let calls = world.daemon.calls.filter { $0.isEnqueue || $0.forgotten != nil }
    #expect(calls.map(\.forgotten) == ["films", nil])
  }

  @Test func `a daemon that comes back is told of many resets of a session once`() async {
    let world = World(daemon: HandDaemon(isUp: false))
    let life = world.newLife()
    let sessions = ["films", "music"].map { world.session(of: life, Recorder(), identifier: $0) }

    for session in sessions + sessions + sessions { await session.reset() }
    sessions[0].downloadTask(with: World.film).resume()
    world.daemon.comeBack()

    world.daemon.waitForCalls { $0.isEnqueue }
    let calls = world.daemon.calls.filter { $0.isEnqueue || $0.forgotten != nil }
    #expect(calls.map(\.forgotten) == ["films", "music", nil])
  }

  @Test(arguments: Home.allCases)
  func `a flush comes after what the delegate's queue had to do, and empties nothing`(home: Home) throws {
    let configuration = try filled()
    let session = session(home, configuration)
    let done = DispatchSemaphore(value: 0)
    let order = Mutex<[String]>([])
    session.delegateQueue.addOperation { order.withLock { $0.append("before") } }

    session.flush {
      order.withLock { $0.append(OperationQueue.current === session.delegateQueue ? "flushed" : "elsewhere") }
      done.signal()
    }
    try done.wait(for: "the session calls back")

    #expect(order.withLock { $0 } == ["before", "flushed"])
    #expect(holdings(configuration) == [true, true, true])
  }

  @Test(arguments: Home.allCases)
  func `a session's own description is kept as it was set`(home: Home) {
    let session = session(home)
    #expect(session.sessionDescription == nil)

    session.sessionDescription = "films"
    #expect(session.sessionDescription == "films")
    session.sessionDescription = nil

    #expect(session.sessionDescription == nil)
  }

  @Test func `a description does not outlive the life of the app that gave it`() {
    let first = world.newLife()
    world.session(of: first, Recorder()).sessionDescription = "films"
    first.die()

    let session = world.session(of: world.newLife(), Recorder())

    #expect(session.sessionDescription == nil && session.configuration.identifier == "films")
  }
}

extension Call {
  /// The session whose decisions are to be forgotten, if that is what is asked.
  fileprivate var forgotten: String? { if case .forgetDecisions(let asked) = self { asked.session } else { nil } }
}
