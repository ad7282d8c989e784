import NightjarCore
import NightjarModel

/// When transfers may run and apps may be launched: the rules, implemented independently of the core.
extension World {
  /// Checks that nothing runs that the conditions forbid, as far as the supervisor knows them.
  mutating func checkConditions() {
    let device = supervisor!.device
    for (id, attempt) in engine.attempts.sorted(by: { $0.key < $1.key }) {
      if let reason = prohibition(of: attempt, device) { fail("transfer \(id) runs although \(reason)") }
    }
  }

  private func prohibition(of attempt: Engine.Attempt, _ device: DeviceView) -> String? {
    let options = attempt.request.options
    let network = attempt.isLocal ? device.simulated.network ?? .unmetered : device.conditions.network
    let isConstrained = attempt.isLocal ? device.simulated.isConstrained ?? false : device.conditions.isConstrained
    let waitsForComfort = options.isDiscretionary || options.isFromBackground
    if network == .none { return "there is no network" }
    if network == .cellular, !options.allowsCellular { return "the network is cellular" }
    if network != .unmetered, !options.allowsExpensive || waitsForComfort { return "the network costs money" }
    if isConstrained, !options.allowsConstrained { return "data is saved" }
    return waitsForComfort ? shortage(device.conditions) : nil
  }

  private func shortage(_ conditions: Conditions) -> String? {
    if conditions.power == .battery { return "the battery is in use" }
    if conditions.isLowPower { return "power is saved" }
    if conditions.isCharging { return nil }
    return (conditions.battery ?? 100) < limits.batteryMin ? "the battery is nearly empty" : nil
  }

  /// Checks that no app takes more than three quarters of the places that the others leave it, or one.
  mutating func checkShare(of app: AppID) {
    let own = engine.attempts.values.count { $0.request.app == app }
    let left = limits.runningMax - (engine.running - own)
    if own > max(1, left * 3 / 4) { fail("\(own) attempts of \(app) run where the others leave \(left) places") }
  }

  /// Checks that an attempt begins no earlier than it may, and that its session keeps the limit for one host.
  mutating func checkStart(_ order: TransferOrder, _ host: String) {
    let options = order.request.options
    if let begin = options.earliestBegin, begin > wallMax {
      fail("transfer \(order.id) begins at \(wallMax), before \(begin)")
    }
    guard let max = options.connectionsPerHostMax, let session = order.request.sessionID else { return }
    let count = engine.attempts.values.count { attempt in
      attempt.host == host && attempt.request.sessionID == session
        && attempt.request.options.connectionsPerHostMax != nil
    }
    if count > max { fail("\(count) attempts of \(session) run with \(host)") }
  }

  /// Checks that no new download begins for an app whose finished files alone exceed its quota, but one that the daemon
  /// delivers with nobody's help. Called after a turn of one event.
  mutating func checkQuota(_ turn: Turn) {
    for case .start(let order) in turn.deeds where order.request.direction == .download {
      guard (order.resume?.offset ?? 0) == 0 else { continue }
      if order.request.session == nil, order.request.destination != nil { continue }
      let staged = disk.transfers.values.reduce(Int64(0)) { $0 + finishedBytes($1, of: order.request.app) }
      if staged >= limits.stagedBytesPerAppMax { fail("transfer \(order.id) begins with \(staged) bytes staged") }
    }
  }

  private func finishedBytes(_ row: TransferRecord, of app: AppID) -> Int64 {
    guard row.request.app == app, row.request.destination == nil,
      case .ended(.succeeded(_, let file), _) = row.state.phase
    else { return 0 }
    return file.stamp.size
  }

  /// Checks that no app is launched into the background more often than its budget allows.
  mutating func checkBudget(_ order: LaunchOrder) {
    let app = order.app.id
    guard order.isBackground else { return watch.launches[app] = nil }
    watch.launches[app, default: []].append(device.uptime)
    let launches = watch.launches[app]!
    for (place, first) in launches.enumerated() {
      let granted = limits.launchesPerAppMax + Int((device.uptime - first) / limits.launchInterval.wholeMilliseconds)
      let count = launches.count - place
      if count > granted + 1 { return fail("\(app) is launched \(count) times where \(granted) are granted") }
    }
    if launches.count > 40 { watch.launches[app]!.removeFirst(20) }
  }
}
