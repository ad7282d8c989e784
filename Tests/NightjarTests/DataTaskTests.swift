import Foundation
import NightjarWire
import Synchronization
import TestThreads
import Testing

import class FoundationNetworking.HTTPURLResponse
import class FoundationNetworking.URLResponse

@testable import Nightjar

/// Data tasks of background sessions, which live only to become downloads.
@Suite(.blocking, .timeLimit(.minutes(2))) struct DataTaskTests {
  private let world = World()

  @Test func `a data task becomes a download before the daemon has the answer`() async {
    let delegate = Chooser(.becomeDownload)
    let session = show(head, delegate)

    let answer = await answer()

    let (download, task) = (delegate.became, await session.allTasks.first)
    #expect(world.daemon.calls.contains { $0.showsAnswer })
    #expect(delegate.head == 200)
    #expect(answer?.decision == .init(disposition: .performDefault))
    #expect(download != nil && task === download && download?.taskIdentifier == 1)
  }

  @Test(arguments: [URLSession.ResponseDisposition.allow, .cancel, .becomeStream])
  func `a data task that does not become a download is cancelled`(choice: URLSession.ResponseDisposition) async {
    let delegate = Chooser(choice)
    _ = show(head, delegate)

    let answer = await answer()

    #expect(answer?.decision == .init(disposition: .cancel))
    #expect(delegate.became == nil)
  }

  @Test func `a data task that became a download is not put to the delegate when a new daemon asks again`() async {
    let delegate = Chooser(.becomeDownload)
    _ = show(head, delegate)
    _ = await answer()

    world.daemon.say(.asked(.init(number: 8, session: "films", task: 1, response: head)))
    let again = await answer(to: 8)

    #expect(again?.decision == .init(disposition: .performDefault))
    #expect(delegate.timesAsked == 1)
  }

  @Test func `a data task of which two daemons ask before the delegate has answered becomes one download`() async {
    let delegate = Hesitant()
    let session = world.session(of: world.newLife(), delegate)
    session.dataTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    for number in [7, 8] as [Int64] {
      world.daemon.say(.asked(.init(number: number, session: "films", task: 1, response: head)))
    }

    let replies = await delegate.asked.prefix(2).reduce(into: []) { $0.append($1) }
    for reply in replies { reply(.becomeDownload) }

    #expect(await answer(to: 7)?.decision == .init(disposition: .performDefault))
    #expect(await answer(to: 8)?.decision == .init(disposition: .performDefault))
    #expect(delegate.timesBecome == 1)
  }

  private let head = AppInterface.Response(url: World.film.absoluteString, status: 200, headers: [])

  /// Has a data task queued, and asked about its answer.
  private func show(_ head: AppInterface.Response, _ delegate: Chooser) -> URLSession {
    let session = world.session(of: world.newLife(), delegate)
    session.dataTask(with: World.film).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, response: head)))
    return session
  }

  /// The answer to a question, waited for on a thread of its own: the delegate answers in a task, which needs one.
  private func answer(to number: Int64 = 7) async -> AppInterface.AnswerQuestion.Parameters? {
    let daemon = world.daemon
    return await withCheckedContinuation { done in
      Thread.detachNewThread {
        let calls = daemon.waitForCalls { $0.answer?.number == number }
        done.resume(returning: calls.lazy.compactMap(\.answer).first { $0.number == number })
      }
    }
  }
}

/// A delegate that makes one thing of every answer.
private final class Chooser: NSObject, URLSessionDataDelegate {
  private let choice: URLSession.ResponseDisposition
  private let known = Mutex<(times: Int, head: Int?, download: URLSessionDownloadTask?)>((0, nil, nil))

  init(_ choice: URLSession.ResponseDisposition) { self.choice = choice }

  var timesAsked: Int { known.withLock { $0.times } }
  var head: Int? { known.withLock { $0.head } }
  var became: URLSessionDownloadTask? { known.withLock { $0.download } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition {
    let status = (response as? HTTPURLResponse)?.statusCode
    known.withLock { ($0.times, $0.head) = ($0.times + 1, status) }
    return choice
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
    known.withLock { $0.download = downloadTask }
  }
}

/// A delegate that answers when it is told to.
private final class Hesitant: NSObject, URLSessionDataDelegate {
  typealias Reply = @Sendable (URLSession.ResponseDisposition) -> Void
  let (asked, asking) = AsyncStream<Reply>.makeStream()
  private let became = Mutex(0)

  var timesBecome: Int { became.withLock { $0 } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping Reply
  ) {
    asking.yield(completionHandler)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
    became.withLock { $0 += 1 }
  }
}

extension Call {
  fileprivate var showsAnswer: Bool { enqueued?.options?.showsAnswer == true }
}
