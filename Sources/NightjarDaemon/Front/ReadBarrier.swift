import NightjarPlatform
import Synchronization
import Varlink

/// Has everything that a client wrote handled before its end is reported.
///
/// The end of a process shows in several places, its connections and the process itself, which are watched by different
/// threads. None of them may overtake what the process wrote last: a download that it queued just before would be
/// refused, since its sender is not attached.
final class ReadBarrier: Sendable {
  private struct Ear { weak var service: VarlinkService? }

  private let ear = Mutex(Ear())

  /// Sets the service whose clients are looked at; before that there are none.
  func listen(to service: VarlinkService) {
    ear.withLock { $0.service = service }
  }

  /// Calls `then` once, on any thread, when everything that the matching clients wrote before this call is handled.
  func heard(_ isMeant: (Peer) -> Bool, then: @escaping @Sendable () -> Void) { hear(clients(isMeant)[...], then) }

  /// Like ``heard(_:then:)``, for clients whose processes are gone. It also closes their connections, even if another
  /// process has inherited them: nothing waits for that one to read its replies.
  func hangUp(_ isMeant: (Peer) -> Bool, then: @escaping @Sendable () -> Void) {
    let clients = clients(isMeant)
    for client in clients { client.hangUp() }
    hear(clients[...], then)
  }

  private func clients(_ isMeant: (Peer) -> Bool) -> [VarlinkConnection] {
    let all = ear.withLock { $0.service }?.connections ?? []
    return all.filter { isMeant($0.peer(as: Peer.self)) }
  }

  private func hear(_ clients: ArraySlice<VarlinkConnection>, _ then: @escaping @Sendable () -> Void) {
    guard let first = clients.first else { return then() }
    first.whenHeard { [self] in hear(clients.dropFirst(), then) }
  }
}
