import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

import class FoundationNetworking.HTTPCookie
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// A delayed task asks its delegate, when its time has come, what to send.
@Suite(.blocking) struct DelayedRequestTests {
  private let world = World()

  @Test func `a delayed task is sent as its delegate says`() async {
    let judge = Judge { _, _ in }
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "http://films.example/2")!)) }
    _ = world.ask(judge, nil)

    let answer = await world.answer()

    #expect(answer?.decision.disposition == .replace)
    #expect(answer?.decision.request?.url == "http://films.example/2")
  }

  @Test func `the request in place of a delayed one is the current one, also after a redirect`() async throws {
    let judge = Judge { _, _ in }
    var fresh = URLRequest(url: try #require(URL(string: "http://films.example/2")))
    fresh.setValue("new", forHTTPHeaderField: "X-Cut")
    judge.onDelay.withLock { $0 = (.useNewRequest, fresh) }
    let session = world.ask(judge, nil)
    _ = await world.answer()
    let task = try #require(await session.allTasks.first)

    #expect(task.currentRequest == fresh && task.originalRequest?.url == World.film)
    let moved = AppInterface.Response(url: "http://films.example/3", status: 200, headers: [])
    world.daemon.say(.informed(.init(session: "films", task: 1, response: moved)))
    world.daemon.hush()
    await session.flush()

    #expect(task.currentRequest?.url?.path == "/3")
    #expect(task.currentRequest?.value(forHTTPHeaderField: "X-Cut") == "new")
  }

  @Test(
    arguments: [
      ("new", "POST", "bmV3"), (nil, "POST", ""), (nil, "GET", ""),
    ] as [(String?, String, String)])
  func `a request in place of a delayed one brings its own body, or none`(
    body: String?, method: String, sent: String
  ) async {
    let judge = Judge { _, _ in }
    var fresh = URLRequest(url: URL(string: "http://films.example/2")!)
    (fresh.httpMethod, fresh.httpBody) = (method, body.map { Data($0.utf8) })
    judge.onDelay.withLock { $0 = (.useNewRequest, fresh) }
    _ = world.ask(judge, nil, body: "old")

    let answer = await world.answer()

    #expect(answer?.decision.request?.method == method)
    #expect(answer?.decision.request?.body == sent)
  }

  @Test func `an answer that the daemon cannot use cancels its task, which would ask for ever`() async {
    let (link, judge) = (world.newLife(), Judge { _, _ in })
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "ftp://films.example/2")!)) }
    world.daemon.refuse(with: .invalidRequest(field: "url", reason: "only http: and https:")) { $0.answer != nil }
    let session = world.ask(judge, nil, of: link)

    await world.daemon.untilCalls(2) { $0.answer != nil }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    let answers = world.daemon.calls.compactMap(\.answer)
    #expect(answers.map(\.decision.disposition) == [.replace, .cancel])
    #expect(answers.map(\.number) == [7, 7])
    #expect(link.state.withLock { $0.held.isEmpty && $0.acknowledged.contains(7) })
    withExtendedLifetime(session) {}
  }

  @Test func `a request in place of a delayed one has the cookies of its own host`() async {
    let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
    for (name, host) in [("old", "films.example"), ("new", "other.example")] {
      let cookie = HTTPCookie(properties: [.name: name, .value: "1", .domain: host, .path: "/"])
      if let cookie { storage?.setCookie(cookie) }
    }
    let judge = Judge { _, _ in }
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "http://other.example/1")!)) }
    _ = world.ask(judge, nil) { $0.httpCookieStorage = storage }

    let answer = await world.answer()

    let headers = answer?.decision.request?.headers ?? []
    #expect(headers.filter { $0.name == "Cookie" }.map(\.value) == ["new=1"])
  }

  @Test func `a delegate that leaves delayed requests to us is asked once, and in no later life`() async {
    let (link, recorder) = (world.newLife(), Recorder())
    _ = world.ask(recorder, nil, of: link)
    let answer = await world.answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    link.die()

    let later = world.newLife()
    _ = world.session(of: later, Recorder())

    let known = later.state.withLock { $0.sessions["films"]?.asks }
    #expect(answer?.decision == .init(disposition: .performDefault))
    #expect(answer?.asks == .init(credentials: true, everyCertificate: true, delays: false))
    #expect(known == .init(credentials: true, everyCertificate: true, delays: false))
  }

  @Test func `a task's own delegate that leaves delayed requests to us says nothing about the session's`() async {
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)
    task.delegate = TaskJudge()
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: nil)))

    let answer = await world.answer()

    #expect(answer?.decision == .init(disposition: .performDefault) && answer?.asks == nil)
  }
}
