import NightjarModel
import Testing

@testable import NightjarCore

/// Credentials of requests that are gone.
@Suite struct ForgottenCredentialsTests {
  @Test(arguments: [
    ("https://anna:pw@a.example/1", "Accept", true), ("https://a.example/1", "authorization", true),
    ("https://a.example/@1", "Accept", false),
  ])
  func `are known to be gone once their transfer is removed`(url: String, field: String, holdsAny: Bool) {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.made(1)
    (request.url, request.headers) = (url, [HTTPField(field, "x")])
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.finish(1)
    let early = bench.hasForgotten

    bench.ask(.acknowledge([1]), as: client)

    #expect(bench.rows.memory.transfers.isEmpty)
    #expect(!early && bench.hasForgotten == holdsAny)
  }

  @Test func `are known to be gone with an upload whose URL is a secret`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(TransferRequest.made(1), isSuspended: false), as: client)
    let resource = UploadResource(url: "https://a.example/secret", version: .eight)
    let point = ResumePoint(offset: 1, validator: nil, length: 2, upload: resource)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.finish(1)

    bench.ask(.acknowledge([1]), as: client)

    #expect(bench.rows.memory.transfers.isEmpty && bench.hasForgotten)
  }

  @Test func `are known to be gone once another request takes the place of theirs`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var request = TransferRequest.made(1)
    request.url = "https://anna:pw@a.example/1"
    request.options.earliestBegin = Timestamp(seconds: 1_700_000_060)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))

    let line = RequestLine(method: "GET", url: "https://a.example/1", headers: [])
    bench.ask(.decide(1, .replace(line), asks: nil), as: client)

    #expect(bench.hasForgotten)
  }
}
