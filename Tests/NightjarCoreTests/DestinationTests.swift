import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A task with a destination` {
  private let place = "/home/film"
  private let exists = TransferFailure(.destinationExists, "'/home/film' exists")

  private func request(_ number: UInt64 = 1) -> TransferRequest {
    var request = TransferRequest.made(number)
    request.destination = Destination(path: place)
    return request
  }

  /// The app runs and has queued it, and all of it has come.
  private func finished() -> (Bench, Client) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(request(), isSuspended: false), as: client)
    bench.finish(1)
    return (bench, client)
  }

  @Test func `is delivered before its app is told, which gets no file`() throws {
    var (bench, client) = finished()
    let (deliveries, early) = (bench.deeds.deliveries, bench.deeds.tasksTold)

    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    let ends = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    let told = try #require(ends.first)
    let deeds = bench.deeds
    bench.ask(.acknowledge([told.number]), as: client)

    #expect(deliveries.map(\.destination.path) == [place] && early.isEmpty)
    #expect(told.destination == place && !told.outcome.hasFailed)
    #expect(deeds.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }

  @Test func `whose place was taken meanwhile fails, and leaves nothing`() {
    var (bench, _) = finished()

    bench.send(.delivery(TransferID(1), attempt: 1, .failed(exists)))

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.failure(1) == .destinationExists)
    #expect(bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `is tried again when the disk was full, and its app hears nothing of that`() {
    var (bench, _) = finished()
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.diskFull, "no space"))))
    let told = bench.deeds.tasksTold

    let done = bench.pass(.seconds(31))

    #expect(told.isEmpty && done.tasksTold.isEmpty)
    #expect(done.deliveries.map(\.attempt) == [2])
  }

  @Test func `does not begin again because its app finds the file damaged: it is not the daemon's any more`() throws {
    var (bench, client) = finished()
    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    let number = try #require(bench.rows.memory.wakes.first?.number)

    bench.ask(.reportDamage(number), as: client)

    #expect(bench.view(TransferID(1))?.state == .succeeded)
    #expect(bench.rows.memory.wakes.map(\.number) == [number])
  }

  @Test func `wakes its app once the file is in its place`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(request(), isSuspended: false), as: client)
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    let early = bench.deeds.launches

    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))

    #expect(early.isEmpty)
    #expect(bench.deeds.launches.map(\.app.id) == [farm])
  }

  @Test func `that was under way when the daemon died is delivered by the next one, and told`() {
    var (bench, _) = finished()

    bench.restart()
    let again = bench.deeds.deliveries
    bench.send(.delivery(TransferID(1), attempt: 2, .delivered))

    #expect(again.map(\.attempt) == [2])
    #expect(bench.rows.memory.wakes.count == 1)
  }
}
