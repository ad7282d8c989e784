import NightjarModel

/// What people and scripts ask for.
extension Supervisor {
  /// Performs a call. Nil when the answer comes later.
  mutating func perform(_ call: ControlCall, _ ticket: Ticket, at now: Age, into turn: inout Turn) -> Answer? {
    do throws(Refusal) {
      switch call {
      case .status:
        return .status(status)
      case .listApps:
        return .apps(apps.keys.sorted().compactMap { view(of: $0, at: now) })
      case .showApp(let id):
        guard let app = apps[id] else { throw .noSuchApp(id) }
        return .app(view(of: app, at: now))
      case .listHistory(let id, let limit):
        return try history(of: id, limit: limit)
      case .listTransfers(let app, let after, let limit):
        return try listTransfers(of: app, after: after, limit: limit, at: now)
      case .showTransfer(let id):
        return .transfers([view(of: try known(id), at: now)], isComplete: true)
      case .pause(let id):
        try pause(try known(id), into: &turn)
      case .resume(let id):
        try resumeUnlessEnded(try known(id), into: &turn)
      case .cancel(let id):
        try cancelOrRemove(try known(id), at: now, into: &turn)
      case .enqueue(let request):
        return try enqueue(request, at: now, into: &turn)
      case .recall(let identity):
        return try queued(identity.key, as: identity).map(Answer.accepted) ?? .done
      case .launch(let id, let arguments):
        return try launchForPerson(id, arguments, ticket, at: now, into: &turn)
      case .leave:
        let id = front
        leaveForeground(at: now, into: &turn)
        return .leftForeground(id)
      case .terminate(let id):
        try terminate(id, at: now, into: &turn)
      case .removeFromSwitcher(let id):
        try removeFromSwitcher(id, at: now, into: &turn)
      case .act(let id, let action):
        try act(action, in: id, at: now, into: &turn)
      case .uninstall(let id):
        return try uninstall(id, ticket, at: now, into: &turn)
      case .showDevice:
        return .device(device)
      case .simulate(let conditions):
        try put(conditions, at: now, into: &turn)
        return .device(device)
      case .simulateMemory(let pressure):
        return .warned(simulate(pressure, at: now, into: &turn))
      case .endSimulation:
        simulate(SimulatedConditions.none, at: now, into: &turn)
        return .device(device)
      case .showSettings:
        return .settings(settingsView)
      case .changeSettings(let id, let change):
        try self.change(id, change, into: &turn)
      case .listNotices:
        return .notices(listedNotices)
      case .tapNotice(let id):
        return try tapNotice(id, ticket, at: now, into: &turn)
      case .dismissNotice(let id):
        try dismissNotice(id, into: &turn)
      case .listFetches(let id):
        return .fetches(try fetchesView(of: id, at: now))
      case .listDecisions(let id, let after, let before, let limit):
        return .decisions(try decisions(of: id, after: after, before: before, limit: limit))
      case .explain(let id):
        return try explain(id, at: now)
      case .showHabits(let id):
        return .habits(try habitsView(of: id))
      case .forgetHabits(let id):
        try forgetHabits(of: id, into: &turn)
      case .fetchNow(let id, let request):
        try fetchNow(id, request: request, ticket, at: now, into: &turn)
        return nil
      case .launchToFetch(let id):
        try launchToFetch(id, ticket, at: now, into: &turn)
        return nil
      }
      return .done
    } catch {
      return .refused(error)
    }
  }

  private func known(_ id: TransferID) throws(Refusal) -> Transfer {
    guard let transfer = transfers[id] else { throw .noSuchTransfer(id) }
    return transfer
  }

  func bundle(_ id: AppID) throws(Refusal) -> App {
    guard let app = apps[id] else { throw .noSuchApp(id) }
    guard app.isBundle else { throw .notABundle(id) }
    return app
  }

  private func listTransfers(
    of app: AppID?, after: TransferID?, limit: Int, at now: Age
  ) throws(Refusal) -> Answer {
    let limit = min(max(limit, 0), limits.listMax)
    if let app, apps[app] == nil, transfers.count(of: app) == 0, app != .commandLine { throw .noSuchApp(app) }
    let index = app.map { transfers.ofApp[$0] ?? .init() } ?? transfers.all
    return list(index.entries(after: after, limit: limit + 1).map(\.key), atMost: limit, at: now)
  }

  private mutating func pause(_ transfer: Transfer, into turn: inout Turn) throws(Refusal) {
    if transfer.state.isEnded { throw .wrongState(transfer.id, state: "ended", reason: "only what goes on can pause") }
    suspend(transfer.id, into: &turn)
  }

  private mutating func resumeUnlessEnded(_ transfer: Transfer, into turn: inout Turn) throws(Refusal) {
    if transfer.state.isEnded { throw .wrongState(transfer.id, state: "ended", reason: "queue it again instead") }
    transfers.endRest(for: transfer.id)
    resume(transfer.id, into: &turn)
  }

