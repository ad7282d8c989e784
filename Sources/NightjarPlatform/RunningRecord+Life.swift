import CNightjarSpawn
import Glibc

/// What still lives of an app that a record names, after the daemon that wrote it is gone.
extension RunningRecord {
  /// The app as it runs, or what is left of it in its cgroup; nil if nothing of it lives that can be recognised.
  ///
  /// - Parameter boot: The present boot.
  func alive(in boot: String) -> Running? {
    guard self.boot == boot else { return nil }
    let (leaf, pidfd) = (livingLeaf, leader)
    // A leaf can outlive its leader; then any process of it stands in for the pidfd, and only the leaf is waited for.
    guard let held = pidfd ?? leaf?.folder, pidfd != nil || leaf?.isPopulated == true else { return nil }
    var running = Running(
      app: app, life: life, pid: pid, startTime: startTime, pidfd: held, leaf: leaf, isProgram: isProgram)
    if pidfd == nil { running.status = .unknown }
    return running
  }

  /// Kills what a bundle's leader without a cgroup has left behind in its process group.
  ///
  /// The number may be another group's by now. One process whose environment names this life shows that it is not:
  /// while a process of a group lives, the group's number is not given to another.
  ///
  /// - Returns: Whether there was something to kill. It may still be on its way out.
  @discardableResult
  func killRemains(in home: Home, boot: String) -> Bool {
    guard self.boot == boot, leaf == nil, !isProgram else { return false }
    let processes = Disk.names(in: "/proc").compactMap { Int32($0) }
    guard processes.contains(where: { ProcessStatus(of: $0)?.group == pid && wasGiven(to: $0, in: home) }) else {
      return false
    }
    return kill(-pid, SIGKILL) == 0
  }

  /// Waits until nothing runs any more in the process group, but not past a boot time. Returns whether that is so. All
  /// of the group has to be killed before, so that nothing joins it.
  ///
  /// A process that is not reaped yet has ended: its parent may take as long as it likes for that.
  func groupHasEnded(by deadline: Duration) -> Bool {
    guard kill(-pid, 0) == 0 || errno != ESRCH else { return true }
    return groupMembers.allSatisfy { $0.isReadable(by: deadline) }
  }

  /// Opened first and checked second, as the leader is.
  private var groupMembers: [Descriptor] {
    Disk.names(in: "/proc").compactMap { name in
      guard let member = Int32(name) else { return nil }
      let number = nightjar_pidfd_open(member)
      guard number >= 0 else { return nil }
      let pidfd = Descriptor(owning: number)
      return ProcessStatus(of: member)?.group == pid ? pidfd : nil
    }
  }

  /// Whether a process, or an ancestor of it, was started for this life in this home, under the path that the home has
  /// now.
  private func wasGiven(to pid: Int32, in home: Home) -> Bool {
    let variables = (Disk.bytes(of: "/proc/\(pid)/environ", max: 1 << 22) ?? []).split(separator: 0)
    var given = AppEnvironment.identity(app, life: life, home: home)
    given["NIGHTJAR_SOCKET"] = nil  // It may have lain elsewhere in the daemon's last life.
    return given.allSatisfy { name, value in variables.contains { $0.elementsEqual("\(name)=\(value)".utf8) } }
  }

  private var livingLeaf: Leaf? {
    guard let name = leaf, let leaf = try? Leaf(existing: name.path), leaf.inode == name.inode else { return nil }
    return leaf
  }

  /// Opened first and checked second, so that the process that was checked is the one that is held.
  private var leader: Descriptor? {
    let number = nightjar_pidfd_open(pid)
    guard number >= 0 else { return nil }
    let pidfd = Descriptor(owning: number)
    guard let status = ProcessStatus(of: pid), status.startTime == startTime else { return nil }
    return pidfd
  }
}

extension Descriptor {
  /// Waits until there is something to read, which for a pidfd is its process's end; but not past a boot time.
  func isReadable(by deadline: Duration) -> Bool { shows(POLLIN, by: deadline) }

  /// Waits for an event of poll(2), but not past a boot time.
  func shows(_ event: Int32, by deadline: Duration) -> Bool {
    var waiting = pollfd(fd: number, events: Int16(event), revents: 0)
    while true {
      let left = max(.zero, deadline - Clocks.boot())
      let count = poll(&waiting, 1, Int32(left / .milliseconds(1)))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
