import Glibc
import TestThreads
import Testing

@testable import Varlink

@Suite(.blocking) struct CallTimeTests {
  @Test(.timeLimit(.minutes(1)), arguments: [Duration.seconds(-1), .seconds(-1_000_000_000), .seconds(Int64.min)])
  func `a time that is over before it begins is no time`(timeout: Duration) {
    #expect(WaitingBox<Int>().take(timeout: timeout) == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a call that nobody reads keeps its time, and is sent whole once somebody does`() throws {
    let (client, far) = try Self.pair()
    let text = TestService.Text(text: String(repeating: "x", count: 2_000_000))
    let message = try Wire.call("a.b.C", text, flag: nil)

    let error = #expect(throws: TransportError.self) {
      try client.call("a.b.C", text, returning: TestService.Text.self, timeout: .milliseconds(20))
    }

    #expect(error?.code == .timedOut)
    #expect(Self.read(message.count, from: far) == message)
    close(far)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an awaited call that nobody reads is cancelled at once, and is sent whole all the same`() async throws {
    let (client, far) = try Self.pair()
    let text = TestService.Text(text: String(repeating: "x", count: 2_000_000))
    let message = try Wire.call("a.b.C", text, flag: nil)

    let task = Task { try await client.call("a.b.C", text, returning: TestService.Text.self) }
    task.cancel()
    let result = await task.result

    #expect(throws: CancellationError.self) { try result.get() }
    #expect(Self.read(message.count, from: far) == message)
    close(far)
  }

  /// A client, and the far end of its line, at which nobody reads.
  private static func pair() throws -> (VarlinkClient, CInt) {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var patience = timeval(tv_sec: 30, tv_usec: 0)  // Only a broken test waits so long; then it fails.
    setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return (try VarlinkClient(adopting: ends[0]), ends[1])
  }

  private static func read(_ count: Int, from descriptor: CInt) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(descriptor, &bytes, count, CInt(MSG_WAITALL))
    return Array(bytes.prefix(max(received, 0)))
  }
}
