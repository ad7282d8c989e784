import CNightjarSpawn
import Glibc
import NightjarModel

/// How an app is started.
extension Launcher {
  func start(_ order: LaunchOrder) {
    if let running = running(order.app.id) { return answer(order, whileRunning: running) }
    do throws(LaunchFailure) {
      let running = try started(order)
      report(running.app, running.life, .launched(pid: running.pid))
      watch(running)
    } catch {
      report(order.app.id, order.life, .launchFailed(error))
    }
  }

  /// Waits for a running app's end, which may have come already.
  func watch(_ running: Running) {
    do throws(PlatformError) {
      var watches: [Lookout.Watch] = []
      let (app, life) = (running.app, running.life)
      if running.status == nil {
        watches.append(try lookout.watch(running.pidfd, for: .readable) { self.leaderEnded(app, life: life) })
      }
      if let leaf = running.leaf {
        watches.append(try lookout.watch(leaf.events, for: .urgent) { self.leafChanged(app, life: life) })
      }
      change(running.app) { $0.watches = watches }
      leafChanged(app, life: life)
    } catch {
      preconditionFailure("cannot watch \(running.app): \(error.detail)")
    }
  }

  private func answer(_ order: LaunchOrder, whileRunning running: Running) {
    if running.life == order.life { return report(running.app, running.life, .launched(pid: running.pid)) }
    let failure = LaunchFailure(
      .refused, "\(running.app) still runs as process \(running.pid) in its life \(running.life); end that first")
    report(running.app, order.life, .launchFailed(failure))
  }

  private func started(_ order: LaunchOrder) throws(LaunchFailure) -> Running {
    do throws(PlatformError) {
      return try brought(up: order, try program(of: order))
    } catch {
      throw LaunchFailure(error.code == .notInstalled ? .notInstalled : .refused, error.detail)
    }
  }

  /// What the order comes to on this machine: everything but the cgroup.
  private func program(of order: LaunchOrder) throws(PlatformError) -> Spawn.Order {
    let output = try AppLog.opened(home.log(order.app.id), bytesMax: settings.logBytesMax)
    let identity = AppEnvironment.identity(order.app.id, life: order.life, home: home)
    let besides = identity.merging(settings.extraEnvironment) { $1 }
    switch order.app.kind {
    case .bundle(_, let executable):
      try Self.check(executable)
      let container = home.container(order.app.id)
      try container.prepare()
      let environment = AppEnvironment.ofBundle(in: container, daemon: settings.environment)
      return Spawn.Order(
        path: executable, arguments: [executable] + order.arguments, environment: environment.merging(besides) { $1 },
        folder: container.path, output: output, leaf: nil, way: settings.spawnWay)
    case .program(let relaunch):
      let path = try found(relaunch.first ?? "")
      let environment = AppEnvironment.ofProgram(daemon: settings.environment)
      return Spawn.Order(
        path: path, arguments: relaunch + order.arguments, environment: environment.merging(besides) { $1 },
        folder: settings.environment["HOME"] ?? "/", output: output, leaf: nil, way: settings.spawnWay)
    }
  }

  private func brought(up order: LaunchOrder, _ program: Spawn.Order) throws(PlatformError) -> Running {
    var program = program
    if case .bundle = order.app.kind { program.leaf = try leaf(for: order.app.id) }
    var spawn = try Spawn(program)
    guard let status = ProcessStatus(of: spawn.pid) else {
      spawn.abandon()
      throw .system("cannot look at process \(spawn.pid)")
    }
    if !spawn.isInLeaf { program.leaf?.remove() }
    let running = Running(
      app: order.app.id, life: order.life, pid: spawn.pid, startTime: status.startTime, pidfd: spawn.pidfd,
      leaf: spawn.isInLeaf ? program.leaf : nil, isProgram: Self.isProgram(order.app))
    try letGo(&spawn, running, path: program.path)
    return running
  }

  /// Writes it down first, and lets it run second.
  private func letGo(_ spawn: inout Spawn, _ running: Running, path: String) throws(PlatformError) {
    do throws(PlatformError) {
      var record = running.record
      record.boot = boot
      try record.write(in: home)
      enter(running)
    } catch {
      spawn.abandon()
      strike(running)
      throw error
    }
    do throws(PlatformError) {
      try spawn.proceed()
    } catch {
      strike(running)
      throw error.code == .system(ENOENT)
        ? PlatformError(.notInstalled, "\(path) or the interpreter it names is gone; install the app again")
        : PlatformError(error.code, "\(path): \(error.detail)")
    }
  }

  /// A leaf with nobody in it, not frozen; nil where there are no cgroups.
  private func leaf(for app: AppID) throws(PlatformError) -> Leaf? {
    guard case .cgroup(let parent) = suspension else { return nil }
    let leaf = try Leaf(at: parent + "/" + app.rawValue)
    guard !leaf.isPopulated else {
      _ = leaf.kill()
      throw .system("processes of an earlier life of \(app) were still there and are being killed; try again", EBUSY)
    }
    if leaf.isFrozen { _ = leaf.setFrozen(false) }
    return leaf
  }

  private static func isProgram(_ app: InstalledApp) -> Bool {
    if case .program = app.kind { true } else { false }
  }

  private static func check(_ executable: String) throws(PlatformError) {
    guard let status = Disk.status(of: executable), Disk.isFile(status) else {
      throw PlatformError(.notInstalled, "\(executable) is gone; install the app again")
    }
  }

  /// The path of a relaunch command's program, looked for along PATH if it is a bare name.
  private func found(_ name: String) throws(PlatformError) -> String {
    if name.hasPrefix("/") {
      guard access(name, X_OK) == 0 else {
        throw PlatformError(
          .notInstalled,
          "\(name): \(PlatformError.words(for: errno)); register the program again with a command that is there")
      }
      return name  // Perhaps a link, such as the Python of a virtual environment, which is told apart by that name.
    }
    let folders = name.isEmpty || name.contains("/") ? [] : (settings.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders where access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
    throw PlatformError(
      .notInstalled, "the command \"\(name)\" was not found; register it again with an absolute path")
  }
}
