import Foundation
import NightjarWire
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Every task that was resumed has metrics, told right before its end. Libraries wait for them before they call back.
@Suite(.blocking) struct MetricsTests: LoopbackSuite {
  let world = World()
  private let listener = Listener()

  private func end(_ failure: String) -> AppInterface.Ended {
    .init(number: 1, session: "films", task: 1, count: 0, failure: .init(code: failure, detail: failure))
  }

  @Test func `a cancelled background task has some, though the daemon knows none`() async throws {
    let task = world.session(of: world.newLife(), listener).downloadTask(with: World.film)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    task.cancel()
    world.daemon.end(end("cancelled"))
    let heard = try await listener.whole()

    #expect(heard == ["1 created", "metrics", "failed -999"])
    let metrics = try #require(listener.metrics)
    #expect(metrics.redirectCount == 0 && metrics.taskInterval.duration == 0)
    #expect(metrics.transactionMetrics.map(\.request.url) == [World.film])
  }

  @Test func `a task that the daemon refuses has some`() async throws {
    world.daemon.refuse(with: .limitReached(what: "tasks", limit: 1)) { $0.isEnqueue }

    world.session(of: world.newLife(), listener).downloadTask(with: World.film).resume()

    let code = URLError.Code.resourceUnavailable.rawValue
    #expect(try await listener.whole() == ["1 created", "metrics", "failed \(code)"])
  }

  @Test func `a task of an earlier life has some`() async throws {
    let first = world.newLife()
    world.session(of: first, Recorder()).downloadTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()

    _ = world.session(of: world.newLife(), listener)
    world.daemon.waitForCalls(2) { $0.isListing }
    world.daemon.end(end("timedOut"))

    #expect(try await listener.whole() == ["metrics", "failed -1001"])
  }

  @Test func `a background task that was never resumed has none`() async throws {
    world.session(of: world.newLife(), listener).downloadTask(with: World.film).cancel()

    #expect(try await listener.whole() == ["1 created", "failed -999"])
  }

  @Test func `a task in this process has some though nothing was sent, and even without a request`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .returnCacheDataDontLoad
    let other = Listener()

    session(listener, configuration).dataTask(with: World.film).resume()
    session(other).downloadTask(withResumeData: Data()).resume()
    let (unsent, unread) = (try await listener.whole(), try await other.whole())

    #expect(unsent == ["1 created", "metrics", "failed \(URLError.Code.resourceUnavailable.rawValue)"])
    #expect(unread == ["1 created", "metrics", "failed \(URLError.Code.cannotDecodeRawData.rawValue)"])
    #expect(listener.metrics?.transactionMetrics.map(\.request.url) == [World.film])
    #expect(other.metrics?.transactionMetrics.isEmpty == true)
  }
}
