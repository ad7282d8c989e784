import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `Of a staged file` {
  private let key = RequestKey(high: 7, low: 1)

  private func running(_ checkpoint: ResumePoint?) -> (Bench, Client) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    if let checkpoint { bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(checkpoint))) }
    return (bench, client)
  }

  @Test(
    arguments: [
      (nil, 0), (ResumePoint(offset: 7, validator: nil, length: 10), 0),
      (ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10), 7),
    ] as [(ResumePoint?, Int64)])
  func `only what the next attempt can go on with is of use, also to the next daemon`(
    checkpoint: ResumePoint?, bytes: Int64
  ) {
    var (bench, _) = running(checkpoint)
    let before = bench.supervisor.usableBytes(of: TransferID(1))

    bench.restart(boot: BootID("second"))

    #expect(before == bytes)
    #expect(bench.supervisor.usableBytes(of: TransferID(1)) == bytes)
    #expect(bench.supervisor.usableBytes(of: TransferID(2)) == 0)
  }

  @Test func `all is of use once it has come whole`() {
    var (bench, _) = running(nil)

    bench.finish(1)

    #expect(bench.supervisor.usableBytes(of: TransferID(1)) == nil)
  }

  @Test func `what a cancelled download has left is of use, and to who goes on with it`() {
    var (bench, client) = running(ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10))
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), bench.ticket()))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    let left = bench.supervisor.usableBytes(of: TransferID(1))
    var again = TransferRequest.made(2)
    again.url = "https://a.example/1"

    bench.ask(.enqueue(again, isSuspended: true, remnant: key), as: client)

    #expect(left == 7)
    #expect(bench.supervisor.usableBytes(of: TransferID(1)) == 7)
    #expect(bench.supervisor.usableBytes(of: TransferID(2)) == 7)
  }
}
