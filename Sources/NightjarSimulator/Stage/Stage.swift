public import NightjarCore
public import NightjarModel

/// A device with the daemon's supervisor, in virtual time and without faults: the launcher launches, the freezer
/// freezes, every commit succeeds.
///
/// Its owner plays the apps and the person: posts facts with ``post(_:)``, takes ``Cue``s, and moves the time with
/// ``pass(until:)``. That is how a scenario's made-up apps are played, and an app's real delegate in `NightjarTesting`.
public struct Stage: Sendable {
  /// Something that concerns the player of the apps. Cases with large values are indirect.
  public enum Cue: Sendable {
    /// An app's process was started: it has to attach with ``Stage/attach(_:)``.
    case launched(AppID, isBackground: Bool)
    /// An app was told something.
    indirect case told(AppID, Message)
    /// The answer to an app's attempt to attach.
    indirect case attached(AppID, Answer)
    /// A call was answered.
    indirect case answered(Ticket, Answer)
    /// An app's processes were frozen, or run again.
    case suspended(AppID)
    case thawed(AppID)
    /// An app was asked to end: its process goes with ``Stage/exit(_:)``, and is killed after its time.
    case ending(AppID)
    /// An app's process is gone.
    case ended(AppID)
    /// What an app shows was kept as its snapshot.
    case photographed(AppID)
    /// A notification was shown.
    indirect case shown(Banner)
    /// An attempt at a transfer begins.
    indirect case begun(TransferOrder)
    /// Its request has reached the server, which answers with ``Stage/answer(_:attempt:with:)`` or fails with
    /// ``Stage/fail(_:attempt:_:retryAfter:)``.
    indirect case requested(TransferOrder)
    /// The whole answer has arrived: it is stored with ``Stage/finish(_:attempt:_:_:)``.
    case arrived(TransferID, attempt: Int)
    /// A transfer was forgotten: its file is no longer needed.
    case discarded(TransferID)
    /// A transfer is over; the cue may come again.
    indirect case transferEnded(TransferID, Outcome)
    /// A note in an app's log, or in the daemon's.
    case noted(AppID?, String)
  }

  /// The true time, in milliseconds since 1970.
  public private(set) var now: Int64
  /// The cues that were not taken yet, in order.
  public internal(set) var cues: [Cue] = []
  /// The fingerprint of all turns so far.
  public private(set) var digest = Digest()
  /// The decisions to fetch, by number, as in the supervisor's log.
  public private(set) var decisions: [Int64: FetchDecision] = [:]
  /// The number of the latest of them, for each app.
  public private(set) var latestDecision: [AppID: Int64] = [:]
  /// Turns taken so far.
  public private(set) var turns = 0
  /// Whether the device sleeps: its clocks go on, except the one that counts the time awake, and the supervisor is not
  /// woken.
  public var isAsleep = false

  var supervisor: Supervisor
  var moves = Moves()
  private var dice: Dice
  private let bootedAt: Int64
  private var slept: Int64 = 0
  private var inbox: [Event] = []
  private var isTakingTurns = false
  /// The current turn; empty in between, with its storage kept for the next.
  private var turn = Turn()
  private var processes: [AppID: Process] = [:]
  private var attaching: [Ticket: AppID] = [:]
  private var appOfConnection: [ConnectionID: AppID] = [:]
  private var given: (pid: Int32, connection: UInt64, ticket: UInt64, measurement: Int64) = (100, 0, 0, 0)

  private struct Process: Sendable {
    var life: Int
    var pid: Int32
    var connection: ConnectionID?
    /// Bytes received over its own connections.
    var received: Int64 = 0
    var sent: Int64 = 0
  }

