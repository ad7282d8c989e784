import NightjarModel

/// What apps have asked to be woken for, what came of it, and what was decided and why.
///
/// It keeps the books. When an app is refreshed the rule says; how it is brought up and told is the app machine's.
struct Fetches: Sendable {
  private let limits: Limits
  /// Of apps that have ever asked for fetches, or had one.
  private(set) var records: [AppID: FetchRecord] = [:]
  private var requests: [AppID: OrderedIndex<String, BackgroundRequest>] = [:]
  private(set) var decisions = OrderedIndex<Int64, FetchDecision>()
  private var decisionsOf: [AppID: OrderedIndex<Int64, Void>] = [:]
  /// Errands of apps that may still be answered, though they were given up: fetches that were late, and those of an
  /// earlier daemon.
  private var givenUp: [AppID: Int64] = [:]

  init(limits: Limits) { self.limits = limits }

  // MARK: What is remembered

  func record(of app: AppID) -> FetchRecord { records[app] ?? FetchRecord(app: app) }

  /// What an app has asked for and what has not begun, by identifier.
  func pending(of app: AppID) -> [BackgroundRequest] { requests[app]?.values ?? [] }

  func request(_ identifier: String, of app: AppID) -> BackgroundRequest? { requests[app]?[identifier] }

  mutating func restore(_ record: FetchRecord) {
    records[record.app] = record
    givenUp[record.app] = record.open
  }

  mutating func restore(_ record: RequestRecord) {
    requests[record.app, default: .init()][record.request.identifier] = record.request
  }

  mutating func restore(_ decision: FetchDecision) {
    decisions[decision.number] = decision
    decisionsOf[decision.app, default: .init()][decision.number] = ()
  }

  /// The fetches that an earlier daemon began have failed, though no app is to blame.
  mutating func giveUpOpen(into turn: inout Turn) {
    for var record in records.values.filter({ $0.open != nil }).sorted(by: { $0.app < $1.app }) {
      (record.open, record.lastOutcome) = (nil, .failed)
      record.counts.add(.failed)
      keep(record, into: &turn)
    }
    for var decision in decisions.values where decision.isOpen {
      decision.outcome = .failed
      keep(decision, into: &turn)
    }
  }

  mutating func keep(_ record: FetchRecord, into turn: inout Turn) {
    records[record.app] = record
    turn.changes.keep(record)
  }

  /// Forgets an app.
  mutating func forget(_ app: AppID, into turn: inout Turn) {
    for request in pending(of: app) { remove(request.identifier, of: app, into: &turn) }
    for (number, _) in decisionsOf.removeValue(forKey: app)?.entries(after: nil, limit: .max) ?? [] {
      decisions[number] = nil
      turn.changes.removeDecision(number)
    }
    givenUp[app] = nil
    if records.removeValue(forKey: app) != nil { turn.changes.removeFetches(of: app) }
  }

  // MARK: Requests

  mutating func submit(_ request: BackgroundRequest, by app: AppID, into turn: inout Turn) throws(Refusal) {
    let others = pending(of: app).filter { $0.kind == request.kind && $0.identifier != request.identifier }
    let max = request.kind == .refresh ? limits.refreshRequestsMax : limits.processingRequestsMax
    guard others.count < max else {
      throw .limitReached(what: "pending \(request.kind.rawValue) requests of one app", limit: max)
    }
    requests[app, default: .init()][request.identifier] = request
    turn.changes.keep(RequestRecord(app: app, request: request))
  }

  mutating func remove(_ identifier: String, of app: AppID, into turn: inout Turn) {
    guard requests[app]?[identifier] != nil else { return }
    requests[app]?[identifier] = nil
    if requests[app]?.isEmpty == true { requests[app] = nil }
    turn.changes.removeRequest(RequestRecord.ID(app: app, identifier: identifier))
  }

  // MARK: Decisions

  /// Writes a decision down, or what has come of it; the oldest of its app go for it.
  mutating func keep(_ decision: FetchDecision, into turn: inout Turn) {
    decisions[decision.number] = decision
    decisionsOf[decision.app, default: .init()][decision.number] = ()
    turn.changes.keep(decision)
    turn.touchedDecisions.append(decision.number)
    while let index = decisionsOf[decision.app], index.count > Swift.max(limits.fetchDecisionsPerAppMax, 1),
      let oldest = index.first?.key
    {
      decisionsOf[decision.app]?[oldest] = nil
      decisions[oldest] = nil
      turn.changes.removeDecision(oldest)
    }
  }

