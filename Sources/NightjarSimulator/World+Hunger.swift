import NightjarCore
import NightjarHabits
import NightjarModel

/// What the world remembers of apps that wait to be refreshed, in its milliseconds.
struct Hunger: Sendable {
  /// Since when each app may be refreshed, and nothing has brought its content up to date.
  var since: [AppID: Int64] = [:]
  /// The apps that are in the foreground, and when each app came there last.
  var front: Set<AppID> = []
  var opened: [AppID: Int64] = [:]
  /// The same as far as it was committed: what a crash of the daemon leaves known.
  var known: [AppID: Int64] = [:]

  /// An app was refreshed, or nobody can expect that.
  mutating func end(_ app: AppID) { since[app] = nil }

  /// The habits were committed.
  mutating func keep() { known = opened }

  /// A daemon begins with what was committed.
  mutating func recall() { (since, opened) = ([:], known) }
}

/// No app starves, however little it is worth to refresh it: after three days it is, and after three quarters of the time
/// for which nobody has opened it if that is longer.
extension World {
  /// To be called after a turn, and whenever time has passed.
  mutating func checkHunger() {
    guard supervisor != nil, hasStarted else { return }
    for app in apps.keys.sorted() {
      noteFront(app)
      guard mayBeRefreshed(app) else {
        watch.hunger.end(app)
        continue
      }
      let since = watch.hunger.since[app] ?? device.now
      watch.hunger.since[app] = since
      if device.now - since > patience(app) { starve(app, since: since) }
    }
  }

  /// Takes note of a commit. Who came to the foreground in this turn is not seen yet, though the commit may tell of it: then
  /// the app counts as opened at the next one.
  mutating func noteHabits(_ changes: Changes) {
    if changes.habits != nil { watch.hunger.keep() }
    for (app, row) in changes.apps where row == nil {
      (watch.hunger.opened[app], watch.hunger.known[app]) = (nil, nil)
    }
  }

  private mutating func noteFront(_ app: AppID) {
    let isInFront = disk.apps[app]?.isBackground == false && state(of: app) != .notRunning
    if isInFront, !watch.hunger.front.contains(app) { watch.hunger.opened[app] = device.now }
    if isInFront { watch.hunger.front.insert(app) } else { watch.hunger.front.remove(app) }
  }

  private func state(of app: AppID) -> AppView.State? { supervisor!.view(of: app, at: device.moment)?.state }

  /// Whether nothing is in the way of refreshing an app, as far as was committed. A try that has not reached the app is its
  /// daemon's to repeat.
  private func mayBeRefreshed(_ app: AppID) -> Bool {
    guard let row = disk.apps[app], row.installed.modes.contains("fetch"), apps[app]?.isOnDisk == true,
      !watch.uninstalling.contains(app), !row.card.isRemoved, row.settings.refreshes, disk.refreshes,
      disk.fetches[app]?.interval != nil, watch.hunger.known[app] != nil, !isBackingOff(app)
    else { return false }
    let isInBackground = [.notRunning, .suspended, .background].contains(state(of: app))
    return isInBackground && allowsFetches(supervisor!.device.conditions)
  }

  private func isBackingOff(_ app: AppID) -> Bool {
    guard let backOff = disk.fetches[app]?.backOff, backOff.failures > 0 else { return false }
    return backOff.notBefore.map { supervisor!.ledger.clock.latest < $0 } ?? false
  }

  private func allowsFetches(_ device: Conditions) -> Bool {
    guard device.isOnline, !device.isConstrained, !device.isLowPower, !device.isAsleep else { return false }
    if let spent = disk.budget?.spent(under: device), supervisor!.ledger.clock.latest < spent.until { return false }
    return device.power != .battery || device.isCharging || (device.battery ?? 100) >= limits.batteryMin
  }

  /// How long an app may have to wait. A day more is granted: it may be launched for other things too often, and a task that
  /// it runs keeps it from being told.
  private func patience(_ app: AppID) -> Int64 {
    let unused = device.now - (watch.hunger.known[app] ?? device.now)
    let interval = disk.fetches[app]?.interval ?? .zero
    return max(Duration.days(3).wholeMilliseconds, interval.wholeMilliseconds, unused / 4 * 3)
      + Duration.days(1).wholeMilliseconds
  }

  private mutating func starve(_ app: AppID, since: Int64) {
    watch.hunger.end(app)
    // Whether a person ever opened it is the one thing that only the daemon's own words tell.
    guard let habits = disk.habits, (try? Habits(saved: habits))?.knows(app) == true else { return }
    fail("\(app) starves: for \(Duration.milliseconds(device.now - since)) nothing has kept it from being refreshed")
  }
}