  /// A device that was started at a time, with these apps installed.
  public init(
    apps: [InstalledApp], at now: Int64, rules: ZoneRules = .utc, conditions: Conditions = Conditions(), seed: UInt64,
    limits: Limits = Limits()
  ) {
    (self.now, bootedAt, dice) = (now, now - 60_000, Dice(seed: seed))
    let moment = Moment(
      wall: Timestamp(milliseconds: now), boot: .seconds(60), awake: .seconds(60), bootID: BootID("stage"))
    supervisor = Supervisor(Memory(), limits: limits, at: moment)
    post(apps.map { .installed($0, nil) } + [.sensed(conditions), .located(rules), .started])
  }

  /// The clocks as they stand.
  public var moment: Moment {
    let boot = now - bootedAt
    return Moment(
      wall: Timestamp(milliseconds: now), boot: .milliseconds(boot), awake: .milliseconds(boot - slept),
      bootID: BootID("stage"))
  }

  /// When the supervisor has to be woken, in milliseconds since 1970; nil while it waits for nothing, or the device
  /// sleeps.
  public var nextLook: Int64? {
    mutating get { nextLook(notAfter: nil) }
  }

  /// The next look, if it is not after a time.
  private mutating func nextLook(notAfter limit: Int64?) -> Int64? {
    let bound = limit.map { Duration.milliseconds($0 - bootedAt) }
    guard !isAsleep, let boot = supervisor.nextLook(notAfter: bound) else { return nil }
    let floor = boot.wholeMilliseconds
    return max(bootedAt + (Duration.milliseconds(floor) < boot ? floor + 1 : floor), now)
  }

  /// Lets the time pass up to a moment, but not beyond ``nextLook``, at which the supervisor is woken, nor beyond the
  /// next event of a transfer.
  public mutating func pass(until time: Int64) {
    precondition(time >= now, "time runs forward")
    let look = nextLook(notAfter: time)
    let end = min(time, look ?? time, nextMove ?? time)
    if isAsleep { slept += end - now }
    now = end
    if look == end { post([.awoke]) }
    moveOn()
  }

  /// Posts facts, and carries out everything that follows from them.
  public mutating func post(_ events: [Event]) {
    inbox += events
    guard !isTakingTurns else { return }
    isTakingTurns = true
    while !inbox.isEmpty { takeTurn() }
    isTakingTurns = false
  }

  /// Takes the cues that have come.
  public mutating func takeCues() -> [Cue] {
    defer { if !cues.isEmpty { cues.removeAll(keepingCapacity: true) } }
    return cues
  }

  // MARK: Clients

  /// Attaches an app's process, if it has one; ``Cue/attached(_:_:)`` brings the answer.
  public mutating func attach(_ app: AppID) {
    guard var process = processes[app] else { return }
    given.connection += 1
    let connection = ConnectionID(given.connection)
    process.connection = connection
    (processes[app], appOfConnection[connection]) = (process, app)
    let ticket = newTicket()
    attaching[ticket] = app
    post([.attached(Attachment(connection: connection, caller: Caller(app: app, pid: process.pid)), ticket)])
  }

  /// Makes a call of an app; nil if it does not run.
  @discardableResult
  public mutating func ask(_ call: AppCall, by app: AppID) -> Ticket? {
    guard let process = processes[app] else { return nil }
    let ticket = newTicket()
    post([.called(call, by: Caller(app: app, pid: process.pid), ticket)])
    return ticket
  }

  /// Notes bytes that an app has moved over its own connections: they count among the cost of its fetch.
  public mutating func move(received: Int64, sent: Int64 = 0, by app: AppID) {
    processes[app]?.received += received
    processes[app]?.sent += sent
  }

  /// Makes a call of the person.
  @discardableResult
  public mutating func order(_ call: ControlCall) -> Ticket {
    let ticket = newTicket()
    post([.ordered(call, ticket)])
    return ticket
  }

  /// Ends an app's process by itself, as after it was asked to end and has finished its work.
  public mutating func exit(_ app: AppID) { post(remove(app, status: "exited 0")) }

