import CNightjarSpawn
import Glibc
import NightjarModel

/// An app that runs, as the launcher keeps it in its books.
struct Running: Sendable {
  let app: AppID
  let life: Int
  /// The process that was started; in a group and a session of its own number.
  let pid: Int32
  let startTime: UInt64
  let pidfd: Descriptor
  /// Its cgroup; nil for programs, and where there are none.
  let leaf: Leaf?
  /// Whether it is a program that is no bundle, and never ended by us.
  let isProgram: Bool

  /// What is awaited before it counts as launched; nil once it does.
  var starting: Starting?
  /// How its leader ended, once it has.
  var status: ExitStatus?
  /// Whether its end was ordered.
  var isEnding = false
  /// The watches on its leader and its leaf, once it counts as launched.
  var watches: [Lookout.Watch] = []
  /// The callbacks that wait until it is frozen.
  var awaitingFreeze: [@Sendable (Bool) -> Void] = []
  /// The callbacks that wait until it has ended.
  var awaitingEnd: [@Sendable () -> Void] = []

  /// What is written down of it in this boot, for the next daemon.
  func record(in boot: String) -> RunningRecord {
    RunningRecord(
      app: app, life: life, pid: pid, startTime: startTime, boot: boot,
      leaf: leaf.map { RunningRecord.LeafName(path: $0.path, inode: $0.inode) }, isProgram: isProgram)
  }

  /// Sends a signal to the leader; nothing if it is gone.
  func signalLeader(_ signal: Int32) { _ = nightjar_pidfd_signal(pidfd.number, signal, false) }

  /// Sends a signal to the leader's process group.
  ///
  /// Through the pidfd where the kernel can (Linux 6.9). Otherwise by number, which stays ours for as long as the
  /// leader is not reaped: our own children are reaped by nobody but us, and only after their group was ended.
  ///
  /// - Returns: Whether it reached a group; not where only the number of one is left.
  @discardableResult
  func signalGroup(_ signal: Int32) -> Bool {
    let error = nightjar_pidfd_signal(pidfd.number, signal, true)
    guard error == EINVAL, status == nil, let now = ProcessStatus(of: pid), now.startTime == startTime else {
      return error == 0
    }
    return Glibc.kill(-pid, signal) == 0
  }

  /// Kills every process of it that can be reached, also its leader and the leader's group where they have left the
  /// leaf.
  func kill() {
    _ = leaf?.kill()
    signalGroup(SIGKILL)
    signalLeader(SIGKILL)
  }

  /// Waits until nothing of it runs, but not for longer than this. Returns whether that is so.
  func hasEnded(within milliseconds: Int32) -> Bool {
    let deadline = Clocks.boot() + .milliseconds(milliseconds)
    leaf?.waitUntilEmpty(milliseconds: milliseconds)
    guard leaf?.isPopulated != true else { return false }
    return status != nil || pidfd.isReadable(by: deadline)  // With a status there is no leader any more.
  }

  /// Whether its leader lives outside of its leaf, where freezing the leaf does not stop it.
  var leaderIsElsewhere: Bool {
    guard let leaf, status == nil, let now = ProcessStatus(of: pid), now.startTime == startTime else { return false }
    return !now.isZombie && !leaf.processes.contains(pid)
  }

  /// Whether it stands still.
  var isFrozen: Bool { leaf?.isFrozen ?? ProcessStatus.isStopped(pid) }
}

/// A process that was let go, and has yet to find the program that it is to run.
struct Starting: Sendable {
  /// Its answer: whether it runs the program.
  let answer: Spawn.Answer
  /// What is carried out.
  let order: LaunchOrder
  /// The program, as it was asked for.
  let program: String
  /// The watch for its answer.
  var watch: Lookout.Watch?
}
