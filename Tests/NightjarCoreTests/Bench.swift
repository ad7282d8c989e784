import NightjarModel

@testable import NightjarCore

/// A supervisor on the workbench: events go in by hand, time is moved by hand, and what was committed is kept.
struct Bench {
  var supervisor: Supervisor
  var limits: Limits
  var boot = Duration.seconds(1000)
  /// How long the device has slept.
  var slept = Duration.zero
  var wall = Timestamp(seconds: 1_700_000_000)
  var bootID = BootID("first")
  var rows = Rows()
  /// Which process traces all apps, and whether it is told when it is asked.
  var tracer: Int32?
  var answersInspections = true
  /// What the last turn did.
  var deeds: [Deed] = []
  /// Whether it changed anything that is remembered.
  var hasCommitted = false
  /// Whether it forgot credentials.
  var hasForgotten = false
  private var ticketLast: UInt64 = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
    let moment = Moment(wall: wall, boot: boot, awake: boot - slept, bootID: bootID)
    supervisor = Supervisor(Memory(), limits: limits, at: moment)
    send(.started)
  }

  var moment: Moment { Moment(wall: wall, boot: boot, awake: boot - slept, bootID: bootID) }

  @discardableResult
  mutating func send(_ events: Event...) -> [Deed] {
    var turn = Turn()
    for event in events { supervisor.handle(event, at: moment, entropy: 1 << 63, into: &turn) }
    for case .inspect(let app, let life) in turn.deeds where answersInspections {
      let fact = AppFact.inspected(tracer: tracer)
      supervisor.handle(.app(app, life: life, fact), at: moment, entropy: 1 << 63, into: &turn)
    }
    rows.commit(turn.changes, supervisor.ledger)
    (deeds, hasCommitted) = (turn.deeds, !turn.changes.isEmpty)
    hasForgotten = turn.changes.forgetsCredentials
    return turn.deeds
  }

  /// Lets time pass, waking the supervisor whenever it asks for it; all that was done meanwhile.
  @discardableResult
  mutating func pass(_ span: Duration) -> [Deed] {
    let end = boot + span
    var done: [Deed] = []
    while let next = supervisor.nextLook, next <= end {
      precondition(next > boot, "the next look, at \(next), is not after \(boot)")
      boot = next
      done += send(.awoke)
    }
    boot = end
    deeds = done + send(.awoke)
    return deeds
  }

  /// Lets time pass on the wall clock, too.
  @discardableResult
  mutating func passWithWall(_ span: Duration) -> [Deed] {
    let end = boot + span
    var done: [Deed] = []
    while let next = supervisor.nextLook, next <= end {
      precondition(next > boot, "the next look, at \(next), is not after \(boot)")
      done += moveWithWall(to: next)
    }
    deeds = done + moveWithWall(to: end)
    return deeds
  }

  private mutating func moveWithWall(to next: Duration) -> [Deed] {
    let (seconds, attoseconds) = (next - boot).components
    wall = Timestamp(nanoseconds: wall.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    boot = next
    return send(.awoke)
  }

  /// The daemon dies and starts again on what was committed; in a new boot, if one is named.
  mutating func restart(
    boot newBoot: BootID? = nil, adopting lives: [(AppID, life: Int, pid: Int32)] = [], frozen: Bool = false
  ) {
    if let newBoot { (bootID, boot) = (newBoot, .seconds(20)) }
    restart(thenFinding: lives.map { .adopted($0, life: $1, pid: $2, isFrozen: frozen) })
  }

  /// The daemon dies and starts again on what was committed, and finds this.
  mutating func restart(thenFinding facts: [Event]) {
    supervisor = Supervisor(rows.memory, limits: limits, at: moment)
    for fact in facts + [.started] { send(fact) }
  }

  mutating func ticket() -> Ticket {
    ticketLast += 1
    return Ticket(ticketLast)
  }

  /// Asks as an app's process; the answer.
  @discardableResult
  mutating func ask(_ call: AppCall, as client: Client) -> Answer? {
    let ticket = ticket()
    send(.called(call, by: Caller(app: client.app, pid: client.pid), ticket))
    return answer(to: ticket)
  }

  /// Orders as a person; the answer, if it has come.
  @discardableResult
  mutating func order(_ call: ControlCall) -> Answer? {
    let ticket = ticket()
    send(.ordered(call, ticket))
    return answer(to: ticket)
  }

  func answer(to ticket: Ticket) -> Answer? {
    for case .answer(ticket, let answer) in deeds { return answer }
    return nil
  }

  /// A client attaches, and confirms at once where it is, unless it is slow.
  @discardableResult
  mutating func attach(_ client: Client, confirms: Bool = true) -> Answer? {
    let ticket = ticket()
    let caller = Caller(app: client.app, pid: client.pid)
    var done = send(
      .attached(Attachment(connection: client.connection, caller: caller, relaunch: client.relaunch), ticket))
    let answer = answer(to: ticket)
    if confirms, case .attached(_, _, let transition?, _, _) = answer {
      ask(.entered(transition), as: client)
      done += deeds
    }
    deeds = done
    return answer
  }

  /// The device sleeps, and the alarm rings when it is awake again.
  mutating func sleep(_ span: Duration) {
    boot += span
    slept += span
    send(.awoke)
  }

  func view(_ id: TransferID) -> TransferView? { supervisor.view(of: id, at: moment) }
  func view(_ id: AppID) -> AppView? { supervisor.view(of: id, at: moment) }
}

