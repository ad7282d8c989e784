import NightjarCore
import NightjarModel

/// The invariants of committed rows, and those after all faults have ended.
extension World {
  /// Checks what a commit has changed, and counts what must balance.
  mutating func checkRows(_ changes: Changes) {
    for (id, change) in changes.transfers.sorted(by: { $0.key < $1.key }) { check(id, change) }
    for (number, wake) in changes.wakes.sorted(by: { $0.key < $1.key }) { check(number, wake) }
    let ended = disk.transfers.values.reduce(0) { $0 + ($1.state.isEnded && $1.request.session != nil ? 1 : 0) }
    if ended != disk.wakes.count { fail("\(ended) tasks have ended and \(disk.wakes.count) wakes wait") }
    checkRemnants(changes)
    checkHistory(changes)
    noteDecisions(changes)
    noteHabits(changes)
    for (session, row) in changes.sessions where row == nil { watch.closing.remove(session) }
    for (app, row) in changes.apps where row == nil { watch.uninstalling.remove(app) }
    for (app, row) in changes.apps {
      watch.removed[app] = row?.card.isRemoved == true ? watch.removed[app] ?? turns : nil
    }
  }

  private mutating func check(_ id: TransferID, _ change: Changes.TransferChange) {
    guard let row = disk.transfers[id] else { return }
    if case .added = change {
      if id.rawValue <= watch.transferLast { fail("transfer number \(id) is given out twice") }
      watch.transferLast = max(watch.transferLast, id.rawValue)
      watch.bornAt[id] = taken.uptime
      if row.request.session != nil { watch.accepted.insert(row.request.key) }
    }
    if let session = row.request.sessionID {
      guard let nextTask = disk.sessions[session]?.nextTask else { return fail("transfer \(id) has no session row") }
      if row.request.task >= nextTask { fail("task \(row.request.task) of \(session) is not counted") }
    }
    if case .ended(.failed(let failure), _) = row.state.phase, failure.code == .resourceTimedOut,
      failure.detail != "made up", let born = watch.bornAt[id],
      row.request.resourceTimeout.map({ .milliseconds(taken.uptime - born) < $0 }) ?? true
    {
      let timeout = row.request.resourceTimeout.map { "\($0)" } ?? "never"
      fail("transfer \(id) expired after \(taken.uptime - born) ms, not \(timeout)")
    }
  }

  private mutating func check(_ number: Int64, _ wake: Wake?) {
    guard let wake else {
      watch.settled[number] = turns
      return
    }
    if wake.crashes >= limits.crashesMax { watch.parked.insert(number) }
    if number > disk.counters.wake { fail("wake \(number) is not counted") }
    if watch.settled[number] != nil { fail("wake \(number) comes again after it was settled") }
    guard !wake.isQuestion, let row = disk.transfers[wake.transfer] else {
      return fail("wake \(number) is about a transfer that is not there")
    }
    if !row.state.isEnded || row.request.app != wake.app || row.request.session != wake.session {
      fail("wake \(number) does not fit its transfer: \(wake), \(row.state)")
    }
  }

  /// Checks that nothing is left undone after faults have ended and time has passed.
  mutating func checkRest() {
    if supervisor == nil { return fail("the daemon is dead at the end") }
    for row in disk.memory.transfers { checkRest(row) }
    for process in processes where process.isLaunched && !process.isForeground && !process.isFrozen {
      if !isRefreshed(process) { fail("\(process.app) still runs in the background") }
    }
    checkNoticesAtRest()
    checkDecisionsAtRest()
    for app in disk.departed.sorted() { fail("\(app) was removed and its bundle still lies on the disk") }
    if engine.running > 0 { fail("\(engine.running) attempts still run") }
    // A measurement may be under way at any moment, since fetches never end.
    let waiting = mailbox.count { event in if case .app(_, _, .metered) = event { false } else { true } }
    if waiting > 0 { fail("\(waiting) events wait in the mailbox") }
    for ticket in tickets.keys.sorted() { fail("nobody answered \(tickets[ticket]!)") }
    if watch.kills > 0 { fail("\(watch.kills) apps were killed that did what they owe") }
    let known = Set(heard.keys).union(abandoned.keys)
    for app in apps.keys.sorted() where apps[app]!.wishes > 0 || !apps[app]!.outbox.isEmpty {
      fail("\(app) could not ask for \(apps[app]!.wishes) and \(apps[app]!.outbox)")
    }
    for key in watch.accepted.sorted() where !known.contains(key) { fail("request \(key) was accepted and never told") }
  }

  private mutating func checkRest(_ row: TransferRecord) {
    if row.request.session != nil { return fail("transfer \(row.id) is left: \(row.state)") }
    switch row.state.phase {
    case .ended, .undelivered(until: nil, _, _, _): break
    case .queued, .running, .stopping, .waiting, .asking, .delivering, .undelivered:
      fail("transfer \(row.id) is left: \(row.state)")
    }
  }
}
