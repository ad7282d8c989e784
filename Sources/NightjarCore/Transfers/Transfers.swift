import NightjarModel

/// All transfers, and the indexes by which the few that matter are found among the many that wait.
///
/// It starts, retries and delivers transfers, and leaves what has happened in `steps`, without knowing who is told.
struct Transfers: Sendable {
  private(set) var all = OrderedIndex<TransferID, Void>()
  private(set) var owners = Ownership()
  var table: [TransferID: Boxed<Transfer>] = [:]
  private var byKey: [RequestKey: TransferID] = [:]
  var lanes: Lanes
  /// Until when lanes are closed whose hosts have asked to be left alone. Never written down: after a restart, each is
  /// asked once more.
  var rests = Agenda<Lanes.Lane>()
  private var agenda = Agenda<TransferID>()
  var stranded = Stranded()
  /// Transfers that must not begin yet, in the order of their times on the wall clock.
  private var calendar = OrderedIndex<Appointment, Void>()
  /// Attempts that are with the engine.
  private var underWay = OrderedIndex<TransferID, Void>()
  /// What is in the staging area, or is about to be.
  private var holdings: Holdings
  /// Apps that have too much there and whose bytes have changed, or that no longer have too much, since this was last
  /// emptied.
  var heldOrFreed: [AppID] = []
  /// What the device offers.
  private(set) var offer: Offer
  /// What sessions want to be asked, and what was decided for all of their transfers.
  var keyrings: [SessionID: Keyring] = [:]
  /// What began, ended or paused since this was last emptied, in that order.
  var steps: [Step] = []
  /// Ended transfers that have been kept long enough.
  var expired: [TransferID] = []
  /// Whether there is anything in these.
  var hasNews: Bool { !steps.isEmpty || !expired.isEmpty || !heldOrFreed.isEmpty }
  /// What was measured of transfers, as far as there is room.
  private(set) var measures: Measures
  private let bounds: Fixed<Limits>
  var limits: Limits { bounds.value }

  init(limits bounds: Fixed<Limits>) {
    self.bounds = bounds
    let limits = bounds.value
    offer = Offer(batteryMin: limits.batteryMin)
    measures = Measures(limit: limits.metricsMax)
    lanes = Lanes(runningMax: limits.runningMax, perHostMax: limits.runningPerHostMax)
    holdings = Holdings(bytesMax: Int64(limits.stagedBytesPerAppMax))
  }

  subscript(id: TransferID) -> Transfer? { table[id]?.value }
  func id(ofKey key: RequestKey) -> TransferID? { byKey[key] }
  var ofApp: [AppID: OrderedIndex<TransferID, Void>] { owners.ofApp }
  func count(of app: AppID) -> Int { owners.count(of: app) }
  func isFull(_ host: Host) -> Bool { lanes.isFull(host) }
  func isFull(_ share: Lanes.Share, in lane: Lanes.Lane) -> Bool { lanes.isFull(share, in: lane) }
  func isFull(_ lane: Lanes.Lane) -> Bool { lanes.isFull(lane) }
  func isFull(_ app: AppID) -> Bool { lanes.isFull(app) }
  func runningCount(in lane: Lanes.Lane) -> Int { lanes.running(in: lane) }
  func runningCount(of app: AppID) -> Int { lanes.running(of: app) }
  func isHeld(_ app: AppID) -> Bool { lanes.heldApps.contains(app) }
  func isAllowedToStage(_ transfer: Transfer) -> Bool { !(isHeld(transfer.request.app) && transfer.isFresh) }
  func stagedBytes(of app: AppID) -> Int64 { holdings.bytes(of: app) }
  func heir(of file: TransferID) -> TransferID? { holdings.heir(of: file) }
  var runningCount: Int { lanes.running }
  var nextDue: Age? { mutating get { earliest(agenda.next, rests.next) } }
  /// The next time on the wall clock that a transfer waits for.
  var nextAppointment: Timestamp? { calendar.first?.key.at }

  /// Takes in a transfer, new or remembered.
  mutating func insert(_ transfer: Transfer) {
    let id = transfer.id
    precondition(table[id] == nil, "transfer \(id) is there already")
    table[id] = Boxed(transfer)
    byKey[transfer.request.key] = id
    all[id] = ()
    owners.insert(id, transfer.request)
    if transfer.isInLine { lanes.enter(id, at: transfer.stand(limits)) }
    holdings.bequeath(to: transfer)
    arrange(transfer)
    count(transfer.stagedBytes, of: transfer.request.app)
  }

  /// Throws if an app's requests are too large together with this one, which takes the place of `old`.
  func checkRoom(for request: TransferRequest, inPlaceOf old: TransferRequest? = nil) throws(Refusal) {
    try owners.checkRoom(for: request, inPlaceOf: old, limits)
  }