  /// The latest decision about an app.
  func latest(of app: AppID) -> FetchDecision? { decisionsOf[app]?.last.flatMap { decisions[$0.key] } }

  /// Decisions with a number above the given one, oldest first, of one app or of all.
  func decisions(of app: AppID?, after number: Int64?, limit: Int) -> [FetchDecision] {
    guard let app else { return decisions.entries(after: number, limit: limit).map(\.value) }
    return (decisionsOf[app]?.entries(after: number, limit: limit) ?? []).compactMap { decisions[$0.key] }
  }

  // MARK: A fetch

  /// An app was told of a fetch, or of a task.
  mutating func began(_ errand: Errand, at now: Age, wall: Timestamp, into turn: inout Turn) {
    let app = errand.wake.app
    if let request = errand.request { remove(request.identifier, of: app, into: &turn) }
    guard errand.request?.kind != .processing else { return }
    var record = record(of: app)
    (record.open, record.lastBegin, record.begunAt) = (errand.number, wall, now)
    givenUp[app] = nil
    keep(record, into: &turn)
  }

  /// It has ended. `isCharged`: whether the app is to blame if it failed, and is left alone for a while.
  mutating func ended(
    _ errand: Errand, _ outcome: FetchOutcome, after wall: Duration, isCharged: Bool, _ circumstances: Circumstances,
    at time: Timestamp, into turn: inout Turn
  ) {
    let app = errand.wake.app
    if outcome == .late { givenUp[app] = errand.number }
    settle(errand.decision, outcome, into: &turn)
    var record = record(of: app)
    if errand.request?.kind != .processing, errand.isTold {
      (record.open, record.lastOutcome, record.lastDuration) = (nil, outcome, wall)
      record.counts.add(outcome)
    }
    switch outcome {
    case .newData, .noData:
      guard errand.request?.kind != .processing else { return }
      (record.failures, record.notBefore) = (0, nil)
      if errand.request == nil { record.learn(isNew: outcome == .newData, at: circumstances.now) }
      (record.lastFresh, record.freshAt) = (time, circumstances.now)
    case .failed, .late:
      if isCharged { record.failures += 1 }
      guard isCharged || !errand.isTold else { break }
      let delay = limits.fetchRetry.delay(
        afterFailures: max(record.failures, 1), entropy: circumstances.entropy)
      record.notBefore = circumstances.now + delay
    }
    keep(record, into: &turn)
  }

  private mutating func settle(_ decision: Int64, _ outcome: FetchOutcome, into turn: inout Turn) {
    guard var decision = decisions[decision] else { return }
    decision.outcome = outcome
    keep(decision, into: &turn)
  }

  /// What an errand has cost is known.
  mutating func charge(_ cost: FetchCost, for errand: Errand, into turn: inout Turn) {
    if var decision = decisions[errand.decision] {
      decision.cost = cost
      keep(decision, into: &turn)
    }
    var record = record(of: errand.wake.app)
    record.cost += cost
    keep(record, into: &turn)
  }

  /// The answer to an errand that was given up has come after all. False for any other number.
  mutating func answeredLate(
    _ number: Int64, by app: AppID, _ outcome: FetchOutcome, at now: Age, wall: Timestamp, into turn: inout Turn
  ) -> Bool {
    guard givenUp[app] == number else { return false }
    givenUp[app] = nil
    guard outcome == .newData || outcome == .noData else { return true }
    var record = record(of: app)
    record.learn(isNew: outcome == .newData, at: now)
    (record.lastFresh, record.freshAt) = (wall, now)
    keep(record, into: &turn)
    return true
  }

  /// A person has seen an app until now: its content is what it was then. Of an app that never wanted fetches nothing is kept.
  mutating func visited(_ app: AppID, at now: Age, wall: Timestamp, into turn: inout Turn) {
    guard var record = records[app] else { return }
    (record.lastFresh, record.freshAt) = (wall, now)
    keep(record, into: &turn)
  }

  /// The network is back: what failed for want of it may try again.
  mutating func endBackOffs(into turn: inout Turn) {
    for var record in records.values.filter({ $0.notBefore != nil }).sorted(by: { $0.app < $1.app }) {
      record.notBefore = nil
      keep(record, into: &turn)
    }
  }
}
