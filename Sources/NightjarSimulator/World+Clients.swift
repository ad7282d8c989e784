import NightjarCore
import NightjarModel

/// The client library and the app's code in a process: they attach, open sessions, queue, deliver, acknowledge, finish.
extension World {
  mutating func take(_ step: ProcessStep, of pid: Int32) {
    guard let index = processes.firstIndex(where: { $0.pid == pid }) else { return }
    switch step {
    case .connect: connect(index)
    case .deliver: deliverNext(index)
    case .acknowledge: acknowledge(index)
    case .finish(let session): finishEvents(session, index)
    case .work(let session): work(session, index)
    case .decide(let number): decide(number, index)
    case .enter(let number): call(.entered(number), index)
    case .endTask(let number): endTask(number, index)
    case .takeNotice(let id, let showing): call(.takeNotice(id, shows: showing), index)
    case .finishFetch(let number): finishFetch(number, index)
    case .finishTask(let number): call(.finishRequestedTask(number, success: dice.falls(700)), index)
    }
  }

  private mutating func connect(_ index: Int) {
    guard processes[index].connection == nil, !hangs(index, before: 0) else { return }
    if !dial(index) { plan(.stepped(pid: processes[index].pid, .connect), in: dice.draw(300...3_000)) }
  }

  /// Whether the process hangs before it attaches (0), acknowledges (1) or finishes (2).
  func hangs(_ index: Int, before stage: Int32) -> Bool {
    processes[index].isHung && processes[index].pid % 3 == stage && faults != .none
  }

  mutating func receive(_ letter: Letter, on id: ConnectionID) {
    guard connections[id]?.isOpen == true, let index = processes.firstIndex(where: { $0.connection == id }) else {
      return
    }
    if dice.falls(faults.disconnect / 4) { return disconnect(index) }
    switch letter {
    case .answer(nil, let answer): attached(answer, index)
    case .answer(let call?, let answer): answered(call, answer, index)
    case .message(.handleEvents(let session)): handleEvents(session, index)
    case .message(.progressed(let session, let task, _, _)), .message(.informed(let session, let task, _)):
      let id = SessionID(app: processes[index].app, identifier: session)
      if processes[index].session(session)?.isOpen != true, !watch.everClosed.contains(id) {
        fail("how task \(task) gets on reaches a stranger")
      }
    case .message(.ended(let ended)): take(ended, index)
    case .message(.asked(let asked)): take(asked, index)
    case .message(.eventsFinished(let session)):
      processes[index].change(session) { $0.isFinished = true }
      finishIfDone(index)
    case .message(.enterBackground(let number, _)): enterBackground(number, index)
    case .message(.enterForeground):
      processes[index].isForeground = true
      openAll(index)
    case .message(.expireBackgroundTasks): expireTasks(index)
    case .message(.acted): if !processes[index].isForeground { fail("a person acts in an app in the background") }
    case .message(.memoryWarning), .message(.significantTimeChange): break
    case .message(.noticed(let noticed)): take(noticed, index)
    case .message(.standing): break
    case .message(.performFetch(let number, _)): perform(number, isFetch: true, index)
    case .message(.performRequestedTask(let number, _, _, _)): perform(number, isFetch: false, index)
    case .message(.expireRequestedTask): break
    }
  }

  private mutating func attached(_ answer: Answer, _ index: Int) {
    guard case .attached(let life, let isBackground, let transition, _, _) = answer else {
      disconnect(index)
      return
    }
    let process = processes[index]
    if process.isLaunched, life != process.life {
      log("process \(process.pid) of life \(process.life) is told \(life)")
    }
    processes[index].isAttached = true
    if process.isForeground == isBackground, process.isLaunched { processes[index].isForeground.toggle() }
    if let transition { enterBackground(transition, index) }
    wishForErrands(index)
    for number in process.tasks.sorted() { call(.beginBackgroundTask(number, name: "again"), index) }
    guard !isBackground || dice.falls(300) || !process.sessions.isEmpty else { return }
    openAll(index)
  }

