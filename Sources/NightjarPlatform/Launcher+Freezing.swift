import Glibc
import NightjarModel

/// How an app is made to stand still, and to run on.
extension Launcher {
  // The kernel tells of changes to cgroup.events at most every 10 ms, but has often frozen an app within 30 µs.
  private static let looksMax = 50

  func stop(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    guard let running = running(app, life: life), !running.isProgram, running.status == nil else { return done(false) }
    guard let leaf = running.leaf else {
      running.signalGroup(SIGSTOP)
      return done(Self.becomes(true) { running.isFrozen })
    }
    guard leaf.setFrozen(true) else { return done(false) }
    if Self.becomes(true, { leaf.isFrozen }) { return done(true) }
    change(app) { $0.awaitingFreeze.append(done) }
    leafChanged(app, life: life)
  }

  func resume(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    guard let running = running(app, life: life), !running.isProgram else { return done(false) }
    change(app) { $0.awaitingFreeze = [] }
    running.awaitingFreeze.forEach { $0(false) }
    guard let leaf = running.leaf else {
      running.signalGroup(SIGCONT)
      return done(Self.becomes(false) { running.isFrozen })
    }
    done(leaf.setFrozen(false) && Self.becomes(false) { leaf.isFrozen })
  }

  private static func becomes(_ wanted: Bool, _ state: () -> Bool) -> Bool {
    for _ in 0..<looksMax {
      if state() == wanted { return true }
      sched_yield()
    }
    return false
  }
}
