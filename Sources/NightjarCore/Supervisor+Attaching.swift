import NightjarModel

/// Who is attached: apps and programs come in, and go.
extension Supervisor {
  /// Attaches a client, or says why not.
  mutating func attach(_ attachment: Attachment, at now: Age, into turn: inout Turn) -> Answer {
    let id = attachment.caller.app
    if let other = appOfConnection[attachment.connection], other != id {
      return .refused(.nameRefused(id.rawValue, reason: "this connection is attached as \(other) already"))
    }
    if let relaunch = attachment.relaunch {
      if let refusal = register(id, relaunch: relaunch, into: &turn) { return .refused(refusal) }
    }
    guard var app = apps[id] else { return .refused(.noSuchApp(id)) }
    let isReturning = app.run.isAdopted && app.run.hasAttached
    enter(attachment, &app, into: &turn)
    liveOn(&app, with: attachment.caller, at: now, into: &turn)
    let answer = welcome(&app, attachment, isReturning: isReturning)
    apps[id] = app
    touch(id, into: &turn)
    return answer
  }

  /// The client is attached from now on.
  private mutating func enter(_ attachment: Attachment, _ app: inout App, into turn: inout Turn) {
    app.attachments[attachment.connection] = attachment
    (app.unheardArguments, app.returnsBy, app.run.hasAttached, app.run.isAdopted) = (nil, nil, true, false)
    rememberAttached(&app, into: &turn)
    appOfConnection[attachment.connection] = app.id
    app.interrupted = .init()
  }

  /// What it means for an app's life that one of its processes has attached.
  private mutating func liveOn(_ app: inout App, with caller: Caller, at now: Age, into turn: inout Turn) {
    switch app.life {
    case .launching(let pid, _):  // Another process of a program may attach before the one that was launched runs.
      app.life = .running(pid: app.isBundle ? pid ?? caller.pid : pid)
    case .notRunning where app.isBundle:
      (app.life, app.run.isStray) = (.running(pid: caller.pid), true)
    case .notRunning:  // A program that nobody relaunched: a person has started it.
      unpark(&app, into: &turn)
    case .suspending, .suspended:  // It has to hear where it is.
      runOn(&app, "since it attached again", at: now, into: &turn)
    case .running where isSecond(caller, of: app):
      unpark(&app, into: &turn)
    case .running, .ending:
      break
    }
  }

  /// Tells a client that has attached where its app stands. `isReturning`: it was attached to an earlier daemon.
  private func welcome(_ app: inout App, _ attachment: Attachment, isReturning: Bool) -> Answer {
    let isBackground = app.isBundle && app.record.isBackground
    let isLeader = app.ear.map { app.attachments[$0]?.caller.pid == attachment.caller.pid } ?? false
    let transition =
      isBackground && isLeader
      ? app.arrive(within: limits.eventsTimeout, of: moment.awake, isReturning: isReturning) : nil
    let standing = app.isBundle ? self.standing(of: app) : nil
    if app.isBundle, app.ear == attachment.connection {
      app.run.briefing = Briefing(ear: attachment.connection, time: civilTime.mark, standing: standing)
    }
    return .attached(
      life: app.record.life, isBackground: isBackground, transition: transition, standing: standing,
      noticed: isLeader ? tappedNotice(of: app.id) : nil)
  }

  /// Whether a program's process attaches beside the launched one, which is attached: a person has started it, too.
  private func isSecond(_ caller: Caller, of app: App) -> Bool {
    !app.isBundle && caller.pid != app.pid && app.attachments.values.contains { $0.caller.pid == app.pid }
  }

  /// Gives programs that were attached to an earlier daemon the time to attach again. No record tells of one that a
  /// person has started, so it would be launched beside itself.
  mutating func awaitPrograms(at now: Age) {
    for id in apps.keys.sorted() where !apps[there: id].isBundle && apps[there: id].isIdle {
      apps[there: id].returnsBy = now + Limits.returnTimeout
    }
  }

  /// Writes down that this life has attached, for a later daemon that may have to adopt it.
  private func rememberAttached(_ app: inout App, into turn: inout Turn) {
    guard app.isBundle, app.record.attachedLife != app.record.life else { return }
    app.record.attachedLife = app.record.life
    turn.changes.keep(app.record)
  }

  /// Registers a program under its name.
  private mutating func register(_ id: AppID, relaunch: [String], into turn: inout Turn) -> Refusal? {
    guard apps[id] != nil || AppID.mayBeTaken(id.rawValue), id != .commandLine else {
      let rule = "use 1 to 128 letters, digits, '.', '-' and '_', not digits alone, starting with a letter or a digit"
      return .nameRefused(id.rawValue, reason: rule)
    }
    if apps[id]?.isBundle == true {
      return .nameRefused(id.rawValue, reason: "an installed app has this name")
    }
    guard !relaunch.contains(where: { $0.utf8.contains(0) }) else {
      return .invalid(field: "relaunch", reason: "no part of a command has a NUL in it")
    }
    guard relaunch.reduce(0, { $0 + $1.utf8.count + 1 }) <= Limits.relaunchBytesMax else {
      return .invalid(field: "relaunch", reason: "a command has at most \(Limits.relaunchBytesMax) bytes in all")
    }
    if apps[id] == nil, !makeRoomForProgram(into: &turn) {
      return .limitReached(what: "apps and programs", limit: limits.appsMax)
    }
    let installed = InstalledApp(id: id, displayName: id.rawValue, kind: .program(relaunch: relaunch))
    guard apps[id]?.record.installed != installed else { return nil }
    var record = apps[id]?.record ?? AppRecord(installed: installed)
    record.installed = installed
    if apps[id] == nil { apps[id] = App(record) } else { apps[id]?.record = record }
    turn.changes.keep(record)
    claim(id, into: &turn)
    return nil
  }

  /// A client's connection has closed.
  mutating func detach(_ connection: ConnectionID, _ circumstances: Circumstances, into turn: inout Turn) {
    guard let id = appOfConnection.removeValue(forKey: connection), var taken = apps.take(id) else { return }
    taken.app.detach(connection)
    guard stage != .stopping else { return apps.put(taken) }  // The daemon hangs up, and running apps live on.
    outlive(connectionOf: &taken.app, circumstances, into: &turn)
    apps.put(taken)
    touch(id, into: &turn)
  }

  /// Decides what becomes of an app whose connection has closed.
  private mutating func outlive(
    connectionOf app: inout App, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    if app.attachments.isEmpty, app.run.isStray {
      finishLife(&app, .exited, "closed its connection", circumstances, into: &turn)
    } else if app.attachments.isEmpty, app.runsInBackground {
      app.life = .launching(pid: app.pid, by: circumstances.now + limits.attachTimeout)  // It exits, or comes back.
    }
    if app.attachments.isEmpty, !app.isBundle { dropView(of: &app, into: &turn) }  // Its end may never be heard of.
    endOrphan(&app, at: circumstances.now, into: &turn)
  }
}