  /// Creates all sessions of the app that do not exist yet in this process.
  mutating func openAll(_ index: Int) {
    guard processes[index].isAttached else { return }
    for session in apps[processes[index].app]?.sessions ?? [] {
      let mine = processes[index].session(session.name)
      if mine?.isOpen != true, mine?.isOpening != true { open(session.name, index) }
    }
  }

  private mutating func open(_ name: String, _ index: Int) {
    if processes[index].session(name) == nil { processes[index].sessions.append(Process.Session(name: name)) }
    processes[index].change(name) { $0.isOpening = true }
    let sends = apps[processes[index].app]?.sessions.first { $0.name == name }?.sendsLaunchEvents ?? true
    call(.openSession(name, sendsLaunchEvents: sends, asks: Asks(credentials: true, delays: true)), index)
  }

  private mutating func handleEvents(_ name: String, _ index: Int) {
    let session = processes[index].session(name)
    if session?.isOpen != true, session?.isOpening != true { open(name, index) }
    processes[index].change(name) { $0.owesFinish = true }
  }

  /// Handles the daemon's answer to a call.
  private mutating func answered(_ call: AppCall, _ answer: Answer, _ index: Int) {
    switch (call, answer) {
    case (.openSession(let name, _, _, _), .session(let nextTask, _)): opened(name, nextTask, index)
    case (.openSession(let name, _, _, _), .refused(.sessionInUse)),
      (.openSession(let name, _, _, _), .refused(.notAttached)):
      processes[index].change(name) { $0.isOpening = false }
    case (.enqueue(let request, _, _), .accepted), (.enqueue(let request, _, _), .resumed): settleParcel(request, index)
    case (.enqueue(let request, _, let key?), .refused(.invalid("remnant", _))): refused(request, key, index)
    case (.cancelKeeping, .left(let remnant)): keep(remnant, by: processes[index].app)
    case (.cancelKeeping, .refused): break
    case (.enqueue, .refused(.sessionNotOpen)), (.enqueue, .refused(.sessionInUse)): break
    case (.suspend, _), (.resume, _), (.cancel, _), (.update, _), (.closeSession, _), (.listTasks, _),
      (.forgetDecisions, _):
      break
    case (.beginBackgroundTask, .refused), (.setFetchInterval, .refused(.noSuchApp)), (.submit, .refused(.noSuchApp)):
      break
    case (.schedule, .refused(.invalid("at", _))): break  // The clock was set to a time beyond the calendar.
    case (.schedule, .refused(.notAttached)), (.cancelNotices, .refused(.notAttached)),
      (.setBadge, .refused(.notAttached)), (.listNotices, .refused(.notAttached)):
      break
    case (_, .done), (.listNotices, .scheduled): break
    case (_, .refused(let refusal)): fail("'\(call)' is refused: \(refusal)")
    default: fail("'\(call)' is answered with \(answer)")
    }
  }

  private mutating func opened(_ name: String, _ nextTask: Int, _ index: Int) {
    let app = processes[index].app
    let parcels = apps[app]!.outbox.filter { $0.request.session == name }
    let own = max(processes[index].session(name)?.nextTask ?? 1, (parcels.map(\.request.task).max() ?? 0) + 1)
    watch.toldLast[Watch.Telling(connection: processes[index].connection!, session: name)] = nil
    processes[index].change(name) { session in
      (session.isOpen, session.isOpening, session.nextTask) = (true, false, max(own, nextTask))
    }
    for parcel in parcels { call(parcel.call, index) }
    plan(.stepped(pid: processes[index].pid, .work(name)), in: dice.draw(1...1_000))
  }

  private mutating func settleParcel(_ request: TransferRequest, _ index: Int) {
    apps[processes[index].app]!.outbox.removeAll { $0.request.key == request.key }
  }

