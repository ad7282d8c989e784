import NightjarModel
import Testing

@testable import NightjarCore

/// How much of what failed downloads leave an app may have.
@Suite struct `What downloads leave, together,` {
  private let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)
  private let refused = TransferFailure(.badRedirect, "no")

  /// An app that may have 20 bytes in the staging area.
  private func running() -> (Bench, Client) {
    var limits = Limits()
    limits.stagedBytesPerAppMax = 20
    return Bench.withRunningApp(limits: limits)
  }

  /// A download is queued under the next number, gets seven bytes and fails.
  private func leave(_ id: Int64, _ request: TransferRequest? = nil, _ bench: inout Bench, _ client: Client) {
    bench.ask(.enqueue(request ?? .made(UInt64(id)), isSuspended: false), as: client)
    fail(id, &bench)
  }

  private func fail(_ id: Int64, _ bench: inout Bench) {
    bench.send(.transfer(TransferID(id), attempt: 1, .checkpointed(point)))
    bench.send(.transfer(TransferID(id), attempt: 1, .failed(refused, retryAfter: nil)))
  }

  @Test func `goes with its files, the oldest first, when it is too many`() {
    var limits = Limits()
    limits.remnantsPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)

    for id in 1...2 as ClosedRange<Int64> { leave(id, nil, &bench, client) }

    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.remnants.map(\.transfer) == [TransferID(2)])
    #expect(bench.deeds.notes.contains { $0.contains("transfer 1") && $0.contains("more than 1") })
  }

  @Test func `is as old as its failure, however early its download was queued`() {
    var limits = Limits()
    limits.remnantsPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for id in 1...2 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(id), isSuspended: false), as: client) }

    fail(2, &bench)
    bench.pass(.seconds(1))
    fail(1, &bench)

    #expect(bench.deeds.contains(.discard(TransferID(2))))
    #expect(bench.rows.memory.remnants.map(\.transfer) == [TransferID(1)])
  }

  @Test func `counts among the bytes of its app, and the oldest goes when they are too many`() {
    var (bench, client) = running()
    var left: [[TransferID]] = []

    for id in 1...3 as ClosedRange<Int64> {
      leave(id, nil, &bench, client)
      left.append(bench.rows.memory.remnants.map(\.transfer).sorted())
    }

    #expect(left == [[TransferID(1)], [TransferID(1), TransferID(2)], [TransferID(2), TransferID(3)]])
    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.deeds.notes.contains { $0.contains("transfer 1") && $0.contains("21 bytes") })
    bench.ask(.enqueue(.made(4), isSuspended: false), as: client)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(4)])
  }

  @Test func `counts once for each key, of which the newer takes the place of the older`() {
    var (bench, client) = running()
    var same = TransferRequest.made(1)
    same.task = 2

    leave(1, nil, &bench, client)
    bench.ask(.acknowledge([1]), as: client)
    leave(2, same, &bench, client)
    bench.ask(.acknowledge([2]), as: client)
    let discarded = bench.deeds
    for id in 3...5 as ClosedRange<Int64> {
      leave(id, nil, &bench, client)
      bench.ask(.acknowledge([id]), as: client)
    }

    #expect(bench.rows.memory.remnants.map(\.transfer).sorted() == [TransferID(4), TransferID(5)])
    #expect(bench.supervisor.transfers.stagedBytes(of: farm) == 14)
    #expect(!discarded.contains(.discard(TransferID(2))))
  }

  @Test func `stays where it would make no room`() {
    var (bench, client) = running()
    for id in 1...2 as ClosedRange<UInt64> { bench.ask(.enqueue(.made(id), isSuspended: false), as: client) }
    bench.send(.transfer(TransferID(2), attempt: 1, .progressed(count: 1, expected: 1000)))

    fail(1, &bench)
    let beside = bench.rows.memory.remnants.map(\.transfer)
    bench.send(.transfer(TransferID(2), attempt: 1, .progressed(count: 1, expected: 15)))

    #expect(beside == [TransferID(1)])
    #expect(bench.rows.memory.remnants.isEmpty)
  }
}