/// A process with a connection.
struct Client {
  var app: AppID
  var pid: Int32
  var connection: ConnectionID
  var relaunch: [String]?

  init(_ app: AppID, pid: Int32 = 42, connection: UInt64 = 1, relaunch: [String]? = nil) {
    (self.app, self.pid, self.connection) = (app, pid, ConnectionID(connection))
    self.relaunch = relaunch
  }
}

/// What was committed.
struct Rows {
  var memory = Memory()

  mutating func commit(_ changes: Changes, _ ledger: (clock: DeviceClock, counters: Counters)) {
    guard !changes.isEmpty else { return }
    (memory.clock, memory.counters) = ledger
    for (id, row) in changes.apps { memory.apps.replace({ $0.installed.id == id }, with: row) }
    for (id, row) in changes.sessions { memory.sessions.replace({ $0.id == id }, with: row) }
    for (number, row) in changes.wakes { memory.wakes.replace({ $0.number == number }, with: row) }
    memory.wakes.sort { $0.number < $1.number }
    for (key, row) in changes.remnants { memory.remnants.replace({ $0.key == key }, with: row) }
    for (id, isLeft) in changes.departures {
      memory.departed = (memory.departed.filter { $0 != id } + (isLeft ? [id] : [])).sorted()
    }
    for (id, row) in changes.history { memory.history.replace({ $0.id == id }, with: row) }
    memory.history.sort { $0.id < $1.id }
    memory.simulated = changes.simulated ?? memory.simulated
    for (key, row) in changes.scheduled { memory.scheduled.replace({ $0.key == key }, with: row) }
    for (id, row) in changes.notices { memory.notices.replace({ $0.id == id }, with: row) }
    memory.refreshes = changes.refreshes ?? memory.refreshes
    for (id, row) in changes.fetches { memory.fetches.replace({ $0.app == id }, with: row) }
    memory.habits = changes.habits ?? memory.habits
    memory.budget = changes.budget ?? memory.budget
    for (id, row) in changes.requests { memory.requests.replace({ $0.id == id }, with: row) }
    for (number, row) in changes.decisions { memory.decisions.replace({ $0.number == number }, with: row) }
    for (id, change) in changes.transfers { commit(id, change) }
  }

  private mutating func commit(_ id: TransferID, _ change: Changes.TransferChange) {
    switch change {
    case .added(let record): memory.transfers.append(record)
    case .revised(let record): memory.transfers.replace({ $0.id == id }, with: record)
    case .removed: memory.transfers.removeAll { $0.id == id }
    case .changed(let state):
      if let place = memory.transfers.firstIndex(where: { $0.id == id }) { memory.transfers[place].state = state }
    }
  }
}

extension Array {
  fileprivate mutating func replace(_ isIt: (Element) -> Bool, with row: Element?) {
    removeAll(where: isIt)
    if let row { append(row) }
  }
}

// Words that many tests share.

