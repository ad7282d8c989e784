import NightjarModel

/// What apps have asked to be woken for, what came of it, and what was decided and why.
///
/// It keeps the books. The rule decides when an app is refreshed; the app machine brings it up and tells it.
struct Fetches: Sendable {
  private let bounds: Fixed<Limits>
  private var limits: Limits { bounds.value }
  /// The records of apps that have ever asked for fetches or had one, or that might ask and were seen by a person.
  private(set) var records: [AppID: FetchRecord] = [:]
  /// Apps whose records, requests or decisions have changed.
  var changes = ChangedApps()
  private var requests = Requests()
  /// The errands that apps were told of and have not ended.
  private var underWay: [AppID: Int64] = [:]
  private(set) var decisions = DecisionLog()
  /// Fetches that were given up but may still be answered: late ones, and those of an earlier daemon.
  private var givenUp: [AppID: GivenUp] = [:]

  private struct GivenUp: Sendable {
    var number: Int64
    var kind: Errand.Kind
  }

  init(limits: Fixed<Limits>) { bounds = limits }

  // MARK: What is remembered

  func record(of app: AppID) -> FetchRecord { records[app] ?? FetchRecord(app: app) }

  /// Whether an app wants to be refreshed, or has asked for a task.
  func wants(_ app: AppID) -> Bool { records[app]?.interval != nil || asks(app) }

  /// Whether an app wants to be refreshed, by its own interval or a request. A refresh task that is being run counts,
  /// since the app will most likely ask for the next.
  func isWishful(_ app: AppID) -> Bool { records[app]?.interval != nil || requests.isAnyRefresh(of: app) }

  /// Whether it has asked for a task.
  func asks(_ app: AppID) -> Bool { requests.isAny(of: app) }

  /// The tasks that an app has asked for and is not running just now, by identifier.
  func pending(of app: AppID) -> [BackgroundRequest] {
    asks(app) ? requests.pending(of: app, besides: underWay[app]) : []
  }

  /// Its processing tasks among them, in the order in which they get their turn.
  func processingTasks(of app: AppID) -> [BackgroundRequest] {
    requests.inTurn(pending(of: app).filter { $0.kind == .processing }, of: app)
  }

  func request(_ identifier: String, of app: AppID) -> BackgroundRequest? { requests[identifier, of: app]?.request }

  /// All records, by app.
  var allRecords: [FetchRecord] { records.values.sorted { $0.app < $1.app } }

  /// All requests, including those being run, by app and identifier.
  var allRequests: [RequestRecord] { requests.all }

  mutating func restore(_ record: FetchRecord) {
    put(record)
    givenUp[record.app] = record.open.map { GivenUp(number: $0, kind: .fetch) }
  }

  mutating func restore(_ record: RequestRecord) {
    requests.keep(record)
    changes.note(record.app)
  }

  /// Restores a decision, after the record of its app: if it is open, it says whether a fetch or a task was under way.
  mutating func restore(_ decision: FetchDecision) {
    if decision.isOpen, decision.request != nil { givenUp[decision.app]?.kind = .refresh }
    decisions.enter(decision)
  }

  /// Counts the fetches that an earlier daemon began as failed, though no app is to blame; those of one app, if one is
  /// named.
  mutating func giveUpOpen(of app: AppID? = nil, into turn: inout Turn) {
    let open = records.values.filter { $0.open != nil && (app == nil || $0.app == app) }
    for var record in open.sorted(by: { $0.app < $1.app }) {
      (record.open, record.lastOutcome, record.lastDuration) = (nil, .failed, .zero)
      record.counts.add(.failed)
      keep(record, into: &turn)
    }
    for var decision in decisions.all where decision.isOpen && (app == nil || decision.app == app) {
      decision.outcome = .failed
      keep(decision, into: &turn)
    }
  }

  mutating func keep(_ record: FetchRecord, into turn: inout Turn) {
    put(record)
    turn.changes.keep(record)
  }

  private mutating func put(_ record: FetchRecord) {
    records[record.app] = record
    changes.note(record.app)
  }

  /// Forgets an app.
  mutating func forget(_ app: AppID, into turn: inout Turn) {
    cancel(nil, of: app, into: &turn)
    for number in decisions.forget(app) { turn.changes.removeDecision(number) }
    (givenUp[app], underWay[app]) = (nil, nil)
    requests.forgetEnds(of: app)
    let isRecorded = records.removeValue(forKey: app) != nil
    changes.note(app)
    if isRecorded { turn.changes.removeFetches(of: app) }
  }

  // MARK: Requests

