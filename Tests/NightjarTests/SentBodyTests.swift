import Foundation
import NightjarWire
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// The body of a background download's request is reported as sent, once.
@Suite(.blocking) struct SentBodyTests {
  let world = World()
  private let delegate = Recorder()

  private var request: URLRequest {
    var request = URLRequest.post()
    request.httpBody = Data("letter".utf8)
    return request
  }

  @Test func `before the first bytes of the answer`() throws {
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: request)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    delegate.wait(for: 2)
    world.daemon.end(try world.end(1, task: 1, text: "hello"))

    #expect(
      delegate.wait(for: 5) == [
        "1 sent 6 to 6 of 6", "1 wrote 3 to 3 of 5", "1 wrote 2 to 5 of 5", "1 file hello", "1 done",
      ])
    #expect(task.countOfBytesSent == 6 && task.countOfBytesExpectedToSend == 6)
  }

  @Test func `with the head of an answer, and not again with its end`() throws {
    world.session(of: world.newLife(), delegate).downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    world.daemon.say(.informed(.init(session: "films", task: 1, response: World.response)))
    world.daemon.end(try world.end(1, task: 1, text: ""))

    #expect(delegate.wait(for: 3) == ["1 sent 6 to 6 of 6", "1 file ", "1 done"])
  }

  @Test func `by its measured size in a later life, which does not know it`() throws {
    let first = world.newLife()
    world.session(of: first, Recorder()).downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    first.die()
    var end = try world.end(1, task: 1, text: "")
    var exchange = WireMetrics.Exchange(url: World.film.absoluteString, fetchStart: 1_700_000_000_000_000_000)
    exchange.requestBodyBytes = 6
    end.metrics = WireMetrics(exchanges: [exchange], redirects: 0)

    world.daemon.end(end, now: false)
    _ = world.session(of: world.newLife(), delegate)

    #expect(delegate.wait(for: 3) == ["1 sent 6 to 6 of 6", "1 file ", "1 done"])
  }

  @Test func `not of a download that is cancelled before the server answers`() {
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: request)
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    task.cancel()
    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 0, failure: .init(code: "cancelled", detail: "cancelled")))

    #expect(delegate.wait(for: 1) == ["1 failed -999"] && task.countOfBytesSent == 0)
  }
}
