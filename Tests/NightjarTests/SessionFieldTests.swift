import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Header fields that a session adds in one life of the app, and another life with other ones.
@Suite(.blocking) struct SessionFieldTests {
  let world = World()

  private func session(_ link: Link, token: String) -> URLSession {
    world.session(of: link, Recorder()) { $0.httpAdditionalHeaders = ["X-Token": token] }
  }

  /// A request with a field of its own.
  private var request: URLRequest {
    var request = URLRequest(url: World.film)
    request.setValue("video/mp4", forHTTPHeaderField: "Accept")
    return request
  }

  private func sent(_ order: AppInterface.NewTask) -> [String] { order.headers.map { "\($0.name): \($0.value)" } }

  @Test func `are no part of an earlier life's request, and a retry of it carries the new ones`() async throws {
    let first = world.newLife()
    session(first, token: "old").downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()

    let later = session(world.newLife(), token: "new")
    let task = try #require(await later.allTasks.first)
    later.downloadTask(with: try #require(task.originalRequest)).resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }

    #expect(task.originalRequest?.allHTTPHeaderFields == ["Accept": "video/mp4"])
    #expect(world.daemon.enqueued.first.map(sent) == ["Accept: video/mp4", "X-Token: old"])
    #expect(world.daemon.enqueued.last.map(sent) == ["Accept: video/mp4", "X-Token: new"])
  }

  @Test func `are no part of the request of a task that no daemon has accepted yet`() throws {
    let world = World(daemon: HandDaemon(isUp: false))
    let first = world.newLife()
    session(first, token: "old").downloadTask(with: request).resume()
    first.die()

    let second = world.newLife()
    _ = session(second, token: "new")
    let task = try #require(second.state.withLock { $0.sessions["films"]?.tasks[1] })
    world.daemon.comeBack()
    world.daemon.waitForCalls { $0.isEnqueue }

    #expect(task.originalRequest?.allHTTPHeaderFields == ["Accept": "video/mp4"])
    #expect(world.daemon.enqueued.last.map(sent) == ["Accept: video/mp4", "X-Token: old"])
  }

  @Test func `are no part of resume data, whose download carries the new ones`() async throws {
    let token = String(repeating: "ab", count: 16)
    world.daemon.leave(.init(token: token, offset: 7, length: 10))
    let first = world.newLife()
    session(first, token: "old").downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()

    let later = session(world.newLife(), token: "new")
    let task = try #require(await later.allTasks.first as? URLSessionDownloadTask)
    let data = try #require(await task.cancelByProducingResumeData())
    later.downloadTask(withResumeData: data).resume()
    world.daemon.waitForCalls(2) { $0.isEnqueue }

    #expect(world.daemon.enqueued.last.map(sent) == ["Accept: video/mp4", "X-Token: new"])
  }

  @Test func `are told of a request that takes the place of a delayed one`() throws {
    let task = session(world.newLife(), token: "now").downloadTask(with: World.film)

    let new = task.replacement(by: request)

    #expect(new.headers.map(\.name) == ["Accept", "X-Token"] && new.sessionFields == ["X-Token"])
  }
}
