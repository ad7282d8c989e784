import NightjarModel

/// What errands cost: the bytes that they move, the processor's time, and the radio's energy.
///
/// A fetch is charged, when it ends, what it adds to the radio's work so far: other fetches, a person's traffic,
/// transfers (``RadioMeter``, as in `nightjar backtest`). What comes together pays for one promotion and one tail. The
/// radio's work is not written down: a later daemon takes it for asleep, so that a fetch costs rather too much.
extension Supervisor {
  /// Counts the bytes that a transfer has moved. They are the errand's if the app has queued the transfer for it. All
  /// others keep the radio up, unless they do not leave this machine.
  mutating func countBytes(of id: TransferID, since before: Int64, at now: Age) {
    guard let transfer = transfers[id], transfer.count > before, !transfer.needs.contains(.onlyLoopback) else { return }
    let (app, count) = (transfer.request.app, transfer.count - before)
    let isDownload = transfer.request.direction == .download
    guard isOfErrand(id, of: app) else {
      return noteTraffic(received: isDownload ? count : 0, sent: isDownload ? 0 : count, until: now)
    }
    if isDownload {
      apps[there: app].wakes.errand?.received += count
    } else {
      apps[there: app].wakes.errand?.sent += count
    }
  }

  /// Whether an app has queued a transfer since it was told of the errand that it is at.
  private func isOfErrand(_ id: TransferID, of app: AppID) -> Bool {
    guard apps.contains(app), apps[there: app].wakes.errandStage?.isTold == true else { return false }
    return apps[there: app].wakes.errand.map { id > $0.newestBefore } ?? false
  }

  /// The room has measured what an app's processes have taken so far.
  mutating func learnMeter(
    _ number: Int64, _ reading: Errand.Reading, of app: inout App, into turn: inout Turn
  ) {
    if app.wakes.errand?.number == number, app.wakes.errand?.before == nil { app.wakes.errand?.before = reading }
    guard let bill = app.bill, bill.errand.number == number else { return }
    settle(bill, reading, of: &app, into: &turn)
  }

  /// Charges an ended errand for what it took, as far as that was measured.
  mutating func settle(_ bill: Bill, _ reading: Errand.Reading?, of app: inout App, into turn: inout Turn) {
    app.bill = nil
    var cost = cost(of: bill, reading)
    cost.joules = joules(of: cost, bill.errand)
    fetches.charge(cost, for: bill.errand, into: &turn)
    if bill.errand.kind != .processing { spend(cost, under: conditions(of: bill.errand), into: &turn) }
    turn.touchedApps.append(app.id)
    for ticket in bill.errand.tickets { turn.deeds.append(.answer(ticket, .fetched(bill.outcome, cost))) }
  }

  /// An errand's cost without energy: what its transfers have moved, and what its processes have taken between two
  /// readings.
  private func cost(of bill: Bill, _ after: Errand.Reading?) -> FetchCost {
    let errand = bill.errand
    var cost = FetchCost(wall: bill.wall, received: errand.received, sent: errand.sent)
    if let before = errand.before, let after {
      if let first = before.cpu, let last = after.cpu { cost.cpu = max(last - first, .zero) }
      cost.received += max(after.received - before.received, 0)
      cost.sent += max(after.sent - before.sent, 0)
    }
    return cost
  }

  /// Takes a fetch's cost from the budget of fetches; a processing task is not paid from that.
  private mutating func spend(_ cost: FetchCost, under device: Conditions, into turn: inout Turn) {
    if device.power == .battery { plan.budget.spend(cost.joules, of: .joules) }
    if device.network.isExpensive { plan.budget.spend(Double(cost.received + cost.sent), of: .bytes) }
    turn.changes.keep(plan.budget)
  }

  /// What an errand is charged by: the power and the network with which the app was told. Without a network then, it
  /// has moved its bytes over a later one.
  private func conditions(of errand: Errand) -> Conditions {
    errand.conditions.isOnline ? errand.conditions : device.conditions
  }

  // MARK: The radio

  /// An estimate of the energy that the radio took for an errand; none for one that moved no bytes. During a fetch the
  /// radio is active all the time. A task's minutes are not spent on the network: it is charged for as long as its
  /// bytes take, and apart from all else, since nobody knows when in its minutes that was.
  private mutating func joules(of cost: FetchCost, _ errand: Errand) -> Double {
    guard cost.received > 0 || cost.sent > 0, case .told(let begin, _) = errand.stage else { return 0 }
    let radio = Radio(conditions(of: errand))
    let seconds = radio.seconds(received: cost.received, sent: cost.sent)
    guard errand.kind != .processing else {
      return radio.joules(apart: seconds, received: cost.received, sent: cost.sent)
    }
    if radio == self.radio { seeRadio() }
    guard radio == plan.meter.radio else {  // What else that radio did is forgotten.
      return radio.joules(apart: max(seconds, cost.wall.inSeconds), received: cost.received, sent: cost.sent)
    }
    let added = plan.meter.count(
      begin: begin.sinceFirst.inSeconds, seconds: max(seconds, cost.wall.inSeconds), received: cost.received,
      sent: cost.sent)
    return max(0, added)
  }

  /// Counts the traffic of an app that a person brings to the foreground: it fetches what it wants to show.
  mutating func noteOpening(at now: Age) {
    guard device.conditions.isOnline else { return }
    seeRadio()
    plan.meter.count(begin: now.sinceFirst.inSeconds, seconds: plan.rule.settings.openingTraffic.inSeconds)
  }

  /// Counts bytes that transfers have moved up to now. One that reports nothing is not taken to keep the radio up.
  private mutating func noteTraffic(received: Int64, sent: Int64, until now: Age) {
    seeRadio()
    let seconds = plan.meter.radio.seconds(received: received, sent: sent)
    plan.meter.count(begin: now.sinceFirst.inSeconds - seconds, seconds: seconds)
  }

  /// Begins a new meter on another network: its radio has done nothing yet.
  private mutating func seeRadio() {
    if plan.meter.radio != radio { plan.meter = RadioMeter(radio) }
  }

  private var radio: Radio { Radio(device.conditions) }
}

extension Radio {
  /// The radio of the network under such conditions.
  fileprivate init(_ device: Conditions) { self = device.network == .cellular ? .lte : .wifi }
}
