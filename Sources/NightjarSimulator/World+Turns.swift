import NightjarCore
import NightjarModel

/// The daemon's shell: the mailbox, the commit, the deeds, and a crash at any point between.
extension World {
  /// Starts a daemon on what the disk holds, and reports to it what a real one finds at start.
  mutating func startDaemon() {
    daemon += 1
    watch.hunger.recall()
    var supervisor = Supervisor(disk.memory, limits: limits, at: device.moment)
    if supervisor.nextLook != nil { fail("a supervisor that has not started wants to look at something") }
    self.supervisor = supervisor
    engine.sweep { supervisor.remembers($0) }
    for id in apps.keys.sorted() where apps[id]!.isOnDisk { post(.installed(apps[id]!.installed, nil)) }
    for app in supervisor.bundles where apps[app.id]?.isOnDisk != true { post(.uninstalled(app.id)) }
    for app in supervisor.departedApps where apps[app]?.isOnDisk != true { post(.uninstalled(app)) }
    for index in processes.indices where processes[index].isLaunched {
      processes[index].daemon = daemon
      let process = processes[index]
      post(.adopted(process.app, life: process.life, pid: process.pid, isFrozen: process.isFrozen))
    }
    wallMax = device.moment.wall
    post(.sensed(sensed))
    post(.located(rules))
    post(.started)
  }

  /// Kills the daemon, with its mailbox, its engine and all connections.
  mutating func killDaemon() {
    guard supervisor != nil else { return }
    daemon += 1
    (supervisor, mailbox, tickets, isDraining, hasStarted, alarmedAt) = (nil, [], [:], false, false, nil)
    standstill = nil
    engine.die()
    for index in processes.indices { disconnected(index) }
    connections = [:]
    plan(.revived, in: dice.falls(800) ? dice.draw(10...5_000) : dice.draw(5_000...3_600_000))
  }

  /// Puts an event into the mailbox; several that come close together make one turn.
  mutating func post(_ event: Event) {
    guard supervisor != nil else { return }
    mailbox.append(event)
    guard !isDraining else { return }
    isDraining = true
    plan(.drained(daemon: daemon), in: dice.draw(0...3))
  }

  mutating func drain() {
    isDraining = false
    guard supervisor != nil, standstill == nil else { return }
    let count = 1 + dice.below(8)
    let batch = Array(mailbox.prefix(count))
    mailbox.removeFirst(batch.count)
    takeTurn(batch)
    if supervisor != nil, !mailbox.isEmpty, !isDraining {
      isDraining = true
      plan(.drained(daemon: daemon), in: 0)
    }
  }

  mutating func ring() {
    alarmedAt = nil
    guard supervisor != nil, standstill == nil else { return }
    takeTurn([.awoke])
  }

  private mutating func takeTurn(_ events: [Event]) {
    turns += 1
    isLone = events.count == 1
    let moment = device.moment
    wallMax = max(wallMax, moment.wall)
    taken = Standstill.Time(now: device.now, uptime: device.uptime)
    var turn = Turn()
    for event in events {
      log("\(event)")
      supervisor!.handle(event, at: moment, entropy: dice.next(), into: &turn)
      if event == .started { hasStarted = true }
    }
    digest.fold(turn)
    checkStillness(at: moment)
    checkEnds(turn)
    guard dice.falls(faults.standstill), !turn.changes.isEmpty else {
      finish(turn, events)
      return setAlarm()
    }
    standstill = Standstill(turn: turn, events: events, taken: taken, moment: moment)
    plan(.wentOn(daemon: daemon), in: dice.falls(700) ? dice.draw(1_000...60_000) : dice.draw(60_000...3_600_000))
  }

  /// Commits the turn that waited for the database, then handles what has come meanwhile.
  mutating func goOn() {
    guard let waiting = standstill else { return }
    (standstill, taken, watch.overruns) = (nil, waiting.taken, [:])
    supervisor!.giveBack(from: waiting.moment, to: device.moment)
    finish(waiting.turn, waiting.events)
    if mailbox.isEmpty { ring() } else { drain() }
  }

