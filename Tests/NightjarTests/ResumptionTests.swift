import Foundation
import NightjarWire
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Where a download that was made with resume data goes on is told when that is known.
@Suite(.blocking) struct ResumptionTests {
  private let world = World()
  private let remnant = AppInterface.Remnant(token: String(repeating: "ab", count: 16), offset: 7, length: 10)

  private var data: Data {
    world.seal.sealed(ResumeData.of(remnant, request: URLRequest(url: World.film)) ?? Data())
  }

  @Test(
    arguments: [
      (false, [7, 7], []), (true, [7, 7], ["1 resumed at 7 of 10"]),
      (false, [9], ["1 resumed at 7 of 10", "1 wrote 2 to 9 of 10"]),
      (true, [3], []), (true, [3, 8], ["1 wrote 5 to 8 of 10"]),
    ] as [(Bool, [Int64], [String])])
  func `where a download goes on is told once the server has answered, and not if it begins anew`(
    isAnswered: Bool, counts: [Int64], heard: [String]
  ) async throws {
    let delegate = Recorder()
    world.daemon.leave(remnant)
    let session = world.session(of: world.newLife(), delegate)
    let task = session.downloadTask(withResumeData: data)
    task.resume()
    await world.daemon.untilCalls { $0.isEnqueue }
    _ = await session.allTasks

    for count in counts {
      world.say(answered: isAnswered, count: count, of: 1)
      world.daemon.hush()
      await session.flush()
    }

    #expect(delegate.heard == heard)
    #expect(task.countOfBytesReceived == counts.last)
  }

  @Test(arguments: [(3, true), (10, false), (nil, true)] as [(Int64?, Bool)])
  func `a download that ends with its answer has gone on if only the rest was measured`(
    measured: Int64?, goesOn: Bool
  ) throws {
    let delegate = Recorder()
    world.daemon.leave(remnant)
    world.session(of: world.newLife(), delegate).downloadTask(withResumeData: data).resume()
    world.daemon.waitForCalls { $0.isEnqueue }

    world.daemon.end(try end(measured: measured))

    let heard = delegate.wait(for: goesOn ? 4 : 3)
    #expect(heard.contains("1 resumed at 7 of 10") == goesOn && heard.last == "1 done")
  }

  /// The end of the download; the last answer has brought so many bytes, if it was measured.
  private func end(measured: Int64?) throws -> AppInterface.Ended {
    var end = try world.end(1, task: 1, text: "0123456789")
    guard let measured else { return end }
    var exchange = WireMetrics.Exchange(url: World.film.absoluteString, fetchStart: 0)
    exchange.decodedBodyBytes = measured
    end.metrics = WireMetrics(exchanges: [exchange], redirects: 0)
    return end
  }

  /// A daemon takes the download, goes on with what an earlier one has left, and goes away before it has answered.
  @discardableResult
  private func loseAnswer(_ delegate: Recorder) async -> URLSession {
    world.daemon.leave(remnant)
    world.daemon.holdAnswers { $0.isEnqueue }
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(withResumeData: data).resume()
    await world.daemon.untilCalls { $0.isEnqueue }
    world.daemon.goAway()
    world.daemon.releaseAnswers()
    world.daemon.leave(nil)
    return session
  }

  @Test(
    arguments: [
      ([9], ["1 resumed at 7 of 10", "1 wrote 2 to 9 of 10"]),
      ([3, 8], ["1 wrote 3 to 3 of 10", "1 wrote 5 to 8 of 10"]),
    ] as [([Int64], [String])])
  func `where a download goes on is told though the daemon's answer is lost, and not if it begins anew`(
    counts: [Int64], heard: [String]
  ) async throws {
    let delegate = Recorder()
    let session = await loseAnswer(delegate)
    world.daemon.comeBack()
    await world.daemon.untilCalls(2) { $0.isEnqueue }
    _ = await session.allTasks

    for count in counts {
      world.say(answered: false, count: count, of: 1)
      world.daemon.hush()
      await session.flush()
    }

    #expect(delegate.heard == heard)
  }

  @Test(arguments: [(3, true), (10, false)] as [(Int64, Bool)])
  func `a download that ends while its daemon's answer is lost has gone on if only the rest was measured`(
    measured: Int64, goesOn: Bool
  ) async throws {
    let delegate = Recorder()
    await loseAnswer(delegate)
    world.daemon.end(try end(measured: measured), now: false)

    world.daemon.comeBack()
    await world.daemon.untilCalls { $0.isAcknowledgement }

    let start = goesOn ? ["1 resumed at 7 of 10", "1 wrote 3 to 10 of 10"] : ["1 wrote 10 to 10 of 10"]
    #expect(delegate.heard == start + ["1 file 0123456789", "1 done"])
  }

  @Test func `a download whose file is lost begins anew, and is not told to go on`() async throws {
    let delegate = Recorder()
    world.daemon.leave(remnant)
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(withResumeData: data).resume()
    await world.daemon.untilCalls { $0.isEnqueue }
    var lost = try end(measured: 3)
    lost.file?.modified += 1
    world.daemon.end(lost)
    await world.daemon.untilCalls { $0.isDamage }

    world.say(answered: false, count: 9, of: 1)
    world.daemon.hush()
    await session.flush()

    #expect(delegate.heard == ["1 wrote 2 to 9 of 10"])
  }
}

extension World {
  /// The daemon reports the head of the answer, and bytes.
  func say(answered: Bool, count: Int64, of task: Int) {
    let number = Int64(task)
    if answered { daemon.say(.informed(.init(session: "films", task: number, response: Self.response))) }
    daemon.say(.progressed(.init(session: "films", task: number, count: count, expected: 10)))
  }
}
