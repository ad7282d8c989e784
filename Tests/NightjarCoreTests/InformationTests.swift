import NightjarModel
import Testing

@testable import NightjarCore

private let hint = Response(
  url: "https://a.example/1", status: 103, headers: [HTTPField("Link", "</style.css>; rel=preload")])
private let informed = Event.transfer(TransferID(1), attempt: 1, .informed(hint))

/// What servers say before their answers.
@Suite struct InformationTests {
  @Test func `what a server says before its answer is told to whoever holds the session, and not remembered`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.send(informed)

    #expect(bench.deeds == [.tell(client.connection, .informed(session: "main", task: 1, hint))])
    #expect(!bench.hasCommitted && bench.view(TransferID(1))?.count == 0)
  }

  @Test func `the answer itself is kept as long as its body comes, and listed to a later life of its app`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let answer = Response(url: hint.url, status: 206, headers: [])

    bench.send(.transfer(TransferID(1), attempt: 1, .informed(answer)))
    let told = bench.deeds
    let during = bench.view(TransferID(1))?.response
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))
    let after = bench.view(TransferID(1))?.response
    bench.pass(.seconds(30))

    #expect(told == [.tell(client.connection, .informed(session: "main", task: 1, answer))])
    #expect(during == answer && after == nil)
    #expect(bench.view(TransferID(1))?.attempts == 2 && bench.view(TransferID(1))?.response == nil)
  }

  @Test func `nobody is launched or woken for it, and who was away does not hear it later`() {
    var bench = Bench.withTasksOfEndedApp()

    bench.send(informed)
    let meanwhile = bench.deeds
    bench.order(.launch(farm, arguments: []))
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(meanwhile.isEmpty)
    #expect(bench.deeds.messages.isEmpty)
  }

  @Test func `an app that stands still is neither told nor woken`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.suspend(client)

    bench.send(informed)

    #expect(bench.deeds.isEmpty)
  }

  @Test func `what was said to an attempt that is over is not told`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))
    let inPause = bench.send(informed)
    bench.pass(.seconds(30))

    let late = bench.send(informed)
    let timely = bench.send(.transfer(TransferID(1), attempt: 2, .informed(hint)))

    #expect(inPause.isEmpty && late.isEmpty)
    #expect(timely == [.tell(client.connection, .informed(session: "main", task: 1, hint))])
  }
}