  /// The task that the app runs does not count against the limit, so that it may ask for the next: not even one that an
  /// earlier daemon began, though that is pending again.
  mutating func submit(_ request: BackgroundRequest, by app: AppID, into turn: inout Turn) throws(Refusal) {
    let waiting = requests.pending(of: app, besides: requests.newestErrand(of: app))
    let others = waiting.filter { $0.kind == request.kind && $0.identifier != request.identifier }
    let max = request.kind == .refresh ? limits.refreshRequestsMax : limits.processingRequestsMax
    guard others.count < max else {
      throw .limitReached(what: "pending \(request.kind.rawValue) requests of one app", limit: max)
    }
    keep(RequestRecord(app: app, request: request), into: &turn)
  }

  /// Cancels a request of an app, or all; one that is being run is not run again.
  mutating func cancel(_ identifier: String?, of app: AppID, into turn: inout Turn) {
    for record in requests.records(of: app) where identifier == nil || record.request.identifier == identifier {
      remove(record.id, into: &turn)
    }
  }

  private mutating func keep(_ record: RequestRecord, into turn: inout Turn) {
    requests.keep(record)
    changes.note(record.app)
    turn.changes.keep(record)
  }

  private mutating func remove(_ id: RequestRecord.ID, into turn: inout Turn) {
    requests.remove(id)
    changes.note(id.app)
    turn.changes.removeRequest(id)
  }

  /// Marks a request as being run: it is no longer pending, but stays until its end.
  private mutating func begin(_ request: BackgroundRequest, by errand: Int64, of app: AppID, into turn: inout Turn) {
    guard var record = requests[request.identifier, of: app] else { return }
    record.errand = errand
    keep(record, into: &turn)
  }

  /// Removes the request that an errand has run, unless the app has asked for it anew meanwhile. False if there is
  /// none.
  private mutating func complete(_ errand: Int64, of app: AppID, into turn: inout Turn) -> Bool {
    guard let record = requests.record(ofErrand: errand, of: app) else { return false }
    remove(record.id, into: &turn)
    return true
  }

  /// Makes the request of an errand that was cut short pending again, unless the app has asked for it anew meanwhile.
  mutating func putBack(_ errand: Int64, of app: AppID, into turn: inout Turn) {
    guard var record = requests.record(ofErrand: errand, of: app) else { return }
    record.errand = nil
    keep(record, into: &turn)
  }

  // MARK: Decisions

  /// Writes down a decision or what has come of it, and drops those of its app beyond the bound: of decisions to wait
  /// what is more than half of all, then the oldest.
  mutating func keep(_ decision: FetchDecision, into turn: inout Turn) {
    let gone = decisions.enter(decision, max: max(limits.fetchDecisionsPerAppMax, 1))
    turn.changes.keep(decision)
    turn.touchedDecisions.append(decision.number)
    for oldest in gone { turn.changes.removeDecision(oldest) }
  }

  /// Forgets the decisions about an app, which tell when a person uses it; of one that has not ended only the weight.
  mutating func forgetDecisions(of app: AppID, into turn: inout Turn) {
    let open = decisions.entries(of: app, after: nil, limit: .max).filter(\.isOpen)
    for number in decisions.forget(app) { turn.changes.removeDecision(number) }
    for var decision in open {
      decision.weight = nil
      keep(decision, into: &turn)
    }
    changes.note(app)
  }

  /// The apps that were told of a fetch or a task and have not ended it, in order.
  var busy: [AppID] { underWay.keys.sorted() }

  // MARK: A fetch

  /// Notes that an app was told of a fetch or a task.
  mutating func began(_ errand: Errand, at now: Age, wall: Timestamp, into turn: inout Turn) {
    let app = errand.app
    underWay[app] = errand.number
    changes.note(app)
    if let request = errand.request { begin(request, by: errand.number, of: app, into: &turn) }
    guard errand.kind != .processing else { return }
    var record = record(of: app)
    (record.open, record.lastBegin, record.begunAt) = (errand.number, wall, now)
    givenUp[app] = nil
    keep(record, into: &turn)
  }

  /// Notes the end of an errand. `isCharged`: whether the app is to blame for a failure, and is not tried again for a
  /// while.
  mutating func ended(
    _ errand: Errand, _ outcome: FetchOutcome, after wall: Duration, isCharged: Bool, _ circumstances: Circumstances,
    at moment: Moment, into turn: inout Turn
  ) {
    let app = errand.app
    if outcome == .late, errand.kind != .processing { givenUp[app] = GivenUp(number: errand.number, kind: errand.kind) }
    underWay[app] = nil
    _ = complete(errand.number, of: app, into: &turn)
    settle(errand, outcome, into: &turn)
    var record = record(of: app)
    if errand.kind == .processing {
      if errand.isTold, let request = errand.request {
        requests.ended(.init(request, of: app), at: circumstances.now, limits)
      }
      count(outcome, of: errand, isCharged, circumstances, &record.taskBackOff)
    } else {
      count(outcome, of: errand, isCharged, circumstances, &record.backOff)
      if errand.isTold { fetched(errand, outcome, after: wall, &record, at: circumstances.now, moment) }
    }
    keep(record, into: &turn)
  }

