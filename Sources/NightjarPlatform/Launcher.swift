import Glibc
public import NightjarModel
import Synchronization

/// The settings of a launcher.
public struct LauncherSettings: Sendable {
  /// Where apps' cgroups go.
  public var cgroups: CgroupChoice = .automatic
  /// The first way to try when a process is made.
  public var spawnWay: SpawnWay = .best
  /// The daemon's own environment, of which apps get the variables on a fixed list.
  public var environment: [String: String]
  /// Further variables that every app gets.
  public var extraEnvironment: [String: String] = [:]
  /// Above this size an app's log is moved aside.
  public var logBytesMax: Int64 = 8 << 20
  /// How many descriptors an app may have unless it asks for more (the soft bound of `RLIMIT_NOFILE`); nil for as many
  /// as the daemon.
  public var filesMax: UInt64?
  /// Whether apps are scheduled as processes usually are, however the daemon is (sched(7)).
  public var areOrdinary = false

  /// The ordinary settings in this environment.
  public init(environment: [String: String]) { self.environment = environment }
}

/// An app that outlived the daemon which launched it.
public struct Survivor: Hashable, Sendable {
  /// The app.
  public let app: AppID
  /// The life it was launched for.
  public let life: Int
  /// Its leader's process id; the leader itself may be gone while others of the app live.
  public let pid: Int32
  /// Whether it was frozen, and still is.
  public let isFrozen: Bool
}

/// Starts apps, ends them, and reports what becomes of them.
///
/// A process is in its cgroup and written down, for this daemon and the next, before it runs its first instruction.
/// Orders are carried out in turn on the lookout's thread. About each life come, in order, `launched` or
/// `launchFailed`, then `exited`: when the app's cgroup is empty, or, where it has none, when its leader is gone (what
/// is left of a bundle's process group is killed then, or by the next daemon if none ran just then). A program that is
/// parted with counts as exited, even if it was not launched yet.
///
/// Only the app's own process looks for a program's command, or opens a bundle's executable. If that lies on a file
/// system that does not answer, no other order waits for it, and `launched` comes when it does. Meanwhile a bundle can
/// be ended, and either is adopted by the next daemon.
public final class Launcher: Sendable {
  /// By what means apps are suspended and ended.
  public let suspension: Suspension

  let home: Home
  let lookout: Lookout
  let settings: LauncherSettings
  let report: @Sendable (AppID, Int, AppFact) -> Void
  let boot: String
  private let books = Mutex(Books())
  private let freezeAlarm = Mutex<Alarm?>(nil)

  private struct Books {
    static let formerLeavesMax = 256

    var running: [AppID: Running] = [:]
    /// Programs that were parted with, by process: they are watched only so that they can be reaped.
    var parted: [Int32: (Running, Lookout.Watch)] = [:]
    /// The leaves of apps that ended. The kernel gives no inode twice.
    var formerLeaves: [(inode: UInt64, app: AppID)] = []

    /// Returns the callbacks that wait until it has ended.
    mutating func strike(_ running: Running) -> [@Sendable () -> Void] {
      let awaiting = self.running.removeValue(forKey: running.app)?.awaitingEnd ?? []
      guard let leaf = running.leaf else { return awaiting }
      if formerLeaves.count == Self.formerLeavesMax { formerLeaves.removeFirst() }
      formerLeaves.append((leaf.inode, running.app))
      return awaiting
    }
  }

  /// A launcher for a home that is prepared.
  ///
  /// - Parameter report: Called on the lookout's thread with the app and its life. Must not block.
  public init(
    home: Home, lookout: Lookout, settings: LauncherSettings,
    report: @escaping @Sendable (AppID, _ life: Int, AppFact) -> Void
  ) throws(PlatformError) {
    (self.home, self.lookout, self.settings, self.report) = (home, lookout, settings, report)
    boot = try Clocks().now().bootID.rawValue
    suspension = Cgroups.suspension(settings.cgroups, home: "\(try home.id())-\(home.place ?? "")")
    let alarm = try Alarm(lookout: lookout) { [weak self] in self?.lookAgain() }
    freezeAlarm.withLock { $0 = alarm }
  }

  deinit {
    // Tidiness: both stay if anything is in them.
    guard case .cgroup(let parent) = suspension else { return }
    rmdir(parent)
    if let all = Disk.parent(of: parent) { rmdir(all) }
  }

  /// Finds the apps that outlived an earlier daemon, and watches them from now on. Once, before the first launch.
  ///
  /// Processes in this home's cgroups that no record explains are killed. What died meanwhile is not reported.
  ///
  /// - Parameter found: Told of each of the others, before any fact about it: one that was killed a moment ago has
  ///   often ended by the time it is found.
  public func adopt(_ found: (Survivor) -> Void) {
    Adoption(launcher: self).carryOut(found)
  }

