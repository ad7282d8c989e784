import CNightjarSpawn
import Glibc
import NightjarModel

/// How an app is started.
extension Launcher {
  func start(_ order: LaunchOrder) {
    if let running = running(order.app.id) { return answer(order, whileRunning: running) }
    do throws(LaunchFailure) {
      awaitAnswer(of: try started(order))
    } catch {
      fail(order, error)
    }
  }

  /// Reports that an order has failed. If its bundle was meanwhile replaced by one of another name, that one is
  /// started.
  private func fail(_ order: LaunchOrder, _ failure: LaunchFailure) {
    if failure.code == .notInstalled, let renewed = renewed(order) { return start(renewed) }
    report(order.app.id, order.life, .launchFailed(failure))
  }

  /// The order for where the bundle lies now; nil if that is where the order says, or nowhere.
  private func renewed(_ order: LaunchOrder) -> LaunchOrder? {
    guard case .bundle(_, let executable) = order.app.kind,
      let bundle = try? AppLibrary(home: home).bundle(order.app.id), bundle.executable != executable
    else { return nil }
    var order = order
    order.app = bundle.app
    return order
  }

  /// Waits for a running app's end, which may have come already.
  func watch(_ running: Running) {
    var watches: [Lookout.Watch] = []
    let (app, life) = (running.app, running.life)
    if running.status == nil {
      watches.append(watched(running.pidfd, for: .readable, of: app) { self.leaderEnded(app, life: life) })
    }
    if let leaf = running.leaf {
      watches.append(watched(leaf.events, for: .urgent, of: app) { self.leafChanged(app, life: life) })
    }
    change(app) { $0.watches = watches }
    // Only one that was adopted is known by now to have no leader.
    if running.status != nil, running.leaf?.isPopulated == true { report(app, life, .orphaned(leader: running.pid)) }
    leafChanged(app, life: life)
  }

  /// Waits until a process that was let go says whether it runs its program.
  private func awaitAnswer(of running: Running) {
    let (app, life) = (running.app, running.life)
    guard let pipe = running.starting?.answer.pipe else { preconditionFailure("\(app) was started and owes no answer") }
    let watch = watched(pipe, for: .readable, of: app) { self.answered(app, life: life) }
    change(app) { $0.starting?.watch = watch }
  }

  func watched(
    _ descriptor: Descriptor, for sign: Lookout.Sign, of app: AppID, _ handler: @escaping Lookout.Handler
  ) -> Lookout.Watch {
    do throws(PlatformError) {
      return try lookout.watch(descriptor, for: sign, handler)
    } catch {
      preconditionFailure("cannot watch \(app): \(error.detail)")
    }
  }

  /// A process that was let go has said whether it runs its program.
  private func answered(_ app: AppID, life: Int) {
    guard let running = running(app, life: life), let starting = running.starting else { return }
    do throws(PlatformError) {
      guard try starting.answer.hasCome() else { return }
      settle(starting, of: app)
      report(app, life, .launched(pid: running.pid))
      watch(running)
    } catch {
      settle(starting, of: app)
      strike(running)
      let failure = Self.failure(error, starting.program, isProgram: running.isProgram)
      if running.isEnding { return report(app, life, .launchFailed(failure)) }
      fail(starting.order, failure)
    }
  }

  /// Stops waiting for an answer that has come.
  func settle(_ starting: Starting, of app: AppID) {
    if let watch = starting.watch { lookout.cancel(watch) }
    change(app) { $0.starting = nil }
  }

  private static func failure(_ error: PlatformError, _ program: String, isProgram: Bool) -> LaunchFailure {
    guard error.code == .notInstalled else { return LaunchFailure(.refused, "\(program): \(error.detail)") }
    let remedy =
      isProgram ? "register the program again, with the absolute path of its command" : "install the app again"
    return LaunchFailure(.notInstalled, "\(program) or the interpreter it names is gone; \(remedy)")
  }

  private func answer(_ order: LaunchOrder, whileRunning running: Running) {
    if running.life == order.life {
      guard running.starting == nil else { return }  // Its answer has yet to come, and is reported then.
      return report(running.app, running.life, .launched(pid: running.pid))
    }
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
        paths: [executable], arguments: [executable] + order.arguments,
        environment: environment.merging(besides) { $1 }, folder: container.path, output: output, leaf: nil,
        way: settings.spawnWay, filesMax: settings.filesMax, isOrdinary: settings.areOrdinary)
    case .program(let relaunch):
      let paths = try places(of: relaunch.first ?? "")
      let environment = AppEnvironment.ofProgram(daemon: settings.environment)
      return Spawn.Order(
        paths: paths, arguments: relaunch + order.arguments, environment: environment.merging(besides) { $1 },
        folder: settings.environment["HOME"] ?? "/", output: output, leaf: nil, way: settings.spawnWay,
        filesMax: settings.filesMax, isOrdinary: settings.areOrdinary)
    }
  }

  private func brought(up order: LaunchOrder, _ program: Spawn.Order) throws(PlatformError) -> Running {
    var program = program
    if case .bundle = order.app.kind { program.leaf = try leaf(for: order.app.id) }
    let spawn = try Spawn(program)
    guard let status = ProcessStatus(of: spawn.pid) else {
      spawn.abandon()
      throw .system("cannot look at process \(spawn.pid)")
    }
    if !spawn.isInLeaf { program.leaf?.remove() }
    let running = Running(
      app: order.app.id, life: order.life, pid: spawn.pid, startTime: status.startTime, pidfd: spawn.pidfd,
      leaf: spawn.isInLeaf ? program.leaf : nil, isProgram: Self.isProgram(order.app),
      starting: Starting(answer: spawn.answer, order: order, program: program.arguments[0]))
    try letGo(spawn, running)
    return running
  }

  /// Writes the app's record first, and lets its process run second.
  private func letGo(_ spawn: Spawn, _ running: Running) throws(PlatformError) {
    do throws(PlatformError) {
      try running.record(in: boot).write(in: home)
      enter(running)
    } catch {
      spawn.abandon()
      strike(running)
      throw error
    }
    spawn.open()
  }

  /// An empty leaf that is not frozen; nil where there are no cgroups.
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

  /// Where a relaunch command's program may lie: along PATH if it is a bare name. No file is looked at here, since the
  /// call might never return.
  private func places(of name: String) throws(PlatformError) -> [String] {
    // Not resolved: it may be a link, such as a virtual environment's Python, which works only under that name.
    if name.hasPrefix("/") { return [name] }
    let path = name.isEmpty || name.contains("/") ? "" : settings.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
    guard !folders.isEmpty else {
      throw PlatformError(
        .notInstalled, "the command \"\(name)\" was not found; register it again with an absolute path")
    }
    return folders.map { "\($0)/\(name)" }
  }
}
