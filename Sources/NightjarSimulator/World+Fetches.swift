import NightjarCore
import NightjarModel

/// Errands: fetches and tasks that apps are woken for, and their outcomes.
extension World {
  /// Has an app ask for fetches and tasks, as apps do after their launch.
  mutating func wishForErrands(_ index: Int) {
    guard let household = apps[processes[index].app], household.isRefreshable else { return }
    if dice.falls(300) {
      let interval = dice.pick([nil, .zero, .zero, .minutes(40)] as [Duration?])
      apps[processes[index].app]!.interval = interval
      call(.setFetchInterval(interval), index)
    }
    guard dice.falls(200) else { return }
    let isProcessing = dice.falls(500)
    let delay = Duration.seconds(dice.draw(-3_600...36_000))
    let wall = device.moment.wall.milliseconds + delay.wholeMilliseconds
    let request = BackgroundRequest(
      identifier: isProcessing ? "clean" : "refresh", kind: isProcessing ? .processing : .refresh,
      earliestBegin: dice.falls(500) ? Timestamp(milliseconds: wall) : nil, needsNetwork: dice.falls(300),
      needsPower: isProcessing && dice.falls(300))
    call(.submit(request), index)
    if dice.falls(100) { call(.cancelRequests(dice.falls(500) ? nil : "clean"), index) }
  }

  /// Gives an app an errand: it answers soon, late, twice or never, or crashes over it.
  mutating func perform(_ number: Int64, isFetch: Bool, _ index: Int) {
    let process = processes[index]
    guard !hangs(index, before: 1) else { return }
    if faults != .none, dice.falls(faults.appCrash) { return exit(process.pid, isCrash: true) }
    let isSlow = faults != .none && dice.falls(150)
    let step = isFetch ? ProcessStep.finishFetch(number) : .finishTask(number)
    plan(.stepped(pid: process.pid, step), in: isSlow ? dice.draw(28_000...90_000) : dice.draw(10...20_000))
    if dice.falls(50) { plan(.stepped(pid: process.pid, step), in: dice.draw(20_000...60_000)) }
  }

  mutating func finishFetch(_ number: Int64, _ index: Int) {
    if dice.falls(300) { call(.show(view: device.uptime, byteCount: 100), index) }
    call(.finishFetch(number, dice.pick([.newData, .newData, .noData, .failed])), index)
  }

  /// Measures what an app has used, sooner or later; the answer may be lost.
  mutating func meter(_ app: AppID, life: Int, _ errand: Int64) {
    guard !dice.falls(faults.launchFailure) else { return }
    let cpu = dice.falls(100) ? nil : Duration.milliseconds(dice.draw(0...60_000))
    plan(
      .reported(.app(app, life: life, .metered(errand: errand, cpu: cpu)), daemon: daemon), in: dice.draw(0...2_000))
  }

  // MARK: What must hold

  /// Whether a committed errand of an app waits or is under way.
  func hasErrand(_ app: AppID) -> Bool {
    disk.decisions.values.contains { $0.app == app && $0.verdict != .waits && $0.outcome == nil }
  }

  /// Whether a process runs for an errand: that never ends as long as apps want to be refreshed.
  func isRefreshed(_ process: Process) -> Bool {
    let isFresh = watch.refreshed[process.app].map { device.now - $0 < 120_000 } ?? false
    let isAtIt = process.errand.map { $0.daemon == daemon && device.uptime < $0.until + Self.grace } ?? false
    return isFresh || isAtIt || hasErrand(process.app)
  }

  /// The longest time until an app whose time is up is frozen or gone.
  private static var grace: Int64 { 60_000 }

  /// Notes since when decisions have had no outcome.
  mutating func noteDecisions(_ changes: Changes) {
    for (number, decision) in changes.decisions {
      let isOpen = decision.map { $0.verdict != .waits && $0.outcome == nil } ?? false
      watch.open[number] = isOpen ? watch.open[number] ?? device.now : nil
    }
  }

