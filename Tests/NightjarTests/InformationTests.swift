import Foundation
import NightjarWire
import Patience
import Synchronization
import TestThreads
import Testing

import class FoundationNetworking.HTTPURLResponse

@testable import Nightjar

/// What servers say before they answer, to tasks of background sessions.
@Suite(.blocking) struct InformationTests {
  let world = World()

  private static func words(_ status: Int64, task: Int64 = 1) -> AppInterface.Informed {
    let hint = WireHeader(name: "Link", value: "</style.css>; rel=preload")
    return .init(session: "films", task: task, response: .init(url: "\(World.film)", status: status, headers: [hint]))
  }

  @Test func `what a server says before its answer is told in its order, and is no answer`() throws {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)
    task.resume()

    world.daemon.say(.informed(Self.words(102)))
    delegate.wait(for: 1)
    let response = task.response
    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    world.daemon.say(.informed(Self.words(103)))
    delegate.wait(for: 3)
    world.daemon.end(try world.end(11, task: 1, text: "hello"))

    #expect(
      delegate.wait(for: 6) == [
        "1 informed 102", "1 wrote 3 to 3 of 5", "1 informed 103", "1 wrote 2 to 5 of 5", "1 file hello", "1 done",
      ])
    #expect(response == nil && (task.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `a task has its response by the time that its delegate hears of bytes, in a later life too`() async {
    let delegate = Recorder()
    let first = world.newLife()
    let task = world.session(of: first, delegate).downloadTask(with: World.film)
    task.resume()
    world.daemon.say(.informed(Self.words(200)))
    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    let heard = delegate.wait(for: 1)
    let response = task.response as? HTTPURLResponse
    first.die()
    world.daemon.remember([Self.running(answered: Self.words(206).response)], of: "films", nextTask: 2)

    let again = await world.session(of: world.newLife(), Recorder()).allTasks.first

    #expect(heard == ["1 wrote 3 to 3 of 5"])
    #expect(response?.statusCode == 200 && response?.url == World.film)
    #expect((again?.response as? HTTPURLResponse)?.statusCode == 206)
  }

  @Test(arguments: ["connectionLost", "cancelled"])
  func `a task that ends before its last byte keeps the response that it had`(code: String) {
    let delegate = Recorder()
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)
    task.resume()
    world.daemon.say(.informed(Self.words(200)))
    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    let failure = FailureMessage(code: code, detail: "why")

    world.daemon.end(.init(number: 11, session: "films", task: 1, count: 3, expected: 5, failure: failure))
    let heard = delegate.wait(for: 2)

    #expect(heard.last?.hasPrefix("1 failed") == true)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
  }

  private static func running(answered response: AppInterface.Response) -> AppInterface.Task {
    .init(
      task: 1, key: "", direction: .download, method: "GET", url: "\(World.film)", headers: [], label: "",
      priority: 0.5, state: .running, count: 3, expected: 5, response: response)
  }

  @Test func `what a server has said is told with its fields, on the delegate queue`() throws {
    let heard = Mutex<[String]>([])
    let delegate = InformedDelegate { response in
      let isThere = OperationQueue.current?.name == "films"
      heard.withLock { $0.append("\(isThere) \(response.value(forHTTPHeaderField: "link") ?? "nothing")") }
    }
    let queue = OperationQueue()
    (queue.maxConcurrentOperationCount, queue.name) = (1, "films")
    let session = URLSession(
      configuration: .background(withIdentifier: "films"), delegate: delegate, delegateQueue: queue,
      link: world.newLife())
    session.downloadTask(with: World.film).resume()

    world.daemon.say(.informed(Self.words(103)))
    try delegate.told.wait(for: "the delegate is told")

    #expect(heard.withLock { $0 } == ["true </style.css>; rel=preload"])
  }

  @Test func `no more than a bound waits for a delegate that is busy`() throws {
    let (isBusy, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let delegate = Recorder { line in
      guard line == "1 wrote 1 to 1 of -1" else { return }
      isBusy.signal()
      mayReturn.wait()
    }
    let session = world.session(of: world.newLife(), delegate)
    for _ in 1...2 { session.downloadTask(with: World.film).resume() }
    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 1)))
    try isBusy.wait(for: "the delegate is busy")

    for _ in 1...100 { world.daemon.say(.informed(Self.words(103))) }
    world.daemon.say(.informed(Self.words(103, task: 2)))
    world.daemon.hush()
    mayReturn.signal()

    let told = delegate.wait(for: 2 + LinkLimits.informationsMax)
    #expect(told.count { $0 == "1 informed 103" } == LinkLimits.informationsMax)
    #expect(told.last == "2 informed 103")
  }
}

/// A delegate that only wants to know what servers say before they answer.
private final class InformedDelegate: NSObject, URLSessionTaskDelegate, Sendable {
  let told = DispatchSemaphore(value: 0)
  private let then: @Sendable (HTTPURLResponse) -> Void

  init(_ then: @escaping @Sendable (HTTPURLResponse) -> Void) { self.then = then }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    then(response)
    told.signal()
  }
}
