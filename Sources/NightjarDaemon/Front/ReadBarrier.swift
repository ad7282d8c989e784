import NightjarPlatform
import Synchronization
import Varlink

/// Sees to it that what a client has written is handled before anybody hears that the client is gone.
///
/// The end of a process shows in several places, its connections and the process itself, which are watched by different
/// threads. None of them may overtake what the process wrote last: a download that it has just queued would be refused, as
/// if from somebody who was never there.
final class ReadBarrier: Sendable {
  private struct Ear { weak var service: VarlinkService? }

  private let ear = Mutex(Ear())

  /// Names the service whose clients are meant; before that there are none.
  func listen(to service: VarlinkService) {
    ear.withLock { $0.service = service }
  }

  /// Calls once when all that the clients that are meant have written before this moment is handled, on any thread.
  func heard(_ isMeant: (Peer) -> Bool, then: @escaping @Sendable () -> Void) { hear(clients(isMeant)[...], then) }

  /// The same of clients whose processes are gone. Their connections close then, whoever may have inherited them: nothing waits
  /// for such a one to read what it was sent.
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
