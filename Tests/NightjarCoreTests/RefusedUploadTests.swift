import NightjarModel
import Testing

@testable import NightjarCore

/// Uploads that the server has not taken.
@Suite struct RefusedUploadTests {
  private let refusal = Response(url: "https://a.example/1", status: 413, headers: [])
  private let words = StagedFile(path: "/staging/1", stamp: FileStamp(size: 9, modified: 1, inode: 7))

  @Test(arguments: [300, 304, 307]) func `an upload that is sent elsewhere, and not told where, has failed`(status: Int)
  {
    var bench = benchWithUpload()

    let answer = Response(url: "https://a.example/1", status: status, headers: [])
    bench.send(.transfer(TransferID(1), attempt: 1, .finished(answer, words)))

    #expect(bench.view(TransferID(1))?.state == .failed)
    #expect(
      bench.view(TransferID(1))?.failure?.detail == "the server answered \(status), so it did not take the file")
  }

  @Test func `an upload from the command line has failed, and what the server said is kept over a restart`() {
    var bench = benchWithUpload()

    bench.send(.transfer(TransferID(1), attempt: 1, .finished(refusal, words)))
    let seen = bench.view(TransferID(1))
    bench.restart()

    #expect(seen?.state == .failed)
    #expect(seen?.failure?.detail == "the server answered 413, so it did not take the file")
    #expect(seen?.file == words && seen?.response == refusal)
    #expect(bench.view(TransferID(1))?.failure == seen?.failure && bench.view(TransferID(1))?.file == words)
  }

  @Test(arguments: [500, 502, 504]) func `an upload over which a server broke down may have been taken`(status: Int) {
    var bench = benchWithUpload()

    let answer = Response(url: "https://a.example/1", status: status, headers: [])
    bench.send(.transfer(TransferID(1), attempt: 1, .finished(answer, words)))

    let detail = "the server answered \(status); it may have taken the file all the same"
    #expect(bench.view(TransferID(1))?.failure?.detail == detail)
  }

  @Test func `an upload whose page is not to be had has failed, and may have been taken`() {
    var bench = benchWithUpload()
    let page = UploadResource(url: "https://a.example/page", version: nil)
    let point = ResumePoint(offset: 1, validator: nil, length: 1, upload: page)

    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.send(.transfer(TransferID(1), attempt: 1, .finished(refusal, words)))
    let seen = bench.view(TransferID(1))
    bench.restart()

    #expect(seen?.failure?.detail == "the server answered 413 where it led on to; it may have taken the file")
    #expect(bench.view(TransferID(1))?.failure == seen?.failure)
  }

  @Test func `an upload that was answered before all of it had left has failed, also after a restart`() {
    var bench = benchWithUpload()
    var early = Response(url: "https://a.example/1", status: 200, headers: [])
    early.noteEarly(sent: 1, of: 9)

    bench.send(.transfer(TransferID(1), attempt: 1, .finished(early, words)))
    let seen = bench.view(TransferID(1))
    bench.restart()

    let detail = "the server answered 200 when only 1 of 9 bytes had left, so it cannot have the file"
    #expect(seen?.state == .failed && seen?.failure?.detail == detail)
    #expect(bench.view(TransferID(1))?.failure == seen?.failure)
  }

  @Test func `an app is told of the answer, and judges it itself`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(upload(.made(1)), isSuspended: false), as: client)

    bench.send(.transfer(TransferID(1), attempt: 1, .finished(refusal, words)))

    #expect(bench.view(TransferID(1))?.state == .succeeded)
    #expect(bench.view(TransferID(1))?.failure == nil)
  }

  private func benchWithUpload() -> Bench {
    var bench = Bench()
    bench.send(.started)
    bench.order(.enqueue(upload(.made(1, app: .commandLine, session: nil))))
    return bench
  }

  private func upload(_ request: TransferRequest) -> TransferRequest {
    var request = request
    request.direction = .upload(path: "/a", stamp: FileStamp(size: 1, modified: 1, inode: 1))
    return request
  }
}
