import NightjarCore
import NightjarModel

/// People: they look at the device about every ten minutes, and act as the faults have it.
extension World {
  mutating func lookAtPeople() {
    guard faults.people > 0 else { return }
    plan(.peopleLooked, in: dice.draw(60_000...1_200_000))
    guard dice.falls(faults.people), standstill == nil else { return }  // They would be told of the standstill.
    let app = dice.pick(apps.keys.sorted())
    if dice.falls(200) { return lookAtNotices() }
    switch dice.below(31) {
    case 0...4: bringForward(app)
    case 5...6: order(.terminate(app))
    case 7...8: order(.pause(anyTransfer()))
    case 9...11: order(.resume(anyTransfer()))
    case 12: order(.cancel(anyTransfer()))
    case 13: look(app)
    case 14...15: queueFromCommandLine()
    case 16: if apps[app]!.isBundle, apps[app]!.isOnDisk { uninstall(app) }
    case 17: install(app)
    case 18: quit(app)
    case 19...20: simulate()
    case 21...22: order(.leave)
    case 23...24: order(.removeFromSwitcher(app))
    case 28...29: order(.fetchNow(app, request: dice.pick([nil, nil, "refresh", "clean"])))
    case 30: order(.launchToFetch(app))
    case 25...26: order(.act(app, ViewAction("press", fields: ["by": "a person"])))
    default: if dice.falls(100) { vanish(app) }
    }
  }

  mutating func order(_ call: ControlCall) {
    guard supervisor != nil else { return }  // The command line would find no daemon.
    post(.ordered(call, ticket(.person)))
  }

  private mutating func look(_ app: AppID) {
    order(dice.pick([.status, .listApps, .listTransfers(app, after: nil, limit: 5), .showTransfer(anyTransfer())]))
  }

  private mutating func anyTransfer() -> TransferID {
    TransferID(1 + Int64(dice.below(Int(disk.counters.transfer) + 1)))
  }

  private mutating func queueFromCommandLine() {
    var request = request(.commandLine, session: nil, task: 0)
    request.destination = anyDestination()
    order(.enqueue(request))
  }

  private mutating func uninstall(_ app: AppID) {
    watch.uninstalling.insert(app)
    order(.uninstall(app))
  }

  /// Puts a bundle on the disk, new or over the old one.
  mutating func install(_ app: AppID) {
    guard apps[app]!.isBundle, supervisor != nil else { return }
    apps[app]!.isOnDisk = true
    if dice.falls(300) { apps[app]!.installed.displayName += "+" }
    post(.installed(apps[app]!.installed, ticket(.person)))
  }

  /// Ends a process, as a person or the program itself does.
  private mutating func quit(_ app: AppID) {
    guard let process = processes.first(where: { $0.app == app }) else { return }
    exit(process.pid, isCrash: false)
  }

  /// Removes a bundle's folder by hand.
  private mutating func vanish(_ app: AppID) {
    guard apps[app]!.isBundle, apps[app]!.isOnDisk, supervisor != nil else { return }
    apps[app]!.isOnDisk = false
    watch.uninstalling.insert(app)
    watch.lifeLast[app] = nil  // If it is installed again in the same turn, its lives count from the first.
    post(.uninstalled(app))
  }

  /// Has people repair what they can: they resume what is suspended, and open every app.
  mutating func putRight() {
    sense(Conditions())
    order(.endSimulation)
    reachAppointments()
    for id in disk.transfers.keys.sorted() { order(.resume(id)) }
    for app in apps.keys.sorted() {
      for process in processes where process.app == app && process.isHung { exit(process.pid, isCrash: false) }
      bringForward(app)
    }
    for (index, process) in processes.enumerated() {
      openAll(index)
      for session in process.sessions where session.isOpen {
        plan(.stepped(pid: process.pid, .work(session.name)), in: 60_000)
      }
    }
  }

  /// Has a person open one app after the other: it does what it has put off, and gets the events of sessions that send
  /// no launch events.
  mutating func visitAll() {
    for app in apps.keys.sorted() {
      bringForward(app)
      run(for: .minutes(5))
    }
    order(.leave)
    run(for: .minutes(5))
  }
}

/// The network and the device.
extension World {
  mutating func lookAtNetwork() {
    guard faults.networkLoss > 0 else { return }
    plan(.networkLooked, in: 900_000)
    guard isOnline, dice.falls(faults.networkLoss) else { return }
    sense(anyConditions())
    plan(.networkReturned, in: dice.draw(10_000...20_000_000))
  }

  mutating func sense(_ conditions: Conditions) {
    sensed = conditions
    post(.sensed(conditions))
  }

  private mutating func anyConditions() -> Conditions {
    Conditions(
      network: dice.pick([.none, .none, .unmetered, .metered, .cellular]), isConstrained: dice.falls(300),
      power: dice.falls(400) ? .battery : .external, battery: dice.falls(500) ? dice.below(101) : nil,
      isCharging: dice.falls(500), isLowPower: dice.falls(200), isLocked: dice.falls(300))
  }

  /// Simulates other conditions, or ends the simulation.
  private mutating func simulate() {
    let conditions = anyConditions()
    guard dice.falls(400) else { return order(.endSimulation) }
    order(
      .simulate(
        SimulatedConditions(
          network: dice.falls(500) ? conditions.network : nil, isConstrained: conditions.isConstrained,
          power: dice.falls(500) ? conditions.power : nil, battery: conditions.battery,
          isCharging: dice.falls(500) ? conditions.isCharging : nil,
          isLowPower: dice.falls(500) ? conditions.isLowPower : nil, isLocked: conditions.isLocked)))
  }

  /// Moves the clock to the last time that a transfer waits for.
  mutating func reachAppointments() {
    let asked = disk.memory.transfers.map(\.request) + apps.keys.sorted().flatMap { apps[$0]!.outbox.map(\.request) }
    guard let last = asked.compactMap(\.options.earliestBegin).max(), last > device.moment.wall else { return }
    device.setWall(to: last)
    post(.awoke)
  }

  mutating func lookAtDevice() {
    guard faults.deviceUnrest > 0 else { return }
    plan(.deviceLooked, in: 3_600_000)
    guard dice.falls(faults.deviceUnrest) else { return }
    switch dice.below(4) {
    case 0: reboot()
    case 1: device.sleep(dice.draw(1_000...40_000_000))
    default:
      device.setWall(by: dice.falls(500) ? 1_577_880_000_000 : -1_577_880_000_000)
      wasSetBack = true
      post(.awoke)  // The kernel tells the daemon.
    }
  }

  /// Cuts the power: everything dies at once, and a new boot begins.
  private mutating func reboot() {
    killDaemon()
    processes = []
    device.reboot(offFor: dice.draw(1_000...90_000_000))
  }
}