  /// Cancels a transfer, or removes an ended one, unless an app has yet to be told of it.
  private mutating func cancelOrRemove(_ transfer: Transfer, at now: Age, into turn: inout Turn) throws(Refusal) {
    guard transfer.state.isEnded else {
      // An app is told that a person cancelled its task; other transfers are the person's own.
      let code: TransferFailure.Code = transfer.request.session == nil ? .cancelled : .cancelledByPerson
      return cancel(transfer.id, as: TransferFailure(code, "cancelled"), at: now, into: &turn)
    }
    if apps[transfer.request.app]?.wakes.number(of: transfer.id) != nil {
      throw .wrongState(transfer.id, state: "ended", reason: "\(transfer.request.app) has yet to be told")
    }
    drop(transfer.id, into: &turn)
  }

  /// Adds to what a person has put in the place of the sensors.
  private mutating func put(
    _ conditions: SimulatedConditions, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    guard conditions.battery.map((0...100).contains) ?? true else {
      throw .invalid(field: "battery", reason: "it is in percent, from 0 to 100")
    }
    var simulated = transfers.offer.simulated
    simulated.take(conditions)
    simulate(simulated, at: now, into: &turn)
  }

  private func decisions(of id: AppID?, after: Int64?, before: Int64?, limit: Int) throws(Refusal) -> [FetchDecision] {
    if let id, apps[id] == nil { throw .noSuchApp(id) }
    let max = min(max(limit, 0), limits.listMax)
    return fetches.decisions.entries(of: id, after: after, before: before, limit: max)
  }

  private mutating func explain(_ id: AppID, at now: Age) throws(Refusal) -> Answer {
    guard let app = apps[id] else { throw .noSuchApp(id) }
    let survey = app.isRefreshable ? fetchSurvey(at: now) : nil
    return .explained(view(of: app, at: now), survey.map { fetchesEntry(of: app, $0, at: now) })
  }

  /// A person launches an app: whatever was held against it is forgiven.
  mutating func launchForPerson(
    _ id: AppID, _ arguments: [String], _ ticket: Ticket, at now: Age, into turn: inout Turn
  ) throws(Refusal) -> Answer? {
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalid(field: "arguments", reason: "an argument has no NUL in it")
    }
    guard try bundle(id).removalTickets == nil, var taken = apps.take(id) else { throw .noSuchApp(id) }
    let answer = launchForPerson(&taken.app, arguments, ticket, at: now, into: &turn)
    apps.put(taken)
    forgive(id, into: &turn)
    touch(id, into: &turn)
    return answer
  }

  private mutating func launchForPerson(
    _ app: inout App, _ arguments: [String], _ ticket: Ticket, at now: Age, into turn: inout Turn
  ) -> Answer? {
    unpark(&app, into: &turn)
    if app.record.paidUntil != nil {
      app.record.paidUntil = nil
      turn.changes.keep(app.record)
    }
    endOrphanForPerson(&app, at: now, into: &turn)
    let unheard = app.attachments.isEmpty && (app.run.isAdopted || app.run.hasAttached) ? arguments : nil
    switch app.life {
    case .notRunning:
      app.launchTickets.append(ticket)
      launch(&app, isBackground: false, arguments: arguments, at: now, into: &turn)
    case .launching(let pid?, _), .running(let pid?), .suspending(let pid?, _), .suspended(let pid?):
      bringForward(&app, at: now, into: &turn)
      app.unheardArguments = unheard
      return .launched(pid: app.livingPID ?? pid)
    case .launching(nil, _), .running(nil), .suspending(nil, _), .suspended(nil):
      bringForward(&app, at: now, into: &turn)
      app.unheardArguments = unheard
      app.launchTickets.append(ticket)
    case .ending:
      app.launchTickets.append(ticket)
      app.relaunchArguments = arguments
    }
    return nil
  }

  /// A person has started the app: what was parked is told once more.
  mutating func unpark(_ app: inout App, into turn: inout Turn) {
    for name in app.wakes.sessions { forgiveUnopened(SessionID(app: app.id, identifier: name), into: &turn) }
    for var wake in app.wakes.parked {
      wake.crashes = 0
      app.wakes.keep(wake, crashesMax: limits.crashesMax)
      if !wake.isQuestion { turn.changes.keep(wake) }
    }
  }

  private mutating func terminate(_ id: AppID, at now: Age, into turn: inout Turn) throws(Refusal) {
    var app = try bundle(id)
    guard app.life != .notRunning else { throw .notRunning(id) }
    if !app.isEnding { remember(.terminated, "is ended by a person", of: &app, into: &turn) }
    if app.relaunchArguments != nil { refuseLaunch(&app, "a person has ended it meanwhile", into: &turn) }
    end(&app, politely: true, at: now, into: &turn)
    apps[id] = app
    touch(id, into: &turn)
  }

  private mutating func uninstall(
    _ id: AppID, _ ticket: Ticket, at now: Age, into turn: inout Turn
  ) throws(Refusal) -> Answer? {
    guard var app = apps[id] else { throw .noSuchApp(id) }
    prepareRemoval(&app, at: now, into: &turn)
    app.removalTickets?.append(ticket)
    apps[id] = app
    touch(id, into: &turn)
    return nil
  }
}
