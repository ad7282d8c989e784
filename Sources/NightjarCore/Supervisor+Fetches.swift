import NightjarModel

/// What apps and people ask about fetches.
extension Supervisor {
  // MARK: Apps

  /// Sets how often an app wants to be refreshed. Durable with the answer.
  mutating func setFetchInterval(
    _ interval: Duration?, by caller: Caller, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    let app = try bundle(ofCaller: caller)
    if interval != nil { try checkMode(for: .fetch, of: app) }
    if let interval, interval < .zero {
      throw .invalid(field: "interval", reason: "a time between two fetches is 0 s or longer, or null for no fetches")
    }
    var record = fetches.record(of: app.id)
    guard record.interval != interval else { return }
    record.interval = interval
    fetches.keep(record, into: &turn)
    if interval != nil { noteAsking(app, at: now, into: &turn) }
    plan.isDisturbed = true
    touch(app.id, into: &turn)
  }

  /// Notes an app as seen if it asks in the foreground: the machine may be switched off before it leaves.
  private mutating func noteAsking(_ app: App, at now: Age, into turn: inout Turn) {
    if app.isInForeground, device.conditions.isSeen { noteSeen(app, at: now, into: &turn) }
  }

  mutating func finishFetch(
    _ number: Int64, _ outcome: FetchOutcome, by caller: Caller, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    guard outcome != .late else {
      throw .invalid(field: "outcome", reason: "a fetch ends with newData, noData or failed")
    }
    finishErrand(number, outcome, of: caller.app, at: now, into: &turn)
  }

  /// An app asks for a task. It replaces the request of the same identifier, and survives reboots.
  mutating func submit(
    _ request: BackgroundRequest, by caller: Caller, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    let app = try bundle(ofCaller: caller)
    try checkMode(for: Errand.Kind(of: request), of: app)
    guard (1...Limits.identifierBytesMax).contains(request.identifier.utf8.count) else {
      throw .invalid(field: "identifier", reason: "an identifier has 1 to \(Limits.identifierBytesMax) bytes")
    }
    try fetches.submit(request, by: app.id, into: &turn)
    if request.kind == .refresh { noteAsking(app, at: now, into: &turn) }
    withdrawErrand(of: app.id, into: &turn)
    plan.isDisturbed = true
    touch(app.id, into: &turn)
  }

  /// Takes back a request of an app, or all. A task under way goes on, and is not run again after a crash.
  mutating func cancelRequests(_ identifier: String?, of app: AppID, into turn: inout Turn) {
    fetches.cancel(identifier, of: app, into: &turn)
    withdrawErrand(of: app, into: &turn)
    plan.isDisturbed = true
    touch(app, into: &turn)
  }

  private func bundle(ofCaller caller: Caller) throws(Refusal) -> App {
    guard let app = apps[caller.app] else { throw .noSuchApp(caller.app) }
    guard app.isBundle else {
      throw .invalid(field: "app", reason: "only an installed app is launched into the background to do something")
    }
    return app
  }

  private func checkMode(for kind: Errand.Kind, of app: App) throws(Refusal) {
    guard app.declares(kind) else { throw .notDeclared(app.id, mode: kind.mode) }
  }

  // MARK: People

  /// Has an app refresh its content now, whatever the rule says; the ticket is answered when the outcome is there.
  mutating func fetchNow(
    _ id: AppID, request identifier: String?, _ ticket: Ticket, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    var app = try bundle(id)
    guard app.removalTickets == nil else { throw .noSuchApp(id) }
    let request = try identifier.map { name throws(Refusal) in try knownRequest(name, of: id) }
    try checkPermission(of: app, for: Errand.Kind(of: request))
    if let errand = app.wakes.errand {
      guard errand.request == request else {
        throw .fetchRefused(id, code: "underWay", reason: "it is busy with something else of the kind; try again later")
      }
      apps[id]?.wakes.errand?.tickets.append(ticket)
      return
    }
    app.record.paidUntil = nil
    begin(request, of: &app, .asked, at: now, into: &turn)
    app.wakes.errand?.tickets.append(ticket)
    apps[id] = app
    forgive(id, into: &turn)
  }

