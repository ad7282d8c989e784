import Foundation
import NightjarWire
import ScriptedServer
import Synchronization
import TestThreads
import Testing

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What an observer of a task's own properties is told.
@Suite(.timeLimit(.minutes(2)), .blocking) struct TaskObservationTests {
  let world = World()

  /// What an observer was told, and where.
  private final class Heard: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) {
      let place = OperationQueue.current?.name == "films" ? "queue" : "caller"
      lines.withLock { $0.append("\(place): \(line)") }
    }
  }

  /// A session whose delegate queue can be told from all others.
  private func session(_ delegate: Recorder = Recorder()) -> URLSession {
    let queue = OperationQueue()
    (queue.maxConcurrentOperationCount, queue.name) = (1, "films")
    return URLSession(
      configuration: .background(withIdentifier: "films"), delegate: delegate, delegateQueue: queue,
      link: world.newLife())
  }

  private func observeState(of task: URLSessionTask, _ heard: Heard) -> NSKeyValueObservation {
    task.observe(\.state, options: [.old, .new]) { _, change in heard.note("\(change.oldValue!) to \(change.newValue!)")
    }
  }

  @Test func `what the app changes is told at once, where it is changed`() {
    let heard = Heard()
    let task = session().downloadTask(with: World.film)
    let observations = [
      observeState(of: task, heard),
      task.observe(\.priority, options: .new) { _, change in heard.note("priority \(change.newValue!)") },
      task.observe(\.taskDescription, options: .new) { _, change in heard.note("\(change.newValue! ?? "nothing")") },
      task.observe(\.countOfBytesClientExpectsToReceive) { task, _ in
        heard.note("\(task.countOfBytesClientExpectsToReceive) bytes")
      },
    ]

    withExtendedLifetime(observations) {
      task.resume()
      task.suspend()
      task.priority = 0.75
      task.taskDescription = "owl"
      task.countOfBytesClientExpectsToReceive = 7
      task.cancel()
    }

    #expect(
      heard.all.prefix(6) == [
        "caller: suspended to running", "caller: running to suspended", "caller: priority 0.75", "caller: owl",
        "caller: 7 bytes", "caller: suspended to canceling",
      ])
  }

  @Test func `what the daemon tells of is told on the delegate queue, each change once and before the delegate hears`()
    throws
  {
    let heard = Heard()
    let delegate = Recorder { heard.note($0) }
    let task = session(delegate).downloadTask(with: World.film)
    task.resume()
    let observations = [
      observeState(of: task, heard),
      task.observe(\.countOfBytesReceived, options: .new) { _, change in heard.note("\(change.newValue!) came") },
      task.observe(\.countOfBytesExpectedToReceive) { task, _ in heard.note("of \(task.countOfBytesExpectedToReceive)")
      },
      task.observe(\.response) { task, _ in
        heard.note("status \((task.response as? HTTPURLResponse)?.statusCode ?? 0)")
      },
      task.observe(\.error) { _, _ in heard.note("an error") },
      task.observe(\.originalRequest) { _, _ in heard.note("another request") },
    ]

    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    delegate.wait(for: 1)
    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    world.daemon.end(try world.end(11, task: 1, text: "hello"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    withExtendedLifetime(observations) {
      #expect(
        heard.all.map { $0.replacing("queue: ", with: "") } == [
          "3 came", "of 5", "1 wrote 3 to 3 of 5", "status 200", "5 came", "1 wrote 2 to 5 of 5", "1 file hello",
          "running to completed", "1 done",
        ])
      #expect(heard.all.allSatisfy { $0.hasPrefix("queue") })
    }
  }

  @Test func `what the daemon tells of is told on the delegate queue, though another thread looks meanwhile`() {
    let heard = Heard()
    let delegate = Recorder()
    let task = session(delegate).downloadTask(with: World.film)
    task.resume()
    let observations = [
      task.progress.observe(\.completedUnitCount) { _, _ in
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          task.priority = 0.75
          done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
      },
      task.observe(\.countOfBytesReceived) { _, _ in heard.note("bytes came") },
    ]

    world.daemon.say(.progressed(.init(session: "films", task: 1, count: 3, expected: 5)))
    delegate.wait(for: 1)

    withExtendedLifetime(observations) { #expect(heard.all == ["queue: bytes came"]) }
  }

  @Test func `an end in failure is told with its error, and to whoever asked for it as it was`() {
    let heard = Heard()
    let delegate = Recorder()
    let task = session(delegate).downloadTask(with: World.film)
    task.resume()
    let observation = task.observe(\.error, options: [.initial, .old, .new]) { _, change in
      let (old, new) = (
        change.oldValue.map { $0 != nil }, change.newValue.map { ($0 as? URLError)?.code.rawValue ?? 0 }
      )
      heard.note("\(old.map { "\($0)" } ?? "nothing") before, \(new.map { "\($0)" } ?? "nothing") now")
    }

    world.daemon.end(
      .init(number: 3, session: "films", task: 1, count: 0, failure: .init(code: "cannotFindHost", detail: "who?")))
    delegate.wait(for: 1)

    withExtendedLifetime(observation) {
      #expect(heard.all == ["caller: nothing before, 0 now", "queue: false before, -1003 now"])
    }
  }

  @Test func `without options an observer is told that there is a change, and of no value`() {
    let heard = Heard()
    let task = session().downloadTask(with: World.film)
    let observation = task.observe(\.priority) { _, change in
      heard.note("\(change.newValue == nil && change.oldValue == nil)")
    }

    withExtendedLifetime(observation) { task.priority = URLSessionTask.lowPriority }

    #expect(heard.all == ["caller: true"])
  }

  @Test func `a value that stays as it was is not told`() {
    let heard = Heard()
    let task = session().downloadTask(with: World.film)
    let observations = [
      observeState(of: task, heard), task.observe(\.priority) { _, _ in heard.note("another priority") },
    ]

    withExtendedLifetime(observations) {
      task.priority = URLSessionTask.defaultPriority
      task.suspend()
      task.taskDescription = "owl"
    }

    #expect(heard.all.isEmpty)
  }

  @Test func `an observation that is invalidated or let go hears nothing more`() {
    let heard = Heard()
    let task = session().downloadTask(with: World.film)
    let first = task.observe(\.priority) { task, _ in heard.note("first \(task.priority)") }
    var second: NSKeyValueObservation? = task.observe(\.priority) { task, _ in heard.note("second \(task.priority)") }
    task.priority = 0.1

    first.invalidate()
    task.priority = 0.2
    second = nil
    task.priority = 0.3

    #expect(second == nil && heard.all == ["caller: first 0.1", "caller: second 0.1", "caller: second 0.2"])
  }

  @Test func `an observation that ends may take with it what cancels the task`() {
    final class Download: Sendable {
      private let task: URLSessionTask
      init(_ task: URLSessionTask) { self.task = task }
      deinit { task.cancel() }
    }
    let task = session().downloadTask(with: World.film)
    var download: Download? = Download(task)
    weak let gone = download
    let observation = task.observe(\.state) { [download] _, _ in _ = download }

    download = nil
    let isKept = gone != nil
    observation.invalidate()

    #expect(isKept && gone == nil && task.state != .suspended)
  }

  @Test func `an observer may end its observation, cancel the task and wait for another thread that changes it`() {
    let heard = Heard()
    let task = session().downloadTask(with: World.film)
    let own = Mutex<NSKeyValueObservation?>(nil)
    let observation = task.observe(\.state) { task, _ in
      heard.note("\(task.state)")
      own.withLock { $0 }?.invalidate()
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        task.priority = 0.9
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
      task.cancel()
    }
    own.withLock { $0 = observation }

    task.resume()

    #expect(heard.all == ["caller: running"])
    #expect(task.state != .running && task.priority == 0.9)
  }

  @Test func `a change that comes while somebody begins to observe is not missed`() {
    let session = session()
    for _ in 1...300 {
      let task = session.downloadTask(with: World.film)
      let seen = Mutex<[Float]>([])
      let observation = Mutex<NSKeyValueObservation?>(nil)

      DispatchQueue.concurrentPerform(iterations: 2) { side in
        if side == 0 { return task.priority = 0.75 }
        let new = task.observe(\.priority, options: [.initial, .new]) { _, change in
          seen.withLock { $0.append(change.newValue!) }
        }
        observation.withLock { $0 = new }
      }

      #expect(seen.withLock { $0.count { $0 == 0.75 } } == 1)
    }
  }

  @Test func `an observation that is let go while others look may take with it what changes that again`() {
    final class Lamp: Sendable {
      let watch = Watch()
      let count = Mutex(0)
      var turns: Int { count.withLock { $0 } }
      func turn() {
        count.withLock { $0 += 1 }
        watch.lookAgain()
      }
    }
    final class Hand: Sendable {
      private let lamp: Lamp
      init(_ lamp: Lamp) { self.lamp = lamp }
      deinit { lamp.turn() }
    }

    for _ in 1...3000 {
      let lamp = Lamp()
      let observation = Mutex<NSKeyValueObservation?>(nil)
      observation.withLock { [hand = Hand(lamp)] in
        $0 = lamp.watch.observe(lamp, \.turns, []) { [hand] _, _ in _ = hand }
      }

      DispatchQueue.concurrentPerform(iterations: 2) { side in
        if side == 0 {
          for _ in 1...20 { lamp.turn() }
        } else {
          withExtendedLifetime(observation.withLock { $0.take() }) {}
        }
      }

      #expect(lamp.turns == 21)
    }
  }

  @Test func `what is observed is not kept by that`() {
    final class Lamp { var isOn = false }
    let watch = Watch()
    let told = Mutex(0)
    var lamp: Lamp? = Lamp()
    weak let gone = lamp
    let observation = watch.observe(lamp!, \.isOn, []) { _, _ in told.withLock { $0 += 1 } }

    lamp?.isOn = true
    watch.lookAgain()
    lamp = nil
    watch.lookAgain()

    withExtendedLifetime(observation) { #expect(gone == nil && told.withLock { $0 } == 1) }
  }
}

/// The same of tasks in this process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessObservationTests: LoopbackSuite {
  @Test func `an observer hears of a task in this process as of one in the daemon`() async throws {
    try await withServer { server in
      server.play("/one", .redirect(to: "/film"))
      let lines = Mutex<[String]>([])
      let queue = OperationQueue()
      // Nothing is told on it before `resume()` has returned.
      (queue.maxConcurrentOperationCount, queue.isSuspended) = (1, true)
      let listener = Listener(queue: queue)
      let task = session(listener).downloadTask(with: url("/one", server))
      let note: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
      let observations = [
        task.observe(\.state, options: .new) { (task: URLSessionDownloadTask, change) in note("\(change.newValue!)") },
        task.observe(\.currentRequest) { task, _ in note("to \(task.currentRequest?.url?.path ?? "")") },
        task.observe(\.response, options: [.old, .new]) { _, change in
          note("answer \((change.newValue as? HTTPURLResponse)?.statusCode ?? 0)")
        },
        task.observe(\.countOfBytesExpectedToReceive, options: .new) { _, change in note("of \(change.newValue!)") },
        task.observe(\.countOfBytesReceived, options: .new) { _, change in note("bytes \(change.newValue!)") },
      ]

      task.resume()
      queue.isSuspended = false
      _ = try await listener.whole()

      withExtendedLifetime(observations) {
        let told = lines.withLock { $0 }
        let counts = told.filter { $0.hasPrefix("bytes") }.compactMap { Int64($0.dropFirst(6)) }
        let others = told.filter { !$0.hasPrefix("bytes") }
        #expect(others == ["running", "to /film", "answer 200", "of \(film.size)", "completed"])
        #expect(counts == counts.sorted() && Set(counts).count == counts.count && counts.last == film.size)
      }
    }
  }
}
