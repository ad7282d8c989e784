import Dispatch
import Glibc
import NightjarModel
import Synchronization
import TestThreads
import Testing
import Varlink

@testable import NightjarDaemon
@testable import NightjarPlatform

@Suite(.blocking, .timeLimit(.minutes(2))) struct ReadBarrierTests {
  @Test func `whoever is gone is hung up on, though its socket lives on elsewhere`() throws {
    let gone = Mutex<[Int32]>([])
    let count = Atomic<Int32>(0)
    let bell = DispatchSemaphore(value: 0)
    let hooks = VarlinkService.Hooks(
      onConnect: { _ in
        Peer(pid: count.add(1, ordering: .relaxed).newValue, uid: getuid(), app: AppID("a"))
      },
      onDisconnect: { connection, _ in
        gone.withLock { $0.append(connection.peer(as: Peer.self).pid) }
        bell.signal()
      })
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [], hooks: hooks)
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@nightjar-barrier-\(getpid())"))
    try service.start(on: [listener])
    let clients = try (0..<2).map { _ in try VarlinkClient(to: VarlinkAddress(listener.address)) }
    for client in clients { _ = try client.information() }
    let barrier = ReadBarrier()
    barrier.listen(to: service)

    barrier.hangUp({ $0.pid == 1 }, then: { bell.signal() })
    for _ in 0..<2 { #expect(bell.wait(timeout: .now() + 60) == .success) }  // For both, in either order.

    #expect(gone.withLock { $0 } == [1])
    service.stop()
    withExtendedLifetime(clients) {}
  }
}