let farm = AppID("dev.example.Farm")
let other = AppID("dev.example.Other")
let otherApp = InstalledApp(
  id: other, displayName: "Other", kind: .bundle(path: "/apps/Other.app", executable: "/apps/Other.app/Other"))
let farmApp = InstalledApp(
  id: farm, displayName: "Farm", kind: .bundle(path: "/Farm.app", executable: "/Farm.app/Farm"))
let tool = AppID("tool")
let oneFile = StagedFile(path: "/staging/1", stamp: FileStamp(size: 10, modified: 1, inode: 1))
let ok = Response(url: "https://a.example/1", status: 200, headers: [])
let lost = TransferFailure(.connectionLost, "it broke")

extension TransferRequest {
  static func made(
    _ number: UInt64, app: AppID = farm, session: String? = "main", host: String = "a.example", task: Int? = nil,
    body: Int = 0
  ) -> TransferRequest {
    TransferRequest(
      key: RequestKey(high: 7, low: number), app: app, session: session, task: session == nil ? 0 : task ?? Int(number),
      url: "https://\(host)/\(number)", body: Array(repeating: 7, count: body))
  }
}

extension Bench {
  /// The app is installed and runs in the foreground, attached, with its session open.
  static func withRunningApp(limits: Limits = Limits()) -> (Bench, Client) {
    var bench = Bench(limits: limits)
    let client = Client(farm)
    bench.send(.installed(farmApp, nil))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: client.pid)))
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    return (bench, client)
  }

  /// The app has queued so many tasks and is gone; their attempts run.
  static func withTasksOfEndedApp(_ count: UInt64 = 1, sendsLaunchEvents: Bool = true) -> Bench {
    var (bench, client) = withRunningApp()
    bench.ask(.openSession("main", sendsLaunchEvents: sendsLaunchEvents), as: client)
    for number in 1...count { bench.ask(.enqueue(.made(number), isSuspended: false), as: client) }
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    return bench
  }

  /// The app has been launched into the background for its next life, and is attached.
  mutating func attachInBackground(life: Int, connection: UInt64) -> Client {
    let client = Client(farm, pid: Int32(100 + life), connection: connection)
    send(.app(farm, life: life, .launched(pid: client.pid)))
    attach(client)
    return client
  }

  mutating func finish(_ id: Int64, attempt: Int = 1) {
    send(.transfer(TransferID(id), attempt: attempt, .finished(ok, oneFile)))
  }
}

extension [Deed] {
  var launches: [LaunchOrder] { compactMap { if case .launch(let order) = $0 { order } else { nil } } }
  var starts: [TransferOrder] { compactMap { if case .start(let order) = $0 { order } else { nil } } }
  var messages: [Message] { compactMap { if case .tell(_, let message) = $0 { message } else { nil } } }
  var deliveries: [DeliveryOrder] { compactMap { if case .deliver(let order) = $0 { order } else { nil } } }
  var tasksTold: [Int] { messages.compactMap { if case .ended(let ended) = $0 { ended.task } else { nil } } }
  var notes: [String] { compactMap { if case .note(_, let text) = $0 { text } else { nil } } }
  /// Apps that are told to stand still, and to run on.
  var suspensions: [AppID] { compactMap { if case .suspend(let app, _, _) = $0 { app } else { nil } } }
  var thaws: [AppID] { compactMap { if case .thaw(let app, _) = $0 { app } else { nil } } }
  /// Lives that are ended, and whether politely.
  var ends: [Bool] { compactMap { if case .end(_, _, let politely) = $0 { politely } else { nil } } }
}

extension Bench {
  /// A transfer of the command line, with or without a destination.
  mutating func queue(
    _ number: UInt64, method: String = "GET", to path: String? = nil, timeout: Duration? = nil
  ) {
    var request = TransferRequest.made(number, app: .commandLine, session: nil)
    request.method = method
    request.destination = path.map { Destination(path: $0) }
    request.resourceTimeout = timeout
    order(.enqueue(request))
  }

  func phase(_ id: Int64) -> TransferState.Phase? {
    rows.memory.transfers.first { $0.id == TransferID(id) }?.state.phase
  }

  func failure(_ id: Int64) -> TransferFailure.Code? { view(TransferID(id))?.failure?.code }
}
