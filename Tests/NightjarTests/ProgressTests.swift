import Foundation
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

@Suite(.timeLimit(.minutes(2)), .blocking) struct ProgressTests {
  /// What an observer was told, and on which threads.
  private final class Heard: Sendable {
    let counts = Mutex<[Int64]>([])
    let threads = Mutex<Set<ObjectIdentifier>>([])

    func observe(_ progress: Progress) -> NSKeyValueObservation {
      progress.observe(\.completedUnitCount, options: [.new]) { [self] _, change in
        counts.withLock { $0.append(change.newValue!) }
        threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
      }
    }
  }

  @Test func `a task whose lengths add up to more than a number can say shows progress all the same`() {
    let task = URLSession(configuration: .ephemeral).dataTask(with: World.film)

    task.showProgress { ($0.sent.expected, $0.received.expected) = (10_240, .max - 1023) }

    #expect(task.progress.totalUnitCount == .max)
  }

  @Test func `who observes a task is called where that task moves, each time and in order`() {
    let progresses = (0..<4).map { _ in Progress(totalUnitCount: -1) }
    let heard = progresses.map { _ in Heard() }
    let observations = zip(heard, progresses).map { $0.observe($1) }

    DispatchQueue.concurrentPerform(iterations: 4) { place in
      for count in 1...500 { ProgressWatch.shared.move(progresses[place], to: Int64(count), of: 500) }
    }

    withExtendedLifetime(observations) {
      for heard in heard {
        #expect(heard.counts.withLock { $0 } == Array(1...500))
        #expect(heard.threads.withLock { $0.count } == 1)
      }
    }
  }

  @Test func `an observer is called from as deep a stack after many moves as after few`() throws {
    let progress = Progress(totalUnitCount: 1000)
    let depths = Mutex<[Int]>([])
    let observation = progress.observe(\.completedUnitCount) { _, _ in
      depths.withLock { $0.append(Thread.callStackReturnAddresses.count) }
    }

    for count in 1...1000 { ProgressWatch.shared.move(progress, to: Int64(count), of: 1000) }

    withExtendedLifetime(observation) {
      let depths = depths.withLock { $0 }
      #expect(depths.count == 1000)
      #expect(Set(depths).count == 1)
    }
  }

  @Test func `an observer may wait for another thread that moves a task`() {
    let (one, other) = (Progress(totalUnitCount: 1), Progress(totalUnitCount: 1))
    let observation = one.observe(\.fractionCompleted) { _, _ in
      let moved = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        ProgressWatch.shared.move(other, to: 1, of: 1)
        moved.signal()
      }
      #expect(moved.wait(timeout: .now() + 60) == .success)
    }

    withExtendedLifetime(observation) { ProgressWatch.shared.move(one, to: 1, of: 1) }

    #expect(other.isFinished)
  }

  @Test func `the progress of an upload in this process knows its total before the answer comes`() {
    let task = URLSession(configuration: .ephemeral).uploadTask(with: .post(), from: Data(count: 40))
    let progress = task.progress

    task.showProgress { $0.sent = .init(count: 10, expected: 40) }
    #expect(progress.totalUnitCount == 40 && progress.completedUnitCount == 10)

    task.showProgress { $0.sent.count = 40 }
    #expect(!progress.isFinished, "nobody has answered")

    task.showProgress { $0.received.count = 5 }
    #expect(!progress.isFinished, "the answer has no length")

    task.showProgress { $0.received.expected = 60 }
    #expect(progress.totalUnitCount == 100 && progress.completedUnitCount == 45)
  }

  @Test func `an observation that another observer ends is told nothing more`() {
    let progress = Progress(totalUnitCount: 2)
    let heard = Heard()
    let second = Mutex<NSKeyValueObservation?>(nil)
    let first = progress.observe(\.completedUnitCount) { _, _ in second.withLock { $0?.invalidate() } }
    second.withLock { $0 = heard.observe(progress) }

    withExtendedLifetime(first) { ProgressWatch.shared.move(progress, to: 1, of: 2) }

    #expect(heard.counts.withLock { $0.isEmpty })
  }
}
