import Glibc
import NightjarModel

/// How an app is made to stand still, and to run on.
extension Launcher {
  // The kernel tells of changes to cgroup.events at most every 10 ms, but has often frozen an app within 30 µs.
  private static let looksMax = 50

  func stop(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    guard let running = running(app, life: life), !running.isProgram, running.canBeStopped else { return done(false) }
    if let leaf = running.leaf {
      guard leaf.setFrozen(true) else { return done(false) }
      guard !running.leaderIsElsewhere else {
        _ = leaf.setFrozen(false)
        return done(false)
      }
    } else {
      running.signalGroup(SIGSTOP)
    }
    if Self.becomes(true, { running.isFrozen }) { return done(true) }
    change(app) { $0.awaitingFreeze.append(done) }
    // A cgroup tells when it is frozen; a process group does not.
    if running.leaf == nil { lookAgainSoon() } else { leafChanged(app, life: life) }
  }

  /// Looks at the process groups that have been told to stop.
  func lookAgain() {
    for running in awaited { leafChanged(running.app, life: running.life) }
    if !awaited.isEmpty { lookAgainSoon() }
  }

  func resume(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    guard let running = running(app, life: life), !running.isProgram else { return done(false) }
    awaitNoFreeze(of: running)
    guard let leaf = running.leaf else {
      running.signalGroup(SIGCONT)
      return done(Self.becomes(false) { running.isFrozen })
    }
    done(leaf.setFrozen(false) && Self.becomes(false) { leaf.isFrozen })
  }

  /// Gives up waiting until an app stands still: it is to run on, or to end.
  func awaitNoFreeze(of running: Running) {
    change(running.app) { $0.awaitingFreeze = [] }
    running.awaitingFreeze.forEach { $0(false) }
  }

  private static func becomes(_ wanted: Bool, _ state: () -> Bool) -> Bool {
    for _ in 0..<looksMax {
      if state() == wanted { return true }
      sched_yield()
    }
    return false
  }
}

extension Running {
  /// Whether there is something that can be told to stand still: a cgroup can be without the leader.
  fileprivate var canBeStopped: Bool { leaf != nil || status == nil }
}
