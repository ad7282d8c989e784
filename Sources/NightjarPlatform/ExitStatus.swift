import CNightjarSpawn
import Glibc
import NightjarModel

/// How a process ended.
enum ExitStatus: Hashable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)
  case unknown

  /// From what wait(2) gives.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// The fact for the core. What we ordered is no crash, nor is a polite signal from elsewhere, as at logging out.
  func fact(ordered: Bool) -> AppFact { .exited(status: words, isCrash: !ordered && isCrash) }

  /// What the app did, in words that follow its name.
  private var words: String {
    switch self {
    case .exited(let code): "exited \(code)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .unknown: "ended in a way that is not known"
    }
  }

  private var isCrash: Bool {
    switch self {
    case .exited(let code): code != 0
    case .killed(let signal): ![SIGTERM, SIGINT, SIGHUP].contains(signal)
    case .unknown: false
    }
  }

  /// Reaps a process that has ended, or finds out otherwise if it is not our child.
  ///
  /// After a restart of the daemon an app is init's child. As long as init has not reaped it, its zombie tells; after
  /// that the kernel does (Linux 6.15); on older kernels it stays unknown.
  static func taken(pidfd: Descriptor, pid: Int32, startTime: UInt64) -> ExitStatus {
    var (code, status): (Int32, Int32) = (0, 0)
    if nightjar_reap(pidfd.number, &code, &status) == 1 {
      return code == CLD_EXITED ? .exited(status) : .killed(signal: status)
    }
    if let zombie = ProcessStatus(of: pid), zombie.startTime == startTime, zombie.isZombie {
      return ExitStatus(waitStatus: zombie.exitCode)
    }
    var info = nightjar_info()
    guard nightjar_info(pidfd.number, &info) == 0, info.has_exit else { return .unknown }
    return ExitStatus(waitStatus: info.exit_status)
  }
}
