import NightjarModel

/// Bundles that come to the disk and go from it, and the programs whose names they take.
extension Supervisor {
  /// Takes in a bundle that is on the disk. If it was replaced on request, the old one ends.
  mutating func install(_ installed: InstalledApp, _ ticket: Ticket?, at now: Age, into turn: inout Turn) {
    guard installed.id != .commandLine else {
      let refusal = Refusal.nameRefused(installed.id.rawValue, reason: "the command line's transfers go by it")
      return ticket.map { turn.deeds.append(.answer($0, .refused(refusal))) } ?? ()
    }
    if departed.contains(installed.id) {
      // Found at a start: the daemon died after it had forgotten the app and before it had removed it from the disk.
      guard ticket != nil else { return turn.deeds.append(.uninstall(installed.id)) }
      settleDeparture(installed.id, into: &turn)
    }
    var app = apps[installed.id] ?? App(AppRecord(installed: installed))
    if !app.isBundle { partWithProgram(&app, into: &turn) }
    if apps[installed.id] == nil || app.record.installed != installed {
      app.record.installed = installed
      turn.changes.keep(app.record)
    }
    if ticket != nil, app.life != .notRunning {
      remember(.upgraded, "is ended, since its bundle was installed again", of: &app, into: &turn)
      end(&app, politely: true, at: now, into: &turn)
    }
    keepInstalled(&app, into: &turn)
    plan.isDisturbed = true
    apps[installed.id] = app
    claim(installed.id, into: &turn)
    touch(installed.id, into: &turn)
    if let ticket { turn.deeds.append(.answer(ticket, .app(view(of: app, at: now)))) }
  }

  /// Parts with the processes of a program whose name a bundle has taken, without ending them: neither may they share
  /// sessions with the bundle's, nor pass for its life. What they have queued stays under the name. They are told why
  /// when they attach again.
  private mutating func partWithProgram(_ app: inout App, into turn: inout Turn) {
    let isThere = app.life != .notRunning || !app.attachments.isEmpty
    for connection in app.attachments.entries(after: nil, limit: .max).map(\.key) {
      turn.deeds.append(.dismiss(connection))
    }
    closeAttachments(of: &app)
    disown(&app, into: &turn)
    guard isThere else { return }
    turn.deeds.append(.note(app.id, "an installed app has this name now: the program was parted with"))
  }

  /// Lets go of a program's life, which goes on or not as it likes. To this daemon and the next it is a former one.
  private func disown(_ app: inout App, into turn: inout Turn) {
    if app.life != .notRunning { turn.deeds.append(.end(app.id, life: app.record.life, politely: true)) }
    if app.life != .notRunning || app.history.isOpen {
      noteEnd(of: &app, .exited, "was parted with: an installed app has its name", into: &turn)
    }
    refuseLaunch(&app, "an app that was installed has the program's name", into: &turn)
    app.record.life += 1
    (app.life, app.run, app.claimedUntil) = (.notRunning, Run(), nil)
    (app.unheardArguments, app.interrupted) = (nil, .init())
    dropView(of: &app, into: &turn)
  }

  /// Cancels the removal of an app that was installed again before it had ended.
  private func keepInstalled(_ app: inout App, into turn: inout Turn) {
    let refusal = Refusal.invalid(field: "app", reason: "\(app.id) was installed again before it had ended")
    for ticket in app.removalTickets ?? [] { turn.deeds.append(.answer(ticket, .refused(refusal))) }
    (app.removalTickets, app.isGone) = (nil, false)
  }

  /// An app's bundle is gone from the disk: so is the app, as soon as it has ended.
  mutating func vanish(_ id: AppID, at now: Age, into turn: inout Turn) {
    if departed.contains(id) { return settleDeparture(id, into: &turn) }
    guard var app = apps[id], app.isBundle else { return }
    app.isGone = true
    prepareRemoval(&app, at: now, into: &turn)
    apps[id] = app
    touch(id, into: &turn)
  }

  private mutating func settleDeparture(_ id: AppID, into turn: inout Turn) {
    departed.remove(id)
    turn.changes.depart(id, false)
  }

  /// Ends an app for good: nobody launches it any more.
  mutating func prepareRemoval(_ app: inout App, at now: Age, into turn: inout Turn) {
    app.removalTickets = app.removalTickets ?? []
    app.relaunchArguments = nil
    answerLaunch(&app, .refused(.noSuchApp(app.id)), into: &turn)
    withdrawErrand(of: &app, because: .noSuchApp(app.id), into: &turn)
    guard app.isBundle, app.life != .notRunning else { return }
    rememberRemoval(of: &app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
  }

  /// Writes down that an app is ended to be removed: a daemon that finds this goes on with it. An app whose bundle has
  /// gone by itself may have it again by then, and stays.
  private func rememberRemoval(of app: inout App, into turn: inout Turn) {
    if app.isGone {
      remember(.terminated, "is ended: its bundle is gone from the disk", of: &app, into: &turn)
    } else if app.reasonOfEnd != .removed {
      remember(.removed, "is ended, to be removed", of: &app, into: &turn)
    }
  }

  /// Removes the apps that an earlier daemon was removing, and that have ended since.
  mutating func finishRemovals(at now: Age, into turn: inout Turn) {
    for id in apps.keys.sorted() where apps[there: id].life == .notRunning && apps[there: id].reasonOfEnd == .removed {
      apps[there: id].removalTickets = apps[there: id].removalTickets ?? []
      settle(id, at: now, into: &turn)
    }
  }
}
