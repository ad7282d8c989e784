import NightjarModel

/// What is done when memory is short: apps that run are told, and those that stand still are ended, the largest first;
/// then those that run in the background, and the one in the foreground last.
extension Supervisor {
  /// The room tells that memory is short.
  mutating func press(_ pressure: MemoryPressure, at now: Age, into turn: inout Turn) {
    guard pressure > .none else { return }
    if shortage.toldAt.map({ now - $0 >= limits.memoryWarningInterval }) ?? true { warn(at: now, into: &turn) }
    guard pressure == .urgent else { return }
    if shortage.victim == nil { shortage.call() }  // Else it is measured again once that is gone.
    if shortage.isOver { measure(at: now, into: &turn) }
  }

  /// Simulates that memory is short. Returns the apps that are told.
  mutating func simulate(_ pressure: MemoryPressure, at now: Age, into turn: inout Turn) -> [AppID] {
    let told = warn(at: now, into: &turn)
    if pressure == .urgent { press(.urgent, at: now, into: &turn) }
    return told
  }

  /// Tells the apps that run. One that stands still is not told, and not woken for it.
  @discardableResult
  private mutating func warn(at now: Age, into turn: inout Turn) -> [AppID] {
    shortage.toldAt = now
    let told = apps.keys.sorted().filter { id in
      guard let app = apps[id], app.isBundle, case .running = app.life else { return false }
      return app.ear != nil
    }
    for id in told {
      guard var app = apps[id], let ear = app.ear else { continue }
      turn.deeds.append(.tell(ear, .memoryWarning))
      // Of several warnings in a row only the first is entered.
      if app.history.entries.last?.kind != .warned {
        remember(.warned, "is told that memory is short", of: &app, into: &turn)
      }
      apps[id] = app
    }
    return told
  }

  /// Asks the room how much memory the candidates take up. Without any, everything has been done.
  private mutating func measure(at now: Age, into turn: inout Turn) {
    let lives = candidates
    guard !lives.isEmpty else { return finishShortage() }
    shortage.measure(by: now + limits.measureTimeout)
    turn.deeds.append(.measure(question: shortage.question, lives))
  }

  /// The apps of which one is ended first: those that stand still, if there are any; else those that run in the
  /// background; else the one in the foreground.
  private var candidates: [AppLifeID] {
    let bundles = apps.keys.sorted().map { apps[$0]! }.filter(\.isBundle)
    let tiers = [
      bundles.filter(\.isSuspended),
      bundles.filter { $0.record.isBackground && $0.life != .notRunning && !$0.isEnding },
      bundles.filter(\.isInForeground),
    ]
    return (tiers.first { !$0.isEmpty } ?? []).map { AppLifeID($0.id, life: $0.record.life) }
  }

  /// Takes in what the room has measured, and ends an app if one still has to go.
  mutating func weighMemory(_ reading: MemoryReading, question: Int, at now: Age, into turn: inout Turn) {
    guard shortage.answered(question) else { return }
    guard shortage.owed > 0 || reading.pressure == .urgent, let life = victim(reading) else { return finishShortage() }
    guard var app = apps[life.app] else { return finishShortage() }
    let size = reading.footprints[life].map { ", with \(($0 + 524_288) >> 20) MiB" } ?? ""
    let place =
      app.isSuspended ? "it was suspended" : app.isInForeground ? "nothing else was left" : "it ran in the background"
    remember(.memory, "is ended, since memory is short: \(place)\(size)", of: &app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
    apps[life.app] = app
    touch(life.app, into: &turn)
    shortage.end(life, until: now + limits.memoryPause, patience: now + limits.endTimeout)
  }

  /// The largest; among equals the one that has stood still for longest. The app in the foreground goes only if that
  /// would help.
  private func victim(_ reading: MemoryReading) -> AppLifeID? {
    let lives = candidates
    if let first = lives.first, apps[first.app]!.isInForeground {
      let share = reading.total / 100 * Int64(limits.foregroundMemoryPercentMin)
      return reading.pressure == .urgent && reading.footprints[first, default: 0] >= share ? first : nil
    }
    return lives.min { a, b in
      let (mine, its) = (reading.footprints[a, default: 0], reading.footprints[b, default: 0])
      return mine != its ? mine > its : apps[a.app]!.suspendedAt < apps[b.app]!.suspendedAt
    }
  }

  /// Measures again, once the app that was ended is gone.
  mutating func settleShortage(at now: Age, into turn: inout Turn) {
    guard let due = shortage.due, due <= now else { return }
    switch shortage.phase {
    case .over: break
    case .measuring: finishShortage()  // The room has no answer.
    case .waiting:
      if isAwaitingVictim(at: now) { return shortage.wait(until: now + limits.memoryPause) }
      measure(at: now, into: &turn)
    }
  }

  private func isAwaitingVictim(at now: Age) -> Bool {
    guard let (life, patience) = shortage.victim, now < patience, let app = apps[life.app] else { return false }
    return app.isEnding && app.record.life == life.life
  }

  /// Ends the shortage: launches that were held back may go on.
  private mutating func finishShortage() {
    shortage.finish()
    plan.isDisturbed = true
    for id in apps.keys.sorted() where apps[id]?.wakes.isEmpty == false { disturb(id) }
  }
}
