import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The processing tasks of an app` {
  private let sync = BackgroundRequest(identifier: "a.sync", kind: .processing)

  @Test func `get their turn, though one always fails and asks for itself again`() {
    var (bench, client) = Bench.withTaskUnderWay(sync)
    bench.fail(1, asking: sync, as: client)
    bench.pass(.minutes(16))
    bench.ask(.submit(BackgroundRequest(identifier: "b.clean", kind: .processing)), as: client)
    bench.fail(2, asking: sync, as: client)

    let messages = bench.pass(.minutes(28)).messages

    #expect(
      messages == [.performRequestedTask(number: 3, kind: .processing, identifier: "b.clean", remaining: .minutes(10))])
  }
}

extension Bench {
  /// The task that runs fails, and the app has asked for one before.
  fileprivate mutating func fail(_ number: Int64, asking request: BackgroundRequest, as client: Client) {
    ask(.submit(request), as: client)
    ask(.finishRequestedTask(number, success: false), as: client)
    stand()
  }
}
