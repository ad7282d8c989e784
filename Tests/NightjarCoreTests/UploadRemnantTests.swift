import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `What a cancelled or failed upload leaves` {
  private let stamp = FileStamp(size: 10, modified: 1, inode: 1)
  private let point = ResumePoint(
    offset: 7, validator: nil, length: 10, upload: UploadResource(url: "https://a.example/u/7", version: .eight))

  private func upload(_ number: UInt64, stamp: FileStamp? = nil) -> TransferRequest {
    var request = TransferRequest.made(number)
    (request.url, request.method) = ("https://a.example/1", "PUT")
    request.direction = .upload(path: "/up", stamp: stamp ?? self.stamp)
    return request
  }

  /// An upload of which the server has seven bytes was cancelled; what it left.
  private func cancelled(at point: ResumePoint?) -> (Bench, Client, Remnant?) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(upload(1), isSuspended: false), as: client)
    if let point { bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point))) }
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    guard case .left(let remnant)? = bench.answer(to: ticket) else { return (bench, client, nil) }
    return (bench, client, remnant)
  }

  @Test func `is where another goes on, once, in a later life of the daemon too`() {
    var (bench, client, remnant) = cancelled(at: point)
    bench.ask(.acknowledge([1]), as: client)
    bench.restart()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    let first = bench.ask(.enqueue(upload(2), isSuspended: false, remnant: remnant?.key), as: client)
    let start = bench.deeds.starts.first
    let second = bench.ask(.enqueue(upload(3), isSuspended: false, remnant: remnant?.key), as: client)

    #expect(remnant?.source == stamp && remnant?.stagedBytes == 0)
    #expect(first == .resumed(TransferID(2), point) && start?.resume == point)
    #expect(second == .accepted(TransferID(3)) && bench.deeds.starts.first?.resume == nil)
  }

  @Test func `is nothing where the server keeps nothing`() {
    let (bench, _, remnant) = cancelled(at: nil)

    #expect(remnant == nil && bench.rows.memory.remnants.isEmpty)
  }

  @Test func `is left by a failure, but not where the file has changed`() {
    for (code, count) in [(TransferFailure.Code.badRedirect, 1), (.sourceChanged, 0)] {
      var (bench, client) = Bench.withRunningApp()
      bench.ask(.enqueue(upload(1), isSuspended: false), as: client)
      bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))

      bench.send(.transfer(TransferID(1), attempt: 1, .failed(TransferFailure(code, "no"), retryAfter: nil)))

      #expect(bench.rows.memory.remnants.count == count, "\(code)")
    }
  }

  @Test func `is not for another file, nor for a download`() {
    var (bench, client, remnant) = cancelled(at: point)
    var download = upload(3)
    (download.direction, download.method) = (.download, "GET")

    let other = upload(2, stamp: FileStamp(size: 10, modified: 2, inode: 1))
    let answers = [other, download].map {
      bench.ask(.enqueue($0, isSuspended: false, remnant: remnant?.key), as: client)
    }

    guard case .refused(.invalid("remnant", let why))? = answers[0], case .refused(.invalid("remnant", _))? = answers[1]
    else { return #expect(Bool(false), "it was taken: \(answers)") }
    #expect(why.contains("/up is no longer the file"))
    #expect(bench.rows.memory.remnants.count == 1)
  }

  @Test func `holds no bytes in the staging area, and removes none`() {
    var limits = Limits()
    limits.remnantsPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...2 as ClosedRange<UInt64> {
      let id = TransferID(Int64(number))
      bench.ask(.enqueue(upload(number), isSuspended: false), as: client)
      bench.send(.transfer(id, attempt: 1, .checkpointed(point)))
      bench.send(.transfer(id, attempt: 1, .failed(TransferFailure(.badRedirect, "no"), retryAfter: nil)))
    }

    #expect(bench.rows.memory.remnants.map(\.transfer) == [TransferID(2)])
    #expect(bench.deeds.contains(.discard(TransferID(2))))  // The reply that never came.
    #expect(!bench.deeds.contains(.discard(TransferID(1))) && !bench.supervisor.remembers(TransferID(9)))
  }
}