  private mutating func finish(_ turn: Turn, _ events: [Event]) {
    perform(turn, survives: !dice.falls(faults.daemonCrash), orders: events)
    guard supervisor != nil else { return }
    checkConditions()
    if isLone { checkQuota(turn) }
    if turns % Self.memoryInterval == 0 { checkMemory(at: device.moment) }
    checkRights(at: device.moment)
    checkHunger()
  }

  /// Commits, then acts; a daemon that does not survive the turn dies at a random point of it.
  private mutating func perform(_ turn: Turn, survives: Bool, orders: [Event]) {
    let deedsDone = survives ? turn.deeds.count : dice.below(turn.deeds.count + 2) - 1
    guard deedsDone >= 0 else { return killDaemon() }
    for case .ordered(let call, let ticket) in orders where !refuses(ticket, turn) {  // Even if the daemon dies now.
      switch call {
      case .launch(let app, _), .fetchNow(let app, _), .launchToFetch(let app): watch.launches[app] = nil
      case .tapNotice(let id): if let app = disk.notices[id]?.request.app { watch.launches[app] = nil }
      default: break
      }
    }
    if !turn.changes.isEmpty { commit(turn.changes) }
    for deed in turn.deeds.prefix(deedsDone) { perform(deed) }
    if survives { checkEngine(turn.changes) } else { killDaemon() }
  }

  /// Whether a turn answers a call with a refusal.
  private func refuses(_ ticket: Ticket, _ turn: Turn) -> Bool {
    turn.deeds.contains { if case .answer(ticket, .refused) = $0 { true } else { false } }
  }

  private mutating func commit(_ changes: Changes) {
    checkRemovals(changes)
    checkNotices(changes)
    checkDecisions(changes)
    checkRequests(changes)
    if let complaint = disk.commit(changes, supervisor!.ledger) { fail(complaint) }
    checkRows(changes)
  }

  private mutating func perform(_ deed: Deed) {
    log("  \(deed)")
    switch deed {
    case .answer(let ticket, let answer): deliver(answer, to: ticket)
    case .tell(let connection, let message): tell(message, on: connection)
    case .dismiss(let connection): dismiss(connection)
    case .start(let order): start(order)
    case .stop(let id, let attempt): stop(id, attempt)
    case .discard(let id): discard(id)
    case .deliver(let order): deliver(order)
    case .launch(let order): launch(order)
    case .end(let app, let life, let politely): end(app, life: life, politely: politely)
    case .suspend(let app, let life, let stint): suspend(app, life: life, stint: stint)
    case .thaw(let app, let life): thaw(app, life: life)
    case .uninstall(let app): removeFromDisk(app)
    case .inspect(let app, let life): inspect(app, life: life)
    case .meter(let app, let life, let errand): meter(app, life: life, errand)
    case .measure(let question, let lives): measure(question, lives)
    case .show(let banner): show(banner)
    case .restore(let seen, let unseen): restore(seen.map(\.id) + unseen)
    case .note, .keepSnapshot, .dropView, .forgetLooks, .retract: break
    }
  }

  /// Sets the alarm for when the supervisor wants to look again.
  private mutating func setAlarm() {
    guard supervisor != nil else { return }
    guard let boot = supervisor!.nextLook else { return alarmedAt = nil }
    let at = device.time(ofBoot: boot)
    if at <= device.now, boot <= device.moment.boot {
      fail("the next look is not in the future: \(boot) at \(device.moment.boot)")
    }
    guard alarmedAt != at else { return }
    (alarm, alarmedAt) = (alarm + 1, at)
    schedule.plan(.alarmed(daemon: daemon, alarm: alarm), at: max(at, device.now + 1))
  }
}
