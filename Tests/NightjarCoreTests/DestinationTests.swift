import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A task with a destination` {
  private let place = "/home/film"
  private let exists = TransferFailure(.destinationExists, "'/home/film' exists")

  private let full = TransferFailure(.diskFull, "no space")

  private func request(_ number: UInt64 = 1, timeout: Duration? = .days(7)) -> TransferRequest {
    var request = TransferRequest.made(number)
    (request.destination, request.resourceTimeout) = (Destination(path: place), timeout)
    return request
  }

  /// The app runs and has queued it, and all of it has come.
  private func finished(timeout: Duration? = .days(7)) -> (Bench, Client) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(request(timeout: timeout), isSuspended: false), as: client)
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
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(full)))
    let told = bench.deeds.tasksTold

    let done = bench.pass(.seconds(31))

    #expect(told.isEmpty && done.tasksTold.isEmpty)
    #expect(done.deliveries.map(\.attempt) == [2])
  }

  @Test func `whose disk stays full fails with its resource timeout, and its session is told`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(request(timeout: .seconds(10)), isSuspended: false), as: client)
    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.finish(1)
    bench.finish(2)

    bench.send(.delivery(TransferID(1), attempt: 1, .failed(full)))
    let early = bench.deeds.launches
    let done = bench.pass(.seconds(11))

    #expect(early.isEmpty && done.launches.map(\.app.id) == [farm])
    #expect(bench.failure(1) == .resourceTimedOut)
    #expect(bench.view(TransferID(1))?.failure?.detail.hasSuffix("could not be put in its place: no space") == true)
    #expect(done.contains(.discard(TransferID(1))))
  }

  @Test func `that is being delivered when its resource timeout passes fails only if that does`() {
    var (bench, _) = finished(timeout: .seconds(10))

    let told = bench.pass(.seconds(11)).tasksTold
    var other = bench
    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    other.send(.delivery(TransferID(1), attempt: 1, .failed(full)))

    #expect(told.isEmpty)
    #expect(bench.view(TransferID(1))?.state == .succeeded)
    #expect(other.failure(1) == .resourceTimedOut)
  }

  @Test func `whose file comes later than its resource timeout is delivered once before it fails`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(request(timeout: .seconds(10)), isSuspended: false), as: client)

    bench.boot += .seconds(11)
    bench.finish(1)
    let deliveries = bench.deeds.deliveries
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(full)))

    #expect(deliveries.map(\.attempt) == [1])
    #expect(bench.failure(1) == .resourceTimedOut)
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
