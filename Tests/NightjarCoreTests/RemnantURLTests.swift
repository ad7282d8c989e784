import NightjarModel
import Testing

@testable import NightjarCore

/// What a download of a URL with a name and a password leaves …
@Suite struct RemnantURLTests {
  private let secret = "https://anna:old@a.example/1"

  private func request(_ number: UInt64, _ url: String) -> TransferRequest {
    var request = TransferRequest.made(number)
    request.url = url
    return request
  }

  /// A bench on which such a download has failed with seven bytes; the remnant's key.
  private func failed() -> (Bench, Client, RequestKey) {
    var (bench, client) = Bench.withRunningApp()
    let request = request(1, secret)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(TransferFailure(.badRedirect, "no"), retryAfter: nil)))
    return (bench, client, request.key)
  }

  @Test(arguments: ["https://a.example/1", "https://anna:new@a.example/1", "https://anna:old@a.example/1"])
  func `is kept without them, and found whoever asks`(url: String) {
    var (bench, client, key) = failed()
    let kept = bench.rows.memory.remnants.map(\.url)

    let answer = bench.ask(.enqueue(request(2, url), isSuspended: true, remnant: key), as: client)

    #expect(kept == ["https://a.example/1"])
    #expect(answer?.hasResumed == true, "\(String(describing: answer))")
  }

  @Test func `is found again where an older version has kept them`() {
    var (bench, client, key) = failed()
    bench.rows.memory.remnants[0].url = secret
    bench.restart()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    let next = request(2, "https://a.example/1")
    let answer = bench.ask(.enqueue(next, isSuspended: true, remnant: key), as: client)

    #expect(answer?.hasResumed == true, "\(String(describing: answer))")
  }
}

extension Answer {
  fileprivate var hasResumed: Bool { if case .resumed = self { true } else { false } }
}
