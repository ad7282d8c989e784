import NightjarModel

/// All transfers, and the indexes by which the few that matter are found among the many that wait.
///
/// It starts, retries and delivers; what came of it it leaves in `steps`, and knows nothing of who is told.
struct Transfers: Sendable {
  /// A transfer that ended, or changed between running and not.
  struct Step: Sendable {
    var id: TransferID
    var wasRunning: Bool
    var isRunning: Bool
  }

  private(set) var all = OrderedIndex<TransferID, Void>()
  private(set) var ofApp: [AppID: OrderedIndex<TransferID, Void>] = [:]
  private var table: [TransferID: Boxed<Transfer>] = [:]
  private var byKey: [RequestKey: TransferID] = [:]
  private var lanes: Lanes
  private var agenda = Agenda<TransferID>()
  /// Transfers that failed for want of a network, so that its return can end their wait.
  private var stranded = OrderedIndex<TransferID, Void>()
  /// What began, ended or paused since this was last emptied, in that order.
  var steps: [Step] = []
  /// Ended transfers that have been kept long enough.
  var expired: [TransferID] = []
  /// What was measured of them, as far as there is room.
  private(set) var measures: Measures
  private let limits: Limits

  init(limits: Limits) {
    self.limits = limits
    measures = Measures(limit: limits.metricsMax)
    lanes = Lanes(perHostMax: limits.runningPerHostMax)
  }

  subscript(id: TransferID) -> Transfer? { table[id]?.value }
  func id(ofKey key: RequestKey) -> TransferID? { byKey[key] }
  func count(of app: AppID) -> Int { ofApp[app]?.count ?? 0 }
  func isFull(_ host: Host) -> Bool { lanes.isFull(host) }
  var runningCount: Int { lanes.running }
  var nextDue: Age? { mutating get { agenda.next } }

  /// Takes in a transfer, new or remembered.
  mutating func insert(_ transfer: Transfer) {
    let id = transfer.id
    precondition(table[id] == nil, "transfer \(id) is there already")
    table[id] = Boxed(transfer)
    byKey[transfer.request.key] = id
    all[id] = ()
    ofApp[transfer.request.app, default: .init()][id] = ()
    if transfer.isInLine { lanes.enter(id, priority: transfer.request.priority, lane: transfer.lane) }
    arrange(transfer)
  }

  /// Forgets a transfer, with what lies in the staging area.
  mutating func remove(_ id: TransferID, into turn: inout Turn) {
    guard let transfer = self[id] else { return }
    leaveIndexes(transfer)
    table[id] = nil
    byKey[transfer.request.key] = nil
    all[id] = nil
    ofApp[transfer.request.app]?[id] = nil
    agenda.set(id, due: nil)
    stranded[id] = nil
    measures.forget(id)
    turn.changes.remove(id)
    turn.deeds.append(.discard(id))
    turn.touchedTransfers.append(id)
  }

  /// Takes in a fact about an attempt.
  mutating func learn(
    _ fact: TransferFact, of id: TransferID, attempt: Int, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    guard var transfer = self[id] else { return }
    if attempt == transfer.state.attempts, transfer.state.isUnderWay {
      hear(fact, by: &transfer, at: circumstances.now, into: &turn)
    }
    let hasChanged = transfer.record.state.learn(fact, ofAttempt: attempt, for: transfer.request, circumstances)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Takes in a fact about a delivery.
  mutating func learn(
    _ fact: DeliveryFact, of id: TransferID, attempt: Int, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    guard var transfer = self[id] else { return }
    let hasChanged = transfer.record.state.learn(fact, ofAttempt: attempt, circumstances)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Changes a transfer's state by a rule of the caller's, which says whether it did.
  mutating func change(_ id: TransferID, into turn: inout Turn, _ rule: (inout TransferState) -> Bool) {
    guard var transfer = self[id] else { return }
    let hasChanged = rule(&transfer.record.state)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// The network is back: whoever waits only for that goes on at once.
  mutating func networkReturned(into turn: inout Turn) {
    for (id, _) in stranded.entries(after: nil, limit: .max) { change(id, into: &turn) { $0.hurry() } }
  }

  /// Starts whatever is due and has a place. Run twice at one moment, the second finds nothing to do.
  mutating func settle(isOnline: Bool, at now: Age, into turn: inout Turn) {
    while let id = agenda.popDue(at: now) { attend(id, at: now, into: &turn) }
    while lanes.running < limits.runningMax, let id = lanes.next(isOnline: isOnline) { start(id, at: now, into: &turn) }
  }

  private mutating func hear(_ fact: TransferFact, by transfer: inout Transfer, at now: Age, into turn: inout Turn) {
    transfer.heard = now
    switch fact {
    case .progressed(let count, let expected): (transfer.count, transfer.expected) = (count, expected)
    case .finished(_, let file): transfer.count = transfer.wholeCount(file)
    case .measured(let metrics): measures.keep(metrics, of: transfer.id)
    case .checkpointed, .failed, .stopped: break
    }
    turn.touchedTransfers.append(transfer.id)
  }

  /// Puts a transfer back whose state may have changed, and keeps every index true.
  private mutating func put(_ transfer: Transfer, hasChanged: Bool, into turn: inout Turn) {
    guard hasChanged, let old = self[transfer.id] else {
      table[transfer.id] = Boxed(transfer)
      return
    }
    leaveIndexes(old, staysUnderWay: transfer.state.isUnderWay)
    table[transfer.id] = Boxed(transfer)
    if transfer.isInLine { lanes.enter(transfer.id, priority: transfer.request.priority, lane: transfer.lane) }
    arrange(transfer)
    turn.changes.change(transfer.id, to: transfer.state)
    turn.touchedTransfers.append(transfer.id)
    if old.isRunning != transfer.isRunning || transfer.state.isEnded {
      steps.append(Step(id: transfer.id, wasRunning: old.isRunning, isRunning: transfer.isRunning))
    }
  }

  private mutating func leaveIndexes(_ transfer: Transfer, staysUnderWay: Bool = false) {
    if transfer.isInLine { lanes.leave(transfer.id, priority: transfer.request.priority, lane: transfer.lane) }
    if transfer.state.isUnderWay, !staysUnderWay { lanes.freed(transfer.lane.host) }
  }

  private mutating func arrange(_ transfer: Transfer) {
    agenda.set(transfer.id, due: transfer.due(limits))
    stranded[transfer.id] = transfer.state.waitsForNetwork ? () : nil
  }

  private mutating func start(_ id: TransferID, at now: Age, into turn: inout Turn) {
    guard var transfer = self[id] else { preconditionFailure("transfer \(id) has a turn and is not there") }
    transfer.record.state.begin()
    (transfer.heard, transfer.count) = (now, transfer.state.resume?.offset ?? 0)
    table[id] = Boxed(transfer)
    agenda.set(id, due: transfer.due(limits))
    turn.changes.change(id, to: transfer.state)
    turn.touchedTransfers.append(id)
    turn.deeds.append(.start(transfer.order(limits)))
  }

  /// Looks at a transfer whose time has come.
  private mutating func attend(_ id: TransferID, at now: Age, into turn: inout Turn) {
    guard var transfer = self[id] else { return }
    guard let due = transfer.due(limits), due <= now else { return arrange(transfer) }
    guard !transfer.state.isEnded else { return expired.append(id) }
    let deeds = transfer.attend(at: now, limits)
    put(transfer, hasChanged: true, into: &turn)
    turn.deeds.append(contentsOf: deeds)
  }
}
