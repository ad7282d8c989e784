import NightjarHabits
import NightjarModel

/// What is learned of when apps are used.
extension Supervisor {
  /// The time as a clock on the wall shows it where the device is.
  var localTime: LocalTime {
    LocalTime(seconds: moment.wall.seconds, offset: notices.rules.offset(at: moment.wall))
  }

  /// Goes on from what was learned; if that cannot be read, from nothing.
  mutating func recallHabits(_ saved: [UInt8]?) {
    guard let saved else { return }
    do {
      plan.habits = try Habits(saved: saved)
    } catch {
      plan.trouble = "what was learned of habits cannot be gone on with, and is begun anew: \(error.detail)"
    }
  }

  /// A person brings an app to the foreground.
  mutating func learnOpened(_ id: AppID, at now: Age) {
    plan.saving.learned(isUrgent: !plan.habits.knows(id))
    plan.habits.opened(id, at: localTime)
    (plan.usedAt, plan.isDisturbed) = (now, true)
    noteOpening(at: now)
  }

  /// Learns that an app leaves the foreground, for any reason: until now the person saw its content.
  mutating func learnLeft(_ app: App, isSeen: Bool, at now: Age, into turn: inout Turn) {
    plan.habits.left(app.id, at: localTime)
    plan.isDisturbed = true
    if isSeen { plan.usedAt = now }
    noteSeen(app, at: now, into: &turn)
    plan.saving.learned()
  }

  /// Learns that the app in the foreground has ended by itself, which is no sign that anybody uses the device. On a
  /// locked or sleeping device nobody saw the app.
  mutating func learnLost(_ app: App, at now: Age, into turn: inout Turn) {
    guard device.conditions.isSeen else { return }
    plan.habits.lost(app.id, at: localTime)
    noteSeen(app, at: now, into: &turn)
    plan.saving.learned()
  }

  /// Notes that a person saw an app's content until now, if the app declares background fetch. Without a network it
  /// could not bring its content up to date.
  mutating func noteSeen(_ app: App, at now: Age, into turn: inout Turn) {
    guard app.declares(.fetch), device.conditions.isOnline else { return }
    fetches.visited(app.id, at: now, wall: moment.wall, into: &turn)
  }

  /// Learns that a person uses the device. Of many taps only a few have the rule asked, so that one costs hardly
  /// anything: its last answer is then younger than the window that use leaves open.
  mutating func learnUse(at now: Age) {
    let radioUp = plan.rule.settings.radioUp
    let isKnown = plan.wasUsed(within: radioUp, at: now) && plan.wasAsked(within: radioUp, at: now)
    plan.habits.noticed(at: localTime)
    plan.usedAt = now
    plan.saving.learned()
    if !isKnown { plan.isDisturbed = true }
  }

  /// Takes in changed conditions. A person sees apps only while the device is unlocked and awake.
  mutating func conditionsChanged(from old: Conditions, to new: Conditions, at now: Age, into turn: inout Turn) {
    // Only the front app's prospect depends on them: the rule is told of the conditions separately.
    plan.isDisturbed = true
    if !old.isOnline, new.isOnline { fetches.endBackOffs(into: &turn) }
    guard old.isSeen != new.isSeen else { return }
    if let front { fetches.changes.note(front) }  // It refreshes itself only while it is seen.
    guard new.isSeen else {
      if let front, let app = apps[front] { learnLeft(app, isSeen: false, at: now, into: &turn) }
      return
    }
    learnUse(at: now)
    if let front { learnOpened(front, at: now) }
  }

  /// An app is gone, and what was learned of it goes with it.
  mutating func forgetHabits(ofRemoved id: AppID) {
    guard plan.habits.knows(id) else { return }
    plan.habits.forget(id)
    plan.saving.learned(isUrgent: true)
  }

  /// Saves what was learned, if that is due: with whatever else this turn commits.
  mutating func saveHabits(at now: Age, into turn: inout Turn) {
    if plan.saving.isDue(at: now) { turn.changes.keep(plan.habits) }
  }

  // MARK: People

  func habitsView(of id: AppID?) throws(Refusal) -> HabitsView {
    if let id, apps[id] == nil { throw .noSuchApp(id) }
    let known = plan.habits.known.filter { app in
      apps[app] != nil && (id == nil || id == app) && plan.habits.launches(of: app) > 0
    }
    return HabitsView(apps: known.map(habitsEntry), byteCount: Habits.byteCount)
  }

  private func habitsEntry(of id: AppID) -> HabitsView.Entry {
    let habits = plan.habits
    return HabitsView.Entry(
      installed: apps[id]!.record.installed, weekday: habits.day(of: id, isWeekend: false),
      weekend: habits.day(of: id, isWeekend: true), probability: habits.forecast(id, at: localTime).probability,
      launches: habits.launches(of: id), byteCount: Habits.byteCount(of: id))
  }

  /// Forgets what was learned of an app or with nil of all, and what was decided by it. The apps are refreshed as ones
  /// that have just been opened for the first time.
  mutating func forgetHabits(of id: AppID?, into turn: inout Turn) throws(Refusal) {
    if let id, apps[id] == nil { throw .noSuchApp(id) }
    plan.habits.beginAnew(id, at: localTime)
    for app in id.map({ [$0] }) ?? fetches.decisions.apps { fetches.forgetDecisions(of: app, into: &turn) }
    plan.isDisturbed = true
    plan.saving.learned(isUrgent: true)
  }
}

extension Conditions {
  /// Whether a person can see what is in the foreground.
  var isSeen: Bool { !isLocked && !isAsleep }
}
