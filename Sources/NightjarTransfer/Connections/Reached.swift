import NIOCore
import Synchronization

/// A channel that was connected, and what was made ready on it.
struct Reached<Ready: Sendable>: Sendable {
  var channel: any Channel
  var ready: Ready
}

/// What was made ready on each of the channels with which a name's addresses are tried. Only one of them is kept, and
/// the end of the others must not be taken for its end.
final class Trials<Ready: Sendable>: Sendable {
  private let memory = Mutex<[ObjectIdentifier: Ready]>([:])

  /// Makes a channel ready.
  func begin(_ channel: any Channel, _ prepare: (any Channel) throws -> Ready) throws {
    let ready = try prepare(channel)
    memory.withLock { $0[ObjectIdentifier(channel)] = ready }
  }

  /// The channel that got through, with what is its own.
  func reached(_ channel: any Channel) -> Reached<Ready> {
    guard let ready = memory.withLock({ $0[ObjectIdentifier(channel)] }) else {
      preconditionFailure("a channel got through that was never made ready: \(channel)")
    }
    return Reached(channel: channel, ready: ready)
  }
}