  /// Launches an app into the background to refresh its content, unless it runs; the ticket is answered once it runs.
  mutating func launchToFetch(_ id: AppID, _ ticket: Ticket, at now: Age, into turn: inout Turn) throws(Refusal) {
    var app = try bundle(id)
    guard app.removalTickets == nil else { throw .noSuchApp(id) }
    try checkPermission(of: app, for: .fetch)
    guard app.life == .notRunning, !app.wakes.hasErrand else {
      let reason = "it runs already; end it first (nightjar terminate \(id)), or use nightjar fetch now \(id)"
      throw .fetchRefused(id, code: "running", reason: reason)
    }
    begin(nil, of: &app, .asked, at: now, into: &turn)
    app.launchTickets.append(ticket)
    launch(&app, isBackground: true, arguments: [], at: now, into: &turn)
    apps[id] = app
    touch(id, into: &turn)
  }

  /// Posts the wake for a fetch or a task, and writes down why.
  mutating func begin(
    _ request: BackgroundRequest?, of app: inout App, _ verdict: FetchDecision.Verdict, weight: FetchWeight? = nil,
    window: Int64? = nil, at now: Age, into turn: inout Turn
  ) {
    let decision = FetchDecision(
      number: nextDecision(), app: app.id, at: moment.wall, verdict: verdict, weight: weight, window: window,
      request: request?.identifier)
    post(request, to: &app, because: decision, at: now, into: &turn)
  }

  private func knownRequest(_ identifier: String, of id: AppID) throws(Refusal) -> BackgroundRequest {
    guard let request = fetches.request(identifier, of: id) else {
      let names = fetches.pending(of: id).map { "'\($0.identifier)'" }.joined(separator: ", ")
      let known = names.isEmpty ? "it has submitted none" : "pending are \(names)"
      throw .fetchRefused(id, code: "noSuchRequest", reason: "it has no pending request '\(identifier)': \(known)")
    }
    return request
  }

  // MARK: Views

  /// The fetches of one app or of all. Mutating, since the next look that it searches for is kept.
  mutating func fetchesView(of id: AppID?, at now: Age) throws(Refusal) -> FetchesView {
    let look = plan.nextLook(notAfter: nil).map { wall(of: $0, at: now) }
    var view = FetchesView(apps: [], budget: budgetView(at: now), nextLook: earliest(look, plan.appointment))
    let survey = fetchSurvey(at: now)
    if let id {
      view.apps = [fetchesEntry(of: try bundle(id), survey, at: now)]
      return view
    }
    let shown = apps.keys.sorted().map { apps[$0]! }.filter { app in
      app.isBundle && (app.isRefreshable || fetches.records[app.id] != nil)
    }
    view.apps = shown.map { fetchesEntry(of: $0, survey, at: now) }
    return view
  }

  func fetchesEntry(of app: App, _ survey: FetchSurvey, at now: Age) -> FetchesView.Entry {
    let (weight, obstacles, windows) = outlook(of: app, survey, at: now)
    return FetchesView.Entry(
      installed: app.record.installed, record: fetches.record(of: app.id),
      isAllowed: mayRefresh(app) && !app.record.card.isRemoved,
      isUnderWay: app.wakes.hasErrand, weight: weight, latest: fetches.decisions.latestFetch(of: app.id),
      isNeglected: obstacles.map(\.code) == [.belowThreshold] && isNeglected(app.id, weight, survey),
      obstacles: obstacles, windows: windows, requests: pending(of: app, fetch: obstacles, at: now))
  }
}

extension App {
  /// Whether it declares a background mode for which it is woken to do something.
  var isRefreshable: Bool { declares(.fetch) || declares(.processing) }

  /// Whether it declares the background mode that such an errand takes.
  func declares(_ kind: Errand.Kind) -> Bool { record.installed.modes.contains(kind.mode) }
}
