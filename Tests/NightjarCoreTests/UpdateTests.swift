import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A task that is queued already` {
  /// Two tasks for a host that takes one at a time: the first runs, the second waits.
  private static func benchWithTasks() -> (Bench, Client) {
    var limits = Limits()
    limits.runningPerHostMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...3 as ClosedRange<UInt64> {
      bench.ask(.enqueue(.made(number), isSuspended: false), as: client)
    }
    return (bench, client)
  }

  @Test func `takes a new label, priority and guesses, and keeps them over a restart`() {
    var (bench, client) = Self.benchWithTasks()
    var changes = TaskChanges()
    (changes.label, changes.priority) = ("film", 0.75)
    (changes.bytesExpectedToSend, changes.bytesExpectedToReceive) = (10, 1000)

    let answer = bench.ask(.update("main", task: 2, changes), as: client)
    bench.restart()
    let request = bench.view(TransferID(2))?.request

    #expect(answer == .done)
    #expect(request?.label == "film")
    #expect(request?.priority == 0.75)
    #expect(request?.options.bytesExpectedToReceive == 1000)
    #expect(request?.options.bytesExpectedToSend == 10)
  }

  @Test func `goes first once its priority is higher`() {
    var (bench, client) = Self.benchWithTasks()
    var changes = TaskChanges()
    changes.priority = 1

    bench.ask(.update("main", task: 3, changes), as: client)
    bench.finish(1)

    #expect(bench.deeds.starts.map(\.id) == [TransferID(3)])
  }

  @Test func `waits for a time, and goes once that has passed`() {
    var (bench, client) = Self.benchWithTasks()
    var (later, now) = (TaskChanges(), TaskChanges())
    later.earliestBegin = Timestamp(seconds: bench.wall.seconds + 3600)
    now.earliestBegin = Timestamp(seconds: 0)

    for task in 1...3 { bench.ask(.update("main", task: task, later), as: client) }
    let untouched = bench.deeds
    bench.finish(1)
    let held = bench.deeds.starts
    bench.ask(.update("main", task: 3, now), as: client)

    #expect(untouched.starts.isEmpty && !untouched.contains { if case .stop = $0 { true } else { false } })
    #expect(held.isEmpty)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(3)])
  }

  @Test func `stays as it was if any of the changes cannot be`() {
    var (bench, client) = Self.benchWithTasks()
    var changes = TaskChanges()
    (changes.label, changes.priority) = ("film", .nan)

    let answer = bench.ask(.update("main", task: 2, changes), as: client)
    let stranger = bench.ask(.update("main", task: 9, TaskChanges()), as: client)

    #expect(answer == .refused(.invalid(field: "priority", reason: "a priority lies between 0 and 1")))
    #expect(stranger == .refused(.noSuchTask("main", task: 9)))
    #expect(bench.view(TransferID(2))?.request.label == "")
  }
}
