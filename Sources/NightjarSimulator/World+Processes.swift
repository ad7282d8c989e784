import NightjarCore
import NightjarModel

/// The launcher and what it launches.
extension World {
  mutating func launch(_ order: LaunchOrder) {
    let app = order.app.id
    if order.life <= watch.lifeLast[app, default: 0] { fail("\(app) is launched again for life \(order.life)") }
    watch.lifeLast[app] = order.life
    if processes.contains(where: { $0.app == app && $0.isLaunched }) { fail("\(app) is launched while it runs") }
    let hasNews = disk.wakes.values.contains { $0.app == app && $0.crashes < limits.crashesMax }
    // Of several events one may withdraw what another requested.
    if order.isBackground, isLone, !hasNews, !asks(app), !hasErrand(app) {
      fail("\(app) is launched with nothing to tell it")
    }
    if order.isBackground, wasRemoved(app) {
      fail("\(app) is launched for its work although a person removed it")
    }
    checkBudget(order)
    let isSlow = dice.falls(faults.launchFailure / 4)
    plan(.launched(order, daemon: daemon), in: isSlow ? dice.draw(20_000...90_000) : dice.draw(1...2_000))
  }

  /// Carries out a launch order; its daemon may be gone by then.
  mutating func bringUp(_ order: LaunchOrder, for number: Int) {
    let app = order.app.id
    guard number == daemon || dice.falls(0) else { return }
    if let running = processes.first(where: { $0.app == app && $0.isLaunched }) {
      return report(
        order, running.life == order.life ? .launched(pid: running.pid) : .launchFailed(LaunchFailure(.refused, "runs"))
      )
    }
    if order.app.kind != .program(relaunch: ["relaunched", "--background"]), apps[app]?.isOnDisk != true {
      return report(order, .launchFailed(LaunchFailure(.notInstalled, "is gone")))
    }
    if dice.falls(faults.launchFailure) {
      return report(order, .launchFailed(LaunchFailure(.refused, "no memory")))
    }
    let pid = spawn(app, life: order.life, isForeground: !order.isBackground)
    report(order, .launched(pid: pid))
    if endedEarly[app] == order.life { end(app, life: order.life, politely: true) }
  }

  /// Starts a process, which will attach.
  @discardableResult
  mutating func spawn(_ app: AppID, life: Int, isForeground: Bool) -> Int32 {
    pidLast += 1
    var process = Process(
      app: app, life: life, pid: pidLast, isLaunched: life > 0, isForeground: isForeground, daemon: daemon)
    process.isHung = dice.falls(faults.appHang)
    processes.append(process)
    plan(.stepped(pid: process.pid, .connect), in: dice.draw(5...1_500))
    if dice.falls(faults.appCrash) { plan(.exited(pid: process.pid, isCrash: true), in: dice.draw(1...20_000)) }
    return process.pid
  }

  mutating func end(_ app: AppID, life: Int, politely: Bool) {
    guard let index = processes.firstIndex(where: { $0.app == app && $0.life == life && $0.isLaunched }),
      apps[app]?.isBundle != false
    else { return endedEarly[app] = life }  // Not started yet, or gone; the launcher takes its orders in turn.
    if !politely, !processes[index].isFrozen, faults == .none { watch.kills += 1 }  // Frozen apps are never asked.
    if politely, processes[index].isFrozen { fail("\(app) is asked to end while it stands still") }
    if politely, processes[index].isHung || processes[index].isLeaving { return }
    processes[index].isLeaving = true
    plan(.exited(pid: processes[index].pid, isCrash: false), in: politely ? dice.draw(1...1_000) : dice.draw(0...20))
  }

  /// Ends a process: its connection closes and its end is reported, in either order.
  mutating func exit(_ pid: Int32, isCrash: Bool) {
    guard let index = processes.firstIndex(where: { $0.pid == pid }) else { return }
    let process = processes[index]
    disconnect(index)
    processes.remove(at: index)
    guard process.isLaunched, process.daemon == daemon else { return }
    let status = isCrash ? "was killed by signal 11" : "exited 0"
    let fact = AppFact.exited(status: status, isCrash: isCrash && !process.isLeaving)
    plan(.reported(.app(process.app, life: process.life, fact), daemon: daemon), in: dice.draw(0...30))
  }

  mutating func removeFromDisk(_ app: AppID) {
    if processes.contains(where: { $0.app == app && $0.isLaunched }) { fail("\(app) is removed while it runs") }
    apps[app]?.isOnDisk = false
    post(.uninstalled(app))
    apps[app]?.outbox = []
    apps[app]?.wishes = 0
  }

  private mutating func report(_ order: LaunchOrder, _ fact: AppFact) {
    post(.app(order.app.id, life: order.life, fact))
  }
}
