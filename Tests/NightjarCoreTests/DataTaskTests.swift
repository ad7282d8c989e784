import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A data task` {
  private static let head = Response(url: "http://farm.example/1", status: 200, headers: [])

  private static func asking() -> (Bench, Client) {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var request = TransferRequest.made(1)
    request.options.showsAnswer = true
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .asked(.answer(head))))
    return (bench, client)
  }

  @Test func `shows its app the head of the answer, and goes on as a download that asks no more`() {
    var (bench, client) = Self.asking()
    let asked = bench.deeds.questions

    bench.ask(.decide(1, .performDefault, asks: nil), as: client)
    let starts = bench.deeds.starts
    bench.restart()

    #expect(asked == [.init(number: 1, session: "main", task: 1, question: .answer(Self.head))])
    #expect(starts.map(\.attempt) == [2] && starts.first?.request.options.showsAnswer == false)
    #expect(bench.view(TransferID(1))?.request.options.showsAnswer == false)
  }

  @Test func `that its app does not want is cancelled`() {
    var (bench, client) = Self.asking()

    bench.ask(.decide(1, .cancel, asks: nil), as: client)

    #expect(bench.view(TransferID(1))?.failure?.code == .cancelled)
  }

  @Test func `that nobody makes a download of within a day is cancelled`() {
    var (bench, _) = Self.asking()

    bench.pass(.hours(24))

    let failure = bench.view(TransferID(1))?.failure
    #expect(failure?.code == .cancelled)
    #expect(failure?.detail.contains("did not say in time") == true)
  }

  @Test func `is no upload, and nobody's but an app's`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var upload = TransferRequest.made(1)
    upload.direction = .upload(path: "/film", stamp: oneFile.stamp)
    upload.options.showsAnswer = true

    let answer = bench.ask(.enqueue(upload, isSuspended: false), as: client)

    guard case .refused(.invalid("options.showsAnswer", _))? = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
  }
}
