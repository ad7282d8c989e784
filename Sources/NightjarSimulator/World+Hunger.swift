import NightjarCore
import NightjarHabits
import NightjarModel

/// What the world remembers about apps that wait to be refreshed, in its milliseconds.
struct Hunger: Sendable {
  /// Since when each app could be refreshed and has not been.
  var since: [AppID: Int64] = [:]
  /// The apps in the foreground, and when each app last came there.
  var front: Set<AppID> = []
  var opened: [AppID: Int64] = [:]
  /// The committed part of ``opened``, which a crash of the daemon preserves.
  var known: [AppID: Int64] = [:]

  /// Ends an app's wait: it was refreshed, or may not be.
  mutating func end(_ app: AppID) { since[app] = nil }

  /// Notes that the habits were committed.
  mutating func keep() { known = opened }

  /// Falls back to what was committed, as a new daemon does.
  mutating func recall() { (since, opened) = ([:], known) }
}

/// Checks that no app starves, however little a refresh is worth: it comes after three days, or after three quarters of
/// the time since the app was last opened if that is longer.
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

  /// Notes a commit. An app that came to the foreground in this turn is not seen yet, although the commit may contain
  /// that: it counts as opened at the next commit.
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

  /// Whether nothing prevents refreshing an app, as far as is committed. An attempt that has not reached the app must
  /// be repeated by its daemon.
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

  /// How long an app may have to wait. This includes a day of grace: its launch budget may be spent on other things,
  /// and a task that it runs delays a fetch.
  private func patience(_ app: AppID) -> Int64 {
    let unused = device.now - (watch.hunger.known[app] ?? device.now)
    let interval = disk.fetches[app]?.interval ?? .zero
    return max(Duration.days(3).wholeMilliseconds, interval.wholeMilliseconds, unused / 4 * 3)
      + Duration.days(1).wholeMilliseconds
  }

  private mutating func starve(_ app: AppID, since: Int64) {
    watch.hunger.end(app)
    // Whether a person ever opened it is the one fact that only the daemon's own data contain.
    guard let habits = disk.habits, (try? Habits(saved: habits))?.knows(app) == true else { return }
    fail("\(app) starves: for \(Duration.milliseconds(device.now - since)) nothing has kept it from being refreshed")
  }
}
