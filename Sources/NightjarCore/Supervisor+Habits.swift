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

  /// An app leaves the foreground, whatever for: until now its content was what the person saw.
  mutating func learnLeft(_ app: App, isSeen: Bool, at now: Age, into turn: inout Turn) {
    plan.habits.left(app.id, at: localTime)
    plan.isDisturbed = true
    if isSeen { plan.usedAt = now }
    noteSeen(app, at: now, into: &turn)
    plan.saving.learned()
  }

  /// The app in the foreground has ended by itself. Nobody saw it on a locked or a sleeping device, and nowhere is it a sign
  /// that somebody uses the device.
  mutating func learnLost(_ app: App, at now: Age, into turn: inout Turn) {
    guard device.conditions.isSeen else { return }
    plan.habits.lost(app.id, at: localTime)
    noteSeen(app, at: now, into: &turn)
    plan.saving.learned()
  }

  /// Until now the content of an app was what a person saw. Of one that may not be refreshed that is not kept.
  mutating func noteSeen(_ app: App, at now: Age, into turn: inout Turn) {
    if app.declares(.fetch) { fetches.visited(app.id, at: now, wall: moment.wall, into: &turn) }
  }

  /// A person uses the device. The rule is asked about that, but of many taps at a few only, so that one costs hardly
  /// anything: what the rule goes by is never older by then than the window that use leaves open.
  mutating func learnUse(at now: Age) {
    let radioUp = plan.rule.settings.radioUp
    let isKnown = plan.wasUsed(within: radioUp, at: now) && plan.wasAsked(within: radioUp, at: now)
    plan.habits.noticed(at: localTime)
    plan.usedAt = now
    plan.saving.learned()
    if !isKnown { plan.isDisturbed = true }
  }

  /// The device is locked or unlocked, sleeps or wakes: nobody uses an app on a locked screen.
  mutating func conditionsChanged(from old: Conditions, to new: Conditions, at now: Age, into turn: inout Turn) {
    // No app but the one in front is another prospect for it: the rule is told of the conditions beside them.
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
    let known = plan.habits.known.filter { apps[$0] != nil && (id == nil || id == $0) }
    return HabitsView(apps: known.map(habitsEntry), byteCount: Habits.byteCount)
  }

  private func habitsEntry(of id: AppID) -> HabitsView.Entry {
    let habits = plan.habits
    return HabitsView.Entry(
      installed: apps[id]!.record.installed, weekday: habits.day(of: id, isWeekend: false),
      weekend: habits.day(of: id, isWeekend: true), probability: habits.forecast(id, at: localTime).probability,
      launches: habits.launches(of: id), byteCount: Habits.byteCount(of: id))
  }

  mutating func forgetHabits(of id: AppID?) throws(Refusal) {
    if let id, apps[id] == nil { throw .noSuchApp(id) }
    plan.habits.forget(id)
    plan.isDisturbed = true
    plan.saving.learned(isUrgent: true)
  }
}

extension Conditions {
  /// Whether a person can see what is in the foreground.
  var isSeen: Bool { !isLocked && !isAsleep }
}
