import Dispatch
import Synchronization

/// Work of the app that a simulation's time waits for: a member of a group until it has ended, or is released because
/// it cannot end any more. A queue that the app has suspended and released never runs its operations.
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