  /// Whether an app has a process.
  public func runs(_ app: AppID) -> Bool { processes[app] != nil }

  private mutating func newTicket() -> Ticket {
    given.ticket += 1
    return Ticket(given.ticket)
  }

  // MARK: Turns

  private mutating func takeTurn() {
    let moment = moment
    for event in inbox { supervisor.handle(event, at: moment, entropy: dice.next(), into: &turn) }
    inbox.removeAll(keepingCapacity: true)
    turns += 1
    digest.fold(turn)
    noteDecisions()
    noteEnds(turn.changes)
    for deed in turn.deeds { perform(deed) }
    turn.clear()
  }

  private mutating func noteDecisions() {
    for number in turn.touchedDecisions {
      guard let decision = turn.changes.decisions[number] ?? nil, decision.verdict != .waits else { continue }
      decisions[number] = decision
      latestDecision[decision.app] = max(latestDecision[decision.app] ?? 0, number)
    }
  }

  private mutating func perform(_ deed: Deed) {
    switch deed {
    case .answer(let ticket, let answer):
      cues.append(attaching.removeValue(forKey: ticket).map { .attached($0, answer) } ?? .answered(ticket, answer))
    case .tell(let connection, let message):
      if let app = appOfConnection[connection] { cues.append(.told(app, message)) }
    case .launch(let order): launch(order)
    case .suspend(let app, let life, let stint):
      cues.append(.suspended(app))
      inbox.append(.app(app, life: life, .suspended(stint: stint, true)))
    case .thaw(let app, _): cues.append(.thawed(app))
    case .inspect(let app, let life): inbox.append(.app(app, life: life, .inspected(tracer: nil)))
    case .end(let app, let life, let politely): end(app, life, politely: politely)
    case .keepSnapshot(let app): cues.append(.photographed(app))
    case .show(let banner):
      cues.append(.shown(banner))
      inbox.append(.shown(banner.id))
    case .note(let app, let words): cues.append(.noted(app, words))
    case .start(let order):
      cues.append(.begun(order))
      inbox += moves.begin(order, at: awake)
    case .stop(let id, let attempt): inbox += moves.stop(id, attempt: attempt, at: awake)
    case .discard(let id):
      moves.discard(id)
      cues.append(.discarded(id))
    case .meter(let app, let life, let errand): measure(app, life, errand)
    case .dismiss, .measure, .uninstall, .deliver, .dropView, .forgetLooks, .retract, .restore: break
    }
  }

  private mutating func measure(_ app: AppID, _ life: Int, _ errand: Int64) {
    given.measurement += 1  // A tenth of a second of processor time between one measurement and the next.
    let (received, sent) = processes[app].map { ($0.received, $0.sent) } ?? (0, 0)
    inbox.append(
      .app(
        app, life: life,
        .metered(errand: errand, cpu: .milliseconds(100 * given.measurement), received: received, sent: sent)))
  }

  private mutating func launch(_ order: LaunchOrder) {
    given.pid += 1
    processes[order.app.id] = Process(life: order.life, pid: given.pid)
    cues.append(.launched(order.app.id, isBackground: order.isBackground))
    inbox.append(.app(order.app.id, life: order.life, .launched(pid: given.pid)))
  }

  private mutating func end(_ app: AppID, _ life: Int, politely: Bool) {
    guard processes[app]?.life == life else { return }
    if politely { cues.append(.ending(app)) } else { inbox += remove(app, status: "was killed by signal 9") }
  }

  /// Removes a process; returns the events that report it.
  private mutating func remove(_ app: AppID, status: String) -> [Event] {
    guard let process = processes.removeValue(forKey: app) else { return [] }
    cues.append(.ended(app))
    let exited = Event.app(app, life: process.life, .exited(status: status, isCrash: false))
    guard let connection = process.connection else { return [exited] }
    appOfConnection[connection] = nil
    return [.detached(connection), exited]
  }
}
