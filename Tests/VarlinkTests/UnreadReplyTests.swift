import Glibc
import Synchronization
import TestThreads
import Testing

@testable import Varlink

/// What a service holds for clients that read no replies.
@Suite(.blocking) struct UnreadReplyTests {
  private struct Text: Codable, Sendable { var text: String }

  /// What waits for all clients whose calls were heard; the most that it ever was.
  private final class Scales: Sendable {
    private let state = Mutex((connections: [VarlinkConnection](), most: 0))

    var most: Int { state.withLock { $0.most } }

    func weigh(_ connection: VarlinkConnection) {
      state.withLock { state in
        state.connections.append(connection)
        state.most = max(state.most, state.connections.reduce(0) { $0 + $1.unsentBytes })
      }
    }
  }

  @Test func `the bound for all clients holds while many of them have calls at the same moment`() async throws {
    let (scales, gate, gone) = (Scales(), WaitingBox<Bool>(), Expected<TransportError>())
    let reply = Text(text: String(repeating: "x", count: 1 << 20))
    var interface = try VarlinkInterface("interface a.b\nmethod Wait() -> ()\nmethod Give() -> (text: string)")
    interface.handle("Wait", taking: NoParameters.self, replying: NoParameters.self) { call in
      _ = gate.take(timeout: .seconds(60))
      call.reply()
    }
    interface.handle("Give", taking: NoParameters.self, replying: Text.self) { call in
      call.reply(reply)
      scales.weigh(call.connection)
    }
    var limits = VarlinkService.Limits()
    limits.outputBytesMax = 1 << 20
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [interface], limits: limits,
      hooks: .init(onDisconnect: { gone.report($1) }))
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@varlink-unread-\(getpid())"))
    try service.start(on: [listener])
    defer { service.stop() }
    let first = try RawPeer(listener.address)
    first.write(#"{"method":"a.b.Wait"}"# + "\0")

    // They are all heard in one go once the service is free again.
    let peers = try (0..<20).map { _ in try RawPeer(listener.address) }
    for peer in peers { peer.write(#"{"method":"a.b.Give"}"# + "\0") }
    gate.put(true)
    let ends = try await gone.first(18)

    // The limit, the share of every client, and the reply that exceeds them.
    #expect(scales.most <= (1 << 20) + 20 * VarlinkService.Limits.ownBytes + (1 << 20) + 100)
    #expect(ends.allSatisfy { $0.code == .overflow })
    withExtendedLifetime((first, peers)) {}
  }
}