  /// Starts an app. Returns at once.
  ///
  /// A life that runs already is reported as `launched` again, but not one that is still starting; while another life
  /// of the app runs, the order is refused. A bundle that has another name since its upgrade is started under that.
  public func launch(_ order: LaunchOrder) {
    lookout.perform { self.start(order) }
  }

  /// Ends an app. Returns at once; `exited` follows. A life that does not run is left alone. A program is parted with:
  /// it may run on, but its life is reported as over, and another of its name may be launched.
  ///
  /// - Parameter politely: Whether its leader is asked (SIGTERM, thawed for it) rather than all of it killed.
  public func end(_ app: AppID, life: Int, politely: Bool) {
    lookout.perform { self.finish(app, life: life, politely: politely) }
  }

  /// Has `act` called on the lookout's thread once a bundle that runs now has ended; soon, if it does not run. An app
  /// that outlives the lookout is not waited for.
  public func afterEnd(of app: AppID, _ act: @escaping @Sendable () -> Void) {
    lookout.perform {
      guard let running = self.running(app), !running.isProgram else { return act() }
      self.change(app) { $0.awaitingEnd.append(act) }
    }
  }

  /// Makes all processes of an app stand still. `done` is told on the lookout's thread whether they do.
  ///
  /// With signals only, it is the app's process group that stops. While an app cannot be stopped (a process of it is in
  /// an uninterruptible wait) `done` is not called; the deadline is the caller's, and ``thaw(_:life:done:)`` takes the
  /// order back.
  public func freeze(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    lookout.perform { self.stop(app, life: life, done: done) }
  }

  /// Lets an app run on. `done` is told on the lookout's thread whether it does.
  public func thaw(_ app: AppID, life: Int, done: @escaping @Sendable (Bool) -> Void) {
    lookout.perform { self.resume(app, life: life, done: done) }
  }

  /// The bundle whose leaf has this inode, or had it until lately: what it sent before it ended is still its own.
  func app(inCgroup inode: UInt64) -> AppID? {
    books.withLock { books in
      books.running.values.first { $0.leaf?.inode == inode }?.app ?? books.formerLeaves.last { $0.inode == inode }?.app
    }
  }

  /// The bundle in or below whose leaf a cgroup's folder lies. An app may make cgroups of its own there.
  func app(withCgroup folder: String) -> AppID? {
    books.withLock { books in
      books.running.values.first { running in
        running.leaf.map { folder == $0.path || folder.hasPrefix($0.path + "/") } ?? false
      }?.app
    }
  }

  /// The bundle that was started as this process, or as the leader of its session.
  func app(startedAs pid: Int32, session: Int32) -> AppID? {
    let running = books.withLock { books in
      books.running.values.first { !$0.isProgram && ($0.pid == pid || $0.pid == session) }
    }
    guard let running else { return nil }
    // A leader that is not our child may have been reaped, and its number given to another process.
    if let now = ProcessStatus(of: running.pid), now.startTime != running.startTime { return nil }
    return running.app
  }

  func running(_ app: AppID) -> Running? { books.withLock { $0.running[app] } }

  func running(_ app: AppID, life: Int) -> Running? { running(app).flatMap { $0.life == life ? $0 : nil } }

  /// The apps that are to stand still and have no cgroup that would signal it.
  var awaited: [Running] {
    books.withLock { $0.running.values.filter { $0.leaf == nil && !$0.awaitingFreeze.isEmpty } }
  }

  /// Has ``lookAgain()`` called in a moment.
  func lookAgainSoon() { freezeAlarm.withLock { $0?.set(after: .milliseconds(5)) } }

  func enter(_ running: Running) { books.withLock { $0.running[running.app] = running } }

  /// Notes a program that was struck, until it has ended.
  func part(with running: Running, _ watch: Lookout.Watch) {
    books.withLock { $0.parted[running.pid] = (running, watch) }
  }

  /// Takes out a program that was noted so.
  func parted(_ pid: Int32) -> (Running, Lookout.Watch)? { books.withLock { $0.parted.removeValue(forKey: pid) } }

  func change(_ app: AppID, _ change: (inout Running) -> Void) {
    books.withLock { books in
      if var running = books.running[app] {
        change(&running)
        books.running[app] = running
      }
    }
  }

  /// Strikes an app from the books, with its record and its cgroup.
  func strike(_ running: Running) {
    let awaiting = books.withLock { $0.strike(running) }
    RunningRecord.remove(running.app, in: home)
    running.leaf?.remove()
    awaiting.forEach { $0() }
  }
}
