import CNightjarSpawn
import Glibc
import NightjarModel

/// What a new daemon does about the apps of one that died.
///
/// A record names a process by pid, start time and boot, and its cgroup by path and inode, wherever that daemon ran.
/// Whatever of it still lives is taken back into the books; but what a bundle's leader without a cgroup has left behind
/// is killed, as it is when the leader goes while a daemon runs. What lives in this home's cgroups without a record was
/// never let go by anybody, or belongs to a record that was lost: it is killed. Other homes' cgroups are not looked at.
struct Adoption {
  let launcher: Launcher

  func carryOut(_ found: (Survivor) -> Void) {
    let survivors = RunningRecord.all(in: launcher.home).compactMap(survivor)
    for running in survivors { takeBack(running, found) }
    sweepLeaves(except: Set(survivors.map(\.app)))
  }

  private func survivor(_ record: RunningRecord) -> Running? {
    let running = alive(record)
    if running == nil {
      killRemains(of: record)
      RunningRecord.remove(record.app, in: launcher.home)
    }
    return running
  }

  /// Kills what is left of an app's process group.
  ///
  /// The number may be another group's by now. One process whose environment names this life shows that it is not: while
  /// one of a group lives, its number is given to nobody else.
  private func killRemains(of record: RunningRecord) {
    guard record.boot == launcher.boot, record.leaf == nil, !record.isProgram else { return }
    let processes = Disk.names(in: "/proc").compactMap { Int32($0) }
    if processes.contains(where: { ProcessStatus(of: $0)?.group == record.pid && wasGiven(record, $0) }) {
      kill(-record.pid, SIGKILL)
    }
  }

  /// Whether a process, or one that it comes from, was started for a life in this home, called as it is called now.
  private func wasGiven(_ record: RunningRecord, _ pid: Int32) -> Bool {
    let variables = (Disk.bytes(of: "/proc/\(pid)/environ", max: 1 << 22) ?? []).split(separator: 0)
    var given = AppEnvironment.identity(record.app, life: record.life, home: launcher.home)
    given["NIGHTJAR_SOCKET"] = nil  // It may have lain elsewhere in the daemon's last life.
    return given.allSatisfy { name, value in variables.contains { $0.elementsEqual("\(name)=\(value)".utf8) } }
  }

  /// Told first and watched second: its end, which may have come already, is news of somebody who is known.
  private func takeBack(_ running: Running, _ found: (Survivor) -> Void) {
    launcher.enter(running)
    found(Survivor(app: running.app, life: running.life, pid: running.pid, isFrozen: running.isFrozen))
    launcher.lookout.perform { [launcher] in launcher.watch(running) }
  }

  private func alive(_ record: RunningRecord) -> Running? {
    guard record.boot == launcher.boot else { return nil }
    let leaf = record.leaf.flatMap(leaf)
    let pidfd = leader(of: record)
    // A leaf can outlive its leader; then any process of it stands in for the pidfd, and only the leaf is waited for.
    guard let held = pidfd ?? leaf?.folder, pidfd != nil || leaf?.isPopulated == true else { return nil }
    var running = Running(
      app: record.app, life: record.life, pid: record.pid, startTime: record.startTime, pidfd: held, leaf: leaf,
      isProgram: record.isProgram)
    if pidfd == nil { running.status = .unknown }
    return running
  }

  private func leaf(_ name: RunningRecord.LeafName) -> Leaf? {
    guard let leaf = try? Leaf(existing: name.path), leaf.inode == name.inode else { return nil }
    return leaf
  }

  /// Opened first and checked second, so that the process that was checked is the one that is held.
  private func leader(of record: RunningRecord) -> Descriptor? {
    let number = nightjar_pidfd_open(record.pid)
    guard number >= 0 else { return nil }
    let pidfd = Descriptor(owning: number)
    guard let status = ProcessStatus(of: record.pid), status.startTime == record.startTime else { return nil }
    return pidfd
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
