import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct PeerTests {
  @Test(arguments: [Ground.best, .noCgroups], IdentityMeans.allCases)
  func `an app is recognised by each means that exists here`(ground: Ground, means: IdentityMeans) throws {
    let test = try TestLauncher(ground)
    guard Self.exists(means, test) else { return }
    let socket = try Listener(at: test.place.home.socket)
    let app = try test.install(Self.connecting(to: socket))
    let pid = try test.launch(app)

    let connection = try socket.accepted()
    let peer = try PeerIdentity(launcher: test.launcher, means: means).peer(of: connection.number)

    #expect(peer == Peer(pid: pid, uid: geteuid(), app: app.id))
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `a child of an app is the app, as far as can be known`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let socket = try Listener(at: test.place.home.socket)
    let app = try test.install(Self.connecting(to: socket, with: "sh -c '", "'\nexit 0"))
    let session = try test.install(Self.connecting(to: socket, with: "setsid sh -c '", "'"), id: "dev.test.Session")
    let identity = PeerIdentity(launcher: test.launcher)

    _ = try test.launch(app)
    let ofChild = try socket.accepted()
    #expect(try identity.peer(of: ofChild.number).app == app.id)
    _ = try test.launch(session)
    let ofSession = try socket.accepted()
    #expect(try identity.peer(of: ofSession.number).app == (test.isInCgroups ? session.id : nil))
  }

  @Test(arguments: [IdentityMeans.pidfdInfo, .procCgroup])
  func `a child of an app in a cgroup of its own below the app's is the app`(means: IdentityMeans) throws {
    let test = try TestLauncher()
    guard test.isInCgroups, Self.exists(means, test) else { return print("skipped: no cgroups for us here") }
    let socket = try Listener(at: test.place.home.socket)
    let inner = test.cgroupParent + "/dev.test.App/inner"
    let entering = "mkdir '\(inner)' && setsid sh -c 'echo 0 >\(inner)/cgroup.procs; exec "
    let app = try test.install(Self.connecting(to: socket, with: entering, "'\nexit 0"))

    _ = try test.launch(app)
    let connection = try socket.accepted()
    let peer = try PeerIdentity(launcher: test.launcher, means: means).peer(of: connection.number)

    #expect(peer.app == app.id)
  }

  @Test(arguments: IdentityMeans.allCases)
  func `a stranger is no app`(means: IdentityMeans) throws {
    let test = try TestLauncher()
    guard Self.exists(means, test) else { return }
    let socket = try Listener(at: test.place.home.socket)
    let stranger = InstalledApp(
      id: AppID("tool"), displayName: "", kind: .program(relaunch: ["sh", "-c", Self.connecting(to: socket)]))
    let pid = try test.launch(stranger)
    defer { kill(pid, SIGKILL) }

    let connection = try socket.accepted()
    let peer = try PeerIdentity(launcher: test.launcher, means: means).peer(of: connection.number)

    #expect(peer.app == nil && peer.pid == pid)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user is refused`() throws {
    let test = try TestLauncher()
    chmod(test.place.root, 0o755)
    let socket = try Listener(at: test.place.root + "/open.sock", mode: 0o777)
    let command = ["setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", Self.connecting(to: socket)]
    let foreigner = InstalledApp(id: AppID("tool"), displayName: "", kind: .program(relaunch: command))
    let pid = try test.launch(foreigner)
    defer { kill(pid, SIGKILL) }
    let connection = try socket.accepted()

    let refusal = error { () throws(PlatformError) in
      try PeerIdentity(launcher: test.launcher).peer(of: connection.number)
    }

    #expect(refusal?.code == .foreignPeer && refusal?.detail.contains("65534") == true)
  }

  @Test func `what an app sent before it ended is still its own`() throws {
    let test = try TestLauncher()
    let identity = PeerIdentity(launcher: test.launcher)
    guard identity.means == .pidfdInfo, KernelVersion.running >= KernelVersion("6.15") else {
      return print("skipped: no cgroups for us here, or an older kernel")
    }
    let socket = try Listener(at: test.place.home.socket)
    let app = try test.install(Self.connecting(to: socket, waits: false))
    _ = try test.launch(app)
    guard case .exited = try test.next().fact else { return #expect(Bool(false), "it has not ended") }

    let connection = try socket.accepted()
    let peer = try identity.peer(of: connection.number)

    #expect(peer.app == app.id)
  }

  @Test func `what is known of the dead by pid is said to be nothing`() throws {
    let test = try TestLauncher()
    let socket = try Listener(at: test.place.home.socket)
    let app = try test.install(Self.connecting(to: socket, waits: false))
    _ = try test.launch(app)
    _ = try test.next()
    let connection = try socket.accepted()

    let refusal = error { () throws(PlatformError) in
      try PeerIdentity(launcher: test.launcher, means: .procCgroup).peer(of: connection.number)
    }

    #expect(refusal?.code == .peerGone)
  }

  /// A script that connects to a socket and, unless told otherwise, stays connected until the test lets go.
  static func connecting(
    to socket: Listener, with before: String = "exec ", _ after: String = "", waits: Bool = true
  ) -> String {
    let perl = "use Socket; socket S, PF_UNIX, SOCK_STREAM, 0; connect(S, sockaddr_un(shift)) or die;"
    let command = "perl -e \"\(perl)\(waits ? " <S>" : "")\" \(socket.path)"
    return before + command + after
  }

  private static func exists(_ means: IdentityMeans, _ test: TestLauncher) -> Bool {
    let exists = means != .pidfdInfo || PeerIdentity(launcher: test.launcher).means == .pidfdInfo || !test.isInCgroups
    if !exists { print("skipped: this kernel cannot name the cgroup of a socket's peer") }
    return exists
  }
}

/// A Unix socket that listens.
final class Listener: Sendable {
  let path: String
  private let number: Int32

  init(at path: String, mode: mode_t = 0o600) throws {
    self.path = path
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(number, 8) == 0 && chmod(path, mode) == 0)
  }

  deinit { close(number) }

  /// The next connection, waited for. It is closed when nobody holds it any more.
  func accepted() throws -> Descriptor {
    try #require(Doorbell.wait(for: number, POLLIN))
    let connection = accept(number, nil, nil)
    try #require(connection >= 0)
    return Descriptor(owning: connection)
  }
}