  /// Forgets a transfer, with what lies in the staging area unless that is kept.
  mutating func remove(_ id: TransferID, sparing kept: [TransferID], into turn: inout Turn) {
    guard let transfer = self[id] else { return }
    leaveIndexes(transfer)
    count(-transfer.stagedBytes, of: transfer.request.app)
    table[id] = nil
    byKey[transfer.request.key] = nil
    all[id] = nil
    owners.remove(id, transfer.request)
    agenda.set(id, due: nil)
    stranded.arrange(id, nil)
    measures.forget(id)
    if let appointment = transfer.appointment { calendar[appointment] = nil }
    turn.changes.remove(id)
    turn.changes.forget(transfer.request)
    turn.changes.forget(transfer.state.resume)
    for file in transfer.files where !kept.contains(file) { turn.deeds.append(.discard(file)) }
    holdings.disinherit(transfer)
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
    let fact = weigh(fact, by: transfer, attempt)
    let hasChanged = transfer.record.state.learn(fact, ofAttempt: attempt, for: transfer.request, circumstances)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Takes in a fact about a delivery.
  mutating func learn(
    _ fact: DeliveryFact, of id: TransferID, attempt: Int, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    guard var transfer = self[id] else { return }
    let hasChanged = transfer.record.state.learn(fact, ofAttempt: attempt, for: transfer.request, circumstances)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Changes a transfer's state by a rule of the caller's, which says whether it did.
  mutating func change(_ id: TransferID, into turn: inout Turn, _ rule: (inout TransferState) -> Bool) {
    guard var transfer = self[id] else { return }
    let hasChanged = rule(&transfer.record.state)
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Changes what was asked for, wherever the transfer stands.
  mutating func revise(
    _ id: TransferID, _ request: TransferRequest, wall: Timestamp, at now: Age, into turn: inout Turn
  ) {
    guard let old = self[id], old.request != request else { return }
    var transfer = old
    transfer.record.request = request
    transfer.isEarly = request.isEarly(at: wall)
    if old.isEarly, !transfer.isEarly { transfer.come(at: now) }
    if transfer.isToAskFirst { transfer.record.state.asksBeforeBegin = true }
    if let appointment = old.appointment { calendar[appointment] = nil }
    revise(old, to: transfer, into: &turn)
  }

  /// Restarts its resource timeout: what had ended in time is to be done again.
  mutating func renew(_ id: TransferID, at now: Age, into turn: inout Turn) {
    guard let old = self[id] else { return }
    var transfer = old
    transfer.record.born = now
    revise(old, to: transfer, into: &turn)
  }

  /// Takes in what the device now offers. Transfers that may no longer run are stopped where they are and wait; with
  /// another network, those that failed for lack of one go on at once.
  mutating func obey(_ new: Offer, into turn: inout Turn) {
    let (old, network) = (offer.conditions.network, new.conditions.network)
    offer = new
    for (id, _) in underWay.entries(after: nil, limit: .max) {
      guard let transfer = self[id], transfer.state.phase == .running, !new.meets(transfer.needs) else { continue }
      change(id, into: &turn) { state in
        state.phase = .stopping
        return true
      }
      turn.deeds.append(.stop(id, attempt: transfer.state.attempts))
    }
    if network != old, network != .none { useNetwork(into: &turn) }
  }

  /// Does whatever is due. Run twice at one moment, the second finds nothing to do.
  mutating func attend(at now: Age, wall: Timestamp, into turn: inout Turn) {
    see(wall, at: now, slack: limits.clockSlack, into: &turn)
    // Appointments before deadlines: one that comes may find that its resource timeout has passed as well.
    while let lane = rests.popDue(at: now) { lanes.close(lane, false) }
    while let next = calendar.first?.key, next.at <= wall { come(next.id, at: now, wall: wall, into: &turn) }
    while let id = agenda.popDue(at: now) { attend(id, at: now, into: &turn) }
  }

  /// Starts whatever waits and has a place.
  mutating func start(at now: Age, into turn: inout Turn) {
    while lanes.running < limits.runningMax, let id = lanes.next(offer.meets) { start(id, at: now, into: &turn) }
  }

  /// Lets a transfer begin from now on: its earliest begin has come.
  private mutating func come(_ id: TransferID, at now: Age, wall: Timestamp, into turn: inout Turn) {
    guard let old = self[id] else { preconditionFailure("transfer \(id) has an appointment and is not there") }
    var transfer = old
    transfer.come(at: now, wall: wall)
    revise(old, to: transfer, into: &turn)
  }

  private mutating func hear(_ fact: TransferFact, by transfer: inout Transfer, at now: Age, into turn: inout Turn) {
    if !transfer.isOnlyGoingOn(fact, at: now) { transfer.heard = now }
    switch fact {
    case .progressed(let count, let expected): (transfer.count, transfer.expected) = (count, expected)
    case .finished(_, let file): transfer.finish(with: file)
    case .measured(let metrics): measures.keep(metrics, of: transfer.id)
    case .informed(let response) where response.isFinal: transfer.answer = response
    case .throttled(let wish): rest(transfer.lane, for: wish, at: now)
    case .informed, .checkpointed, .failed, .unanswered, .asked, .stopped: break
    }
    turn.touchedTransfers.append(transfer.id)
  }

  /// Puts back a transfer whose state may have changed, and keeps every index true.
  mutating func put(_ transfer: Transfer, hasChanged: Bool, into turn: inout Turn) {
    guard let old = self[transfer.id] else { return }
    guard hasChanged else {
      table[transfer.id] = Boxed(transfer)
      return count(transfer.stagedBytes - old.stagedBytes, of: transfer.request.app)
    }
    replace(old, with: transfer)
    turn.changes.change(transfer.id, to: transfer.state)
    turn.touchedTransfers.append(transfer.id)
    let isAskingOrDid = old.state.isAsking || transfer.state.isAsking
    let hasStopped = old.state.phase == .stopping && !transfer.state.isUnderWay
    if old.isRunning != transfer.isRunning || transfer.state.isEnded || isAskingOrDid || hasStopped {
      steps.append(
        Step(
          id: transfer.id, wasRunning: old.isRunning, isRunning: transfer.isRunning, isEnded: transfer.state.isEnded))
    }
  }

  /// Puts in place of a transfer what is asked for now.
  mutating func revise(_ old: Transfer, to new: Transfer, into turn: inout Turn) {
    replace(old, with: new)
    owners.revise(old.request, to: new.request)
    turn.changes.revise(new.record)
    turn.changes.forget(old.request)
    turn.touchedTransfers.append(new.id)
  }

  private mutating func replace(_ old: Transfer, with transfer: Transfer) {
    leaveIndexes(old, staysUnderWay: transfer.state.isUnderWay)
    table[transfer.id] = Boxed(transfer)
    if transfer.isInLine { lanes.enter(transfer.id, at: transfer.stand(limits)) }
    if transfer.state.resume?.heritage == nil { holdings.disinherit(old) }
    arrange(transfer)
    count(transfer.stagedBytes - old.stagedBytes, of: transfer.request.app)
  }

  /// Counts what lies in the staging area for an app, and holds its fresh downloads while that is too much.
  mutating func count(_ bytes: Int64, of app: AppID) {
    guard bytes != 0 else { return }
    let wasTooMuch = holdings.isTooMuch(of: app)
    holdings.count(bytes, of: app)
    let isTooMuch = holdings.isTooMuch(of: app)
    if isTooMuch != wasTooMuch { lanes.hold(app, isTooMuch) }
    if isTooMuch || wasTooMuch { heldOrFreed.append(app) }
  }

  private mutating func leaveIndexes(_ transfer: Transfer, staysUnderWay: Bool = false) {
    if transfer.isInLine { lanes.leave(transfer.id, at: transfer.stand(limits)) }
    guard transfer.state.isUnderWay, !staysUnderWay else { return }
    underWay[transfer.id] = nil
    lanes.freed(transfer.lane, transfer.share(limits))
  }

  mutating func arrange(_ transfer: Transfer) {
    agenda.set(transfer.id, due: transfer.due(limits))
    stranded.arrange(transfer.id, transfer.state)
    guard let appointment = transfer.appointment else { return }
    calendar[appointment] = transfer.isEarly && !transfer.state.isEnded ? () : nil
  }

  private mutating func start(_ id: TransferID, at now: Age, into turn: inout Turn) {
    guard var transfer = self[id] else { preconditionFailure("transfer \(id) has a turn and is not there") }
    let keyring = transfer.request.sessionID.flatMap { keyrings[$0] }
    if transfer.state.asksBeforeBegin, keyring?.asks.delays == true { return askFirst(transfer, at: now, into: &turn) }
    count(-transfer.stagedBytes, of: transfer.request.app)
    transfer.record.state.begin()
    transfer.answersKnown = keyring?.count ?? 0
    transfer.answer = nil
    (transfer.heard, transfer.count) = (now, transfer.state.resume?.offset ?? 0)
    table[id] = Boxed(transfer)
    count(transfer.stagedBytes, of: transfer.request.app)
    underWay[id] = ()
    agenda.set(id, due: transfer.due(limits))
    turn.changes.change(id, to: transfer.state)
    turn.touchedTransfers.append(id)
    turn.deeds.append(.start(transfer.order(limits, keyring)))
  }

  /// Looks at a transfer whose time has come.
  private mutating func attend(_ id: TransferID, at now: Age, into turn: inout Turn) {
    guard var transfer = self[id] else { return }
    guard let due = transfer.due(limits), due <= now else { return arrange(transfer) }
    guard !transfer.state.isEnded else { return expired.append(id) }
    let deeds = transfer.attend(at: now, limits, offer)
    put(transfer, hasChanged: true, into: &turn)
    turn.deeds.append(contentsOf: deeds)
  }
}
