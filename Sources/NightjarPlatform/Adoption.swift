import NightjarModel

/// What a new daemon does about the apps of one that died.
///
/// A record names a process by pid, start time and boot, and its cgroup by path and inode, wherever that daemon ran.
/// Apps that still live are taken back into the books; but what a bundle's leader without a cgroup has left behind is
/// killed, as it is when the leader ends while a daemon runs. A process in this home's cgroups without a record was
/// never let go, or its record was lost: it is killed. Other homes' cgroups are not looked at.
struct Adoption {
  let launcher: Launcher

  func carryOut(_ found: (Survivor) -> Void) {
    let survivors = RunningRecord.all(in: launcher.home).compactMap(survivor)
    for running in survivors { takeBack(running, found) }
    sweepLeaves(except: Set(survivors.map(\.app)))
  }

  private func survivor(_ record: RunningRecord) -> Running? {
    let running = record.alive(in: launcher.boot)
    if running == nil {
      record.killRemains(in: launcher.home, boot: launcher.boot)
      RunningRecord.remove(record.app, in: launcher.home)
    }
    return running
  }

  /// Reported first and watched second: its end, which may have come already, must not be reported before it.
  private func takeBack(_ running: Running, _ found: (Survivor) -> Void) {
    launcher.enter(running)
    found(Survivor(app: running.app, life: running.life, pid: running.pid, isFrozen: running.isFrozen))
    launcher.lookout.perform { [launcher] in launcher.watch(running) }
  }

  private func sweepLeaves(except known: Set<AppID>) {
    guard case .cgroup(let parent) = launcher.suspension else { return }
    for name in Disk.names(in: parent) {
      let path = parent + "/" + name
      guard Disk.status(of: path).map(Disk.isFolder) == true, !known.contains(AppID(name)),
        let leaf = try? Leaf(existing: path)
      else { continue }
      if leaf.isPopulated && leaf.kill() { leaf.waitUntilEmpty(milliseconds: 1000) }
      leaf.remove()
    }
  }
}
