import Glibc
import NightjarModel

/// How an app ends, by order or by itself.
extension Launcher {
  func finish(_ app: AppID, life: Int, politely: Bool) {
    guard let running = running(app, life: life) else { return }
    guard !running.isProgram else { return disown(running) }
    awaitNoFreeze(of: running)
    if running.status == nil { change(app) { $0.isEnding = true } }  // How its leader ended is settled otherwise.
    // A leader that is gone can be asked nothing.
    if politely && running.status == nil { ask(running) } else { running.kill() }
  }

  /// Strikes a program from the books and leaves it to itself, but for reaping it once it has ended.
  private func disown(_ running: Running) {
    if let starting = running.starting { settle(starting, of: running.app) }
    running.watches.forEach(lookout.cancel)
    strike(running)
    report(running.app, running.life, .exited(status: "was parted with", isCrash: false))
    guard running.status == nil else { return }
    part(with: running, watched(running.pidfd, for: .readable, of: running.app) { self.partedEnded(running.pid) })
  }

  private func partedEnded(_ pid: Int32) {
    guard let (running, watch) = parted(pid) else { return }
    lookout.cancel(watch)
    _ = ExitStatus.taken(pidfd: running.pidfd, pid: pid, startTime: running.startTime)
  }

  /// The leader has ended: takes its status, and the rest of its group with it where there is no leaf to wait for.
  func leaderEnded(_ app: AppID, life: Int) {
    guard let running = running(app, life: life), running.status == nil else { return }
    if running.leaf == nil && !running.isProgram { endGroup(of: running) }
    let status = ExitStatus.taken(pidfd: running.pidfd, pid: running.pid, startTime: running.startTime)
    change(app) { running in
      running.status = status
      // The pidfd would stay readable.
      if let watch = running.watches.first { lookout.cancel(watch) }
      running.watches.removeFirst()
    }
    if !running.isEnding, running.leaf?.isPopulated == true { report(app, life, .orphaned(leader: running.pid)) }
    concludeIfEmpty(app, life: life)
  }

  /// Kills what is left of a group whose leader has ended. An adopted leader is reaped by others, perhaps already.
  func endGroup(of running: Running) {
    if !running.signalGroup(SIGKILL) { running.record(in: boot).killRemains(in: home, boot: boot) }
  }

  /// The app's cgroup has changed: it may be empty now, or frozen.
  func leafChanged(_ app: AppID, life: Int) {
    guard let running = running(app, life: life) else { return }
    if running.isFrozen {
      change(app) { $0.awaitingFreeze = [] }
      running.awaitingFreeze.forEach { $0(true) }
    }
    concludeIfEmpty(app, life: life)
  }

  private func concludeIfEmpty(_ app: AppID, life: Int) {
    guard let running = running(app, life: life), let status = running.status, running.leaf?.isPopulated != true
    else { return }
    running.watches.forEach(lookout.cancel)
    strike(running)
    running.awaitingFreeze.forEach { $0(false) }
    report(app, life, status.fact(ordered: running.isEnding))
  }

  /// Sends the signal before it thaws the app, so that it is the first thing the app finds when it runs on.
  private func ask(_ running: Running) {
    running.signalLeader(SIGTERM)
    if let leaf = running.leaf { _ = leaf.setFrozen(false) } else { running.signalGroup(SIGCONT) }
  }
}