  /// Queues an event that has arrived behind those before it.
  private mutating func take(_ ended: Message.Ended, _ index: Int) {
    checkTold(ended, index)
    let process = processes[index]
    guard process.session(ended.session) != nil else { return }  // It was under way when the session was closed.
    apps[process.app]!.outbox.removeAll { $0.request.session == ended.session && $0.request.task == ended.task }
    if process.delivered.contains(ended.number) { return owe(ended.number, index) }
    keep(ended.remnant, by: process.app)
    guard !process.inbox.contains(where: { $0.number == ended.number }) else { return }
    processes[index].inbox.append(ended)
    guard !process.isBusy else { return }
    processes[index].isBusy = true
    plan(.stepped(pid: process.pid, .deliver), in: dice.draw(1...400))
  }

  /// Calls the delegate for the first waiting event.
  private mutating func deliverNext(_ index: Int) {
    processes[index].isBusy = false
    guard !processes[index].inbox.isEmpty else { return finishIfDone(index) }
    let ended = processes[index].inbox.removeFirst()
    guard let key = key(of: ended) else { return deliverNext(index) }  // Gone meanwhile: its session was closed.
    if crashes(over: ended, key, index) { return exit(processes[index].pid, isCrash: true) }
    if !isWhole(ended) {
      call(.reportDamage(ended.number), index)
    } else {
      heard[key, default: 0] += 1
      processes[index].delivered.insert(ended.number)
      owe(ended.number, index)
    }
    processes[index].isBusy = true
    plan(.stepped(pid: processes[index].pid, .deliver), in: dice.draw(1...400))
  }

  /// Whether the app crashes over an event. Some requests crash it whenever their end is told in the background; any
  /// may crash it by chance.
  private mutating func crashes(over ended: Message.Ended, _ key: RequestKey, _ index: Int) -> Bool {
    guard processes[index].isLaunched, faults != .none else { return false }
    return key.low % 16 == 0 && faults.appCrash > 0 && !processes[index].isForeground || dice.falls(faults.appCrash)
  }

  private func key(of ended: Message.Ended) -> RequestKey? {
    guard let id = disk.wakes[ended.number]?.transfer else { return nil }
    return disk.transfers[id]?.request.key
  }

  private mutating func isWhole(_ ended: Message.Ended) -> Bool {
    guard case .succeeded(_, let file) = ended.outcome,
      let id = disk.wakes[ended.number]?.transfer
    else { return true }
    if let place = ended.destination {
      if engine.destinations[place] == nil { fail("transfer \(id) was told as delivered, and nothing is at \(place)") }
      return true
    }
    guard let staged = engine.staged[id] else { return false }
    return staged.file == file && !staged.isDamaged
  }

  private mutating func owe(_ number: Int64, _ index: Int) {
    guard !hangs(index, before: 1) else { return }
    processes[index].owed.append(number)
    guard !processes[index].isAcknowledging else { return }
    processes[index].isAcknowledging = true
    plan(.stepped(pid: processes[index].pid, .acknowledge), in: dice.draw(0...200))
  }

  private mutating func acknowledge(_ index: Int) {
    processes[index].isAcknowledging = false
    let numbers = processes[index].owed
    processes[index].owed = []
    guard !numbers.isEmpty, processes[index].connection != nil else { return finishIfDone(index) }
    if dice.falls(faults.disconnect) { return disconnect(index) }
    call(.acknowledge(numbers), index)
    if dice.falls(faults.engineUnrest) { call(.acknowledge(numbers.reversed()), index) }
    if faults.disconnect > 0, dice.falls(faults.disconnect) { return disconnect(index) }
    finishIfDone(index)
  }

  /// Calls the completion handlers of sessions whose events have all been delivered and acknowledged.
  private mutating func finishIfDone(_ index: Int) {
    let process = processes[index]
    guard process.inbox.isEmpty, process.owed.isEmpty, !process.isBusy, !hangs(index, before: 2) else { return }
    for session in process.sessions where session.isFinished && session.owesFinish {
      processes[index].change(session.name) { ($0.isFinished, $0.owesFinish) = (false, false) }
      plan(.stepped(pid: process.pid, .finish(session.name)), in: dice.draw(0...2_000))
    }
  }

  private mutating func finishEvents(_ session: String, _ index: Int) { call(.finishEvents(session), index) }
}