  /// Until when a processing task is not run again, since it ran lately; forgotten when the daemon restarts.
  func rest(of request: BackgroundRequest, of app: AppID) -> Age? {
    requests.rest(.init(request, of: app), limits)
  }

  /// Updates the back-off of an errand's kind: success resets it, and after a failure the app is not tried for a while.
  private func count(
    _ outcome: FetchOutcome, of errand: Errand, _ isCharged: Bool, _ circumstances: Circumstances,
    _ backOff: inout BackOff
  ) {
    switch outcome {
    case .newData, .noData:
      backOff = BackOff()
    case .failed, .late:
      if isCharged { backOff.failures += 1 }
      guard isCharged || !errand.isTold else { return }
      let delay = limits.fetchRetry.delay(afterFailures: max(backOff.failures, 1), entropy: circumstances.entropy)
      backOff.notBefore = circumstances.now + delay
    }
  }

  /// Notes what a fetch that the app was told of means for the app's content.
  private func fetched(
    _ errand: Errand, _ outcome: FetchOutcome, after wall: Duration, _ record: inout FetchRecord, at now: Age,
    _ moment: Moment
  ) {
    (record.open, record.lastOutcome, record.lastDuration) = (nil, outcome, wall)
    record.counts.add(outcome)
    guard outcome == .newData || outcome == .noData else { return }
    refresh(&record, by: errand.kind, outcome, at: now, moment)
  }

  /// Notes that an app's content is up to date. Only fetches teach how often it changes: a task does not say whether it
  /// has found anything new.
  private func refresh(
    _ record: inout FetchRecord, by kind: Errand.Kind, _ outcome: FetchOutcome, at now: Age, _ moment: Moment
  ) {
    if kind == .fetch { record.learn(isNew: outcome == .newData, at: now, moment) }
    (record.lastFresh, record.freshAt) = (moment.wall, now)
  }

  /// Closes the decision of an errand that was withdrawn before the app was told of it. It counts as nobody's failure.
  mutating func withdrawn(_ errand: Errand, into turn: inout Turn) { settle(errand, .failed, into: &turn) }

  private mutating func settle(_ errand: Errand, _ outcome: FetchOutcome, into turn: inout Turn) {
    guard var decision = decisions.decision(errand.decision, of: errand.app) else { return }
    decision.outcome = outcome
    keep(decision, into: &turn)
  }

  /// Adds the cost of an errand to its decision and to its app's record.
  mutating func charge(_ cost: FetchCost, for errand: Errand, into turn: inout Turn) {
    if var decision = decisions.decision(errand.decision, of: errand.app) {
      decision.cost = cost
      keep(decision, into: &turn)
    }
    var record = record(of: errand.app)
    record.cost += cost
    keep(record, into: &turn)
  }

  /// Takes in the answer to an errand that was given up: the task that it ran is not run again. False for any other
  /// number.
  mutating func answeredLate(
    _ number: Int64, by app: AppID, _ outcome: FetchOutcome, at now: Age, _ moment: Moment, into turn: inout Turn
  ) -> Bool {
    let isCompleted = complete(number, of: app, into: &turn)
    guard let errand = givenUp[app], errand.number == number else { return isCompleted }
    givenUp[app] = nil
    guard outcome == .newData || outcome == .noData else { return true }
    var record = record(of: app)
    refresh(&record, by: errand.kind, outcome, at: now, moment)
    keep(record, into: &turn)
    return true
  }

  /// Notes that a person has seen an app until now: its content is what it was then. That is kept even before the app
  /// has asked for fetches, since apps ask as they leave the foreground, or long after.
  mutating func visited(_ app: AppID, at now: Age, wall: Timestamp, into turn: inout Turn) {
    var record = record(of: app)
    (record.lastFresh, record.freshAt) = (wall, now)
    keep(record, into: &turn)
  }

  /// Ends all back-offs, since the network is back: its lack may be what made the fetches fail.
  mutating func endBackOffs(into turn: inout Turn) {
    let waiting = records.values.filter { $0.backOff.notBefore != nil || $0.taskBackOff.notBefore != nil }
    for var record in waiting.sorted(by: { $0.app < $1.app }) {
      (record.backOff.notBefore, record.taskBackOff.notBefore) = (nil, nil)
      keep(record, into: &turn)
    }
  }
}
