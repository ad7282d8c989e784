import Dispatch
import Synchronization

/// Something of the app's that is under way, and that a simulation's time waits for: a member of a group until it has ended,
/// or nobody can end it any more. A queue that the app has suspended and let go never runs what lies on it.
final class Presence: Sendable {
  private let group: DispatchGroup
  private let isOver = Atomic(false)

  init(in group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit { end() }

  func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }
}
