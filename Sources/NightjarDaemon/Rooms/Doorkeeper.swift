import Logging
import NightjarModel
import NightjarPlatform
import Synchronization
import Varlink

/// Lets clients in, and keeps any one of them from using up all connections: an app with its child processes may have
/// `seatsMax`, and so may every other process.
final class Doorkeeper: Sendable {
  private enum Holder: Hashable, CustomStringConvertible {
    case app(AppID)
    case process(Int32)

    init(_ peer: Peer) { self = peer.app.map { .app($0) } ?? .process(peer.pid) }

    var description: String {
      switch self {
      case .app(let id): "\(id)"
      case .process(let pid): "process \(pid)"
      }
    }
  }

  /// Why a client is not let in.
  private struct Turned: Error, CustomStringConvertible {
    let description: String
  }

  private struct Seats {
    var taken = 0
    /// Whether the log already says that all are taken.
    var isKnownFull = false
  }

  private let identity: PeerIdentity
  private let seatsMax: Int
  private let logger: Logger
  private let seats = Mutex<[Holder: Seats]>([:])
  private let isRefusing = Atomic(false)

  init(_ identity: PeerIdentity, seatsMax: Int, logger: Logger) {
    (self.identity, self.seatsMax, self.logger) = (identity, seatsMax, logger)
  }

  /// Identifies the client at the other end of a socket and gives it a place.
  ///
  /// - Throws: If the client belongs to another user, has gone, or has all the places that it may have. The last is
  ///   logged once, however often the client retries, and the first two once until somebody is known again: without a
  ///   free descriptor, everybody is refused.
  func admit(_ socket: CInt) throws -> Peer {
    let peer: Peer
    do {
      peer = try identity.peer(of: socket)
    } catch {
      let isNews = !isRefusing.exchange(true, ordering: .relaxed)
      if isNews { logger.warning("a client was refused: \(error.detail)") }
      throw error
    }
    isRefusing.store(false, ordering: .relaxed)
    guard !takeSeat(Holder(peer)) else { return peer }
    throw Turned(description: "process \(peer.pid) has all the connections that it may have")
  }

  private func takeSeat(_ holder: Holder) -> Bool {
    let (isFree, isNews) = seats.withLock { seats in
      var own = seats[holder, default: Seats()]
      defer { seats[holder] = own }
      if own.taken < seatsMax {
        own.taken += 1
        return (true, false)
      }
      defer { own.isKnownFull = true }
      return (false, !own.isKnownFull)
    }
    if isNews { logger.warning("\(holder) has \(seatsMax) connections, which is all it may have: more are closed") }
    return isFree
  }

  /// Frees the place of a client that has gone.
  func part(_ peer: Peer) {
    let holder = Holder(peer)
    seats.withLock { seats in
      guard var own = seats[holder] else { return }
      own.taken -= 1
      if own.taken < seatsMax / 2 { own.isKnownFull = false }
      seats[holder] = own.taken == 0 ? nil : own
    }
  }
}