  /// Checks that fetches and tasks end in time.
  mutating func checkDecisionsAtRest() {
    let spans = [
      limits.attachTimeout, limits.endTimeout, limits.processingTimeout, limits.meterTimeout, .milliseconds(Self.grace),
    ]
    let longest = spans.reduce(Duration.zero, +)
    for (number, since) in watch.open.sorted(by: { $0.key < $1.key }) {
      let passed = Duration.milliseconds(device.now - since)
      if passed > longest { fail("decision \(number) has been open for \(passed): \(disk.decisions[number]!)") }
    }
  }

  /// Checks that the daemon by itself refreshes no app that may not be refreshed, and none before its time. Called
  /// before the commit of a turn of one event: of several, one may forbid what another had begun.
  mutating func checkDecisions(_ changes: Changes) {
    guard isLone else { return }
    for (number, decision) in changes.decisions.sorted(by: { $0.key < $1.key }) where disk.decisions[number] == nil {
      guard let decision, decision.verdict == .fetch || decision.verdict == .joins else { continue }
      if let reason = prohibition(of: decision, changes) {
        fail("\(decision.app) is to be refreshed although \(reason)")
      }
      if let reason = prematureness(of: decision, changes) { fail("\(decision.app) is to be refreshed \(reason)") }
    }
  }

  private func prohibition(of decision: FetchDecision, _ changes: Changes) -> String? {
    let app = changes.apps[decision.app].flatMap { $0 } ?? disk.apps[decision.app]
    guard let app else { return "it is not there" }
    let device = supervisor!.device.conditions
    if app.card.isRemoved { return "a person removed it" }
    if !app.settings.refreshes || !(changes.refreshes ?? disk.refreshes) { return "it may not be" }
    if device.isAsleep || device.isLowPower { return "the device sleeps or saves power" }
    if decision.request == "clean" { return nil }
    return device.isOnline ? nil : "there is no network"
  }

  private func prematureness(of decision: FetchDecision, _ changes: Changes) -> String? {
    guard decision.request != "clean", let last = watch.refreshed[decision.app] else { return nil }
    let record = changes.fetches[decision.app].flatMap { $0 } ?? disk.fetches[decision.app]  // It may ask in this turn.
    let asked = decision.request == nil ? record?.interval ?? .zero : .zero
    let floor = max(asked, limits.fetchIntervalMin)
    let passed = Duration.milliseconds(taken.now - last)
    return passed < floor ? "\(passed) after the last time, where \(floor) have to pass" : nil
  }

  /// Checks that no task is forgotten before its app was told of it, unless the app has withdrawn it. Called before the
  /// commit of a turn of one event: of several, one may request it and another withdraw it.
  mutating func checkRequests(_ changes: Changes) {
    for (id, record) in changes.requests.sorted(by: { $0.key < $1.key }) where record == nil {
      let isTakenBack = watch.takenBack.remove(id) != nil
      guard isLone, !isTakenBack, let row = disk.requests[id], changes.apps[id.app] != .some(nil) else { continue }
      guard row.errand.map(watch.tasksTold.contains) != true else { continue }
      fail("the task '\(id.identifier)' of \(id.app) is forgotten: \(row)")
    }
  }

  /// Checks that an app is given an errand once, and one at a time.
  mutating func checkErrand(_ number: Int64, isFetch: Bool, on id: ConnectionID) {
    guard let index = processes.firstIndex(where: { $0.connection == id }) else { return }
    let app = processes[index].app
    if !watch.errands.insert(number).inserted { fail("errand \(number) is told twice") }
    if let other = processes[index].errand, other.daemon == daemon, device.uptime < other.until {
      fail("\(app) is told of errand \(number) while it is at another")
    }
    let time = isFetch ? limits.fetchTimeout : limits.processingTimeout
    processes[index].errand = (number, daemon, device.uptime + time.wholeMilliseconds)
    guard isFetch else { return }
    watch.refreshed[app] = taken.now
    watch.hunger.end(app)
  }

  /// Shortens the time of a task, whose end the daemon has announced.
  mutating func shortenErrand(_ number: Int64, on id: ConnectionID) {
    guard let index = processes.firstIndex(where: { $0.connection == id }), var errand = processes[index].errand,
      errand.number == number, errand.daemon == daemon
    else { return }
    errand.until = min(errand.until, device.uptime + limits.taskWarning.wholeMilliseconds)
    processes[index].errand = errand
  }
}
