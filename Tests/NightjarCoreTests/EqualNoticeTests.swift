import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A local notification that equals a cancelled one` {
  @Test func `is not fired any more, whatever its key, and others are`() {
    var (bench, client) = Bench.withRunningApp()
    let requests = (1...3).map { NoticeRequest.made(UInt64($0), in: Int64($0) * 60, of: bench) }
    bench.ask(.schedule(requests, replaces: false), as: client)

    let answer = bench.ask(.cancelNotices([], like: [requests[1].again]), as: client)

    #expect(answer == .done)
    #expect(bench.rows.memory.scheduled.map(\.request.key.low).sorted() == [1, 3])
  }

  @Test func `leaves the screen if it was fired meanwhile`() {
    var bench = Bench.withApp()
    let request = NoticeRequest.made(1, in: 60, of: bench)
    bench.schedule(request)
    bench.passWithWall(.seconds(61))

    bench.ask(.cancelNotices([], like: [request.again]), as: Client(farm))

    #expect(bench.deeds.contains(.retract(NoticeID(1))))
    #expect(bench.rows.memory.notices == [])
  }

  @Test func `equals it however many days of its calendar have passed meanwhile`() {
    var bench = Bench.withApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: .month)
    let first = request.time!.reading.date.number
    request.calendar = "hebrew"
    request.time!.days = [first + 29, first + 59]
    bench.schedule(request)
    var later = request.again
    later.time!.days = [first + 59, first + 88]

    bench.ask(.cancelNotices([], like: [later]), as: Client(farm))

    #expect(bench.rows.memory.scheduled == [])
  }
}

extension NoticeRequest {
  /// The same under another key.
  fileprivate var again: Self {
    var again = self
    again.key = RequestKey(high: 4, low: 1)
    return again
  }
}
