import CNightjarSpawn
import Glibc
public import NightjarModel

/// The means by which the app at the other end of a socket is recognised, best first.
public enum IdentityMeans: Hashable, Sendable, CaseIterable {
  /// The kernel hands out the peer's pidfd, and says in which cgroup it is (Linux 6.13). Nothing can come between.
  case pidfdInfo
  /// The peer's pid, a pidfd of it, and `/proc/PID/cgroup` (Linux 5.4).
  case procCgroup
  /// The pid that the launcher started, or that leads the session: all there is without cgroups.
  case launchTable
}

/// Who is at the other end of a socket, as it was when it connected.
public struct Peer: Hashable, Sendable {
  /// Its process id; 0 if it lives in another pid namespace.
  public let pid: Int32
  /// Its user: always ours.
  public let uid: UInt32
  /// The bundle it belongs to; nil for programs, the command line and everything else.
  public let app: AppID?
}

/// Tells which app is at the other end of a socket, without a token.
///
/// Apps of one user are no security boundary yet: an app that means to can leave its cgroup.
public struct PeerIdentity: Sendable {
  /// The means in use.
  public let means: IdentityMeans
  private let launcher: Launcher

  /// - Parameter means: Forces one; nil takes the best there is here.
  public init(launcher: Launcher, means: IdentityMeans? = nil) {
    self.launcher = launcher
    self.means = means ?? Self.best(for: launcher)
  }

  /// Who is at the other end of an accepted Unix socket.
  ///
  /// - Throws: `foreignPeer` if that is another user, root included; `peerGone` if it has ended and nothing can be told
  ///   of it any more; `system` if the means does not exist here.
  public func peer(of socket: Int32) throws(PlatformError) -> Peer {
    var (pid, uid): (Int32, UInt32) = (0, 0)
    let result = nightjar_peer_credentials(socket, &pid, &uid)
    guard result == 0 else { throw .system("SO_PEERCRED", result) }
    guard uid == geteuid() else {
      throw PlatformError(
        .foreignPeer, "process \(pid) belongs to user \(uid), this daemon to user \(geteuid()); each user runs an own")
    }
    return Peer(pid: pid, uid: uid, app: try app(of: socket, pid: pid))
  }

  private func app(of socket: Int32, pid: Int32) throws(PlatformError) -> AppID? {
    let cgroup: UInt64? =
      switch means {
      case .pidfdInfo: try Self.cgroup(ofPeer: socket)
      case .procCgroup: try Self.cgroup(of: pid)
      case .launchTable: nil
      }
    if let app = cgroup.flatMap(launcher.app(inCgroup:)) { return app }
    guard pid > 0 else { return nil }
    if cgroup != nil, let app = folder(ofPeer: socket, pid: pid).flatMap(launcher.app(withCgroup:)) { return app }
    return launcher.app(startedAs: pid, session: getsid(pid))  // It may have left its cgroup.
  }

  /// The folder of the peer's cgroup; nil if the peer has ended, or cannot be held so that its number stays its own.
  private func folder(ofPeer socket: Int32, pid: Int32) -> String? {
    let number = means == .pidfdInfo ? nightjar_peer_pidfd(socket) : nightjar_pidfd_open(pid)
    guard number >= 0 else { return nil }
    let pidfd = Descriptor(owning: number)
    let folder = Cgroups.folder(ofProcess: "\(pid)")
    return nightjar_pidfd_signal(pidfd.number, 0, false) == 0 ? folder : nil
  }

  private static func cgroup(ofPeer socket: Int32) throws(PlatformError) -> UInt64? {
    let pidfd = try Lookout.descriptor(nightjar_peer_pidfd(socket), "SO_PEERPIDFD")
    var info = nightjar_info()
    let result = nightjar_info(pidfd.number, &info)
    guard result == 0 else { throw result == ESRCH ? gone : .system("PIDFD_GET_INFO", result) }
    return info.has_cgroup ? info.cgroup : nil
  }

  /// Between connecting and the opening of the pidfd the number could have gone to another process; after that, it
  /// cannot.
  private static func cgroup(of pid: Int32) throws(PlatformError) -> UInt64? {
    guard pid > 0 else { return nil }
    let number = nightjar_pidfd_open(pid)
    guard number >= 0 else { throw number == -ESRCH ? gone : .system("pidfd_open", -number) }
    let pidfd = Descriptor(owning: number)
    let folder = Cgroups.folder(ofProcess: "\(pid)")
    guard nightjar_pidfd_signal(pidfd.number, 0, false) == 0 else { throw gone }
    return folder.flatMap(Disk.status).map { UInt64($0.st_ino) }
  }

  private static var gone: PlatformError { PlatformError(.peerGone, "the process at the other end has ended") }

  private static func best(for launcher: Launcher) -> IdentityMeans {
    guard case .cgroup = launcher.suspension else { return .launchTable }
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      return .procCgroup
    }
    let ends = pair.map { Descriptor(owning: $0) }
    // Optimised code releases an array once its element has been read, which would close the socket under the call.
    return withExtendedLifetime(ends) { (try? cgroup(ofPeer: ends[0].number)) == nil ? .procCgroup : .pidfdInfo }
  }
}
