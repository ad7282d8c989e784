public import NightjarCore
public import NightjarModel

/// A made-up world around one supervisor: its disk, engine, launcher, apps, people and clocks, all driven by one seed.
///
/// Nothing here waits or reads a clock: time jumps from one happening to the next. After every turn the world checks
/// what must always hold, and keeps what does not in ``failures``. The same seed and calls give the same turns in
/// every process, which ``digest`` shows.
///
///     var world = World(seed: 7, faults: .harsh)
///     world.enqueue(50, within: .hours(6))
///     world.run(for: .days(1))
///     world.faults = .none
///     world.comeToRest()
public struct World: Sendable {
  /// The seed of all randomness in this world.
  public let seed: UInt64
  /// What may go wrong from now on.
  public var faults: Faults
  /// Broken promises, each with its seed and turn; empty if there are none. At most 20 are kept.
  public internal(set) var failures: [String] = []
  /// Turns taken so far.
  public internal(set) var turns = 0
  /// Whether the turn has a single event.
  var isLone = true
  /// The fingerprint of all turns so far.
  public internal(set) var digest = Digest()
  /// The requests whose end the apps have been told, each once, with how often.
  public internal(set) var heard: [RequestKey: Int] = [:]
  /// Requests that were queued and rightfully withdrawn before their end was told, with the reason.
  public internal(set) var abandoned: [RequestKey: String] = [:]
  /// Whether ``journal`` is kept.
  public var keepsJournal = false
  /// What the daemon noted, with the world's milliseconds, while ``keepsJournal`` is set.
  public internal(set) var journal: [String] = []

  var dice: Dice
  var device: Device
  var schedule = Schedule()
  var disk = Disk()
  var watch = Watch()
  let limits: Limits

  // The daemon: nil while it is dead. Happenings of one daemon carry its number.
  var supervisor: Supervisor?
  var daemon = 0
  var mailbox: [Event] = []
  var isDraining = false
  var hasStarted = false
  /// The turn that cannot be committed just now.
  var standstill: Standstill?
  /// When the current turn was taken, on both of the world's clocks: earlier than now if it had to wait.
  var taken = Standstill.Time()
  var notices = NoticeWatch()
  /// The zone rules where the device is.
  var rules = ZoneRules.utc
  /// Whether the wall clock was ever set back.
  var wasSetBack = false
  /// The latest time on the wall clock that this daemon has seen.
  var wallMax = Timestamp(seconds: 0)
  var alarm = 0
  var alarmedAt: Int64?
  var tickets: [UInt64: Inquiry] = [:]
  var ticketLast: UInt64 = 0

  // The world outside.
  var engine = Engine()
  var sensed = Conditions()
  /// How many apps have to end until there is enough memory.
  var memoryLack = 0
  var isOnline: Bool { sensed.isOnline }
  var apps: [AppID: Household] = [:]
  var processes: [Process] = []
  var pidLast: Int32 = 100
  var endedEarly: [AppID: Int] = [:]
  var connections: [ConnectionID: Connection] = [:]
  var connectionLast: UInt64 = 0

  /// Creates a world with a daemon that has just started on an empty disk.
  public init(seed: UInt64, faults: Faults = .none, limits: Limits? = nil) {
    (self.seed, self.faults) = (seed, faults)
    dice = Dice(seed: seed)
    device = Device(&dice)
    self.limits = limits ?? Self.narrowLimits
    if seed % 5 == 0 { disk.budget = Self.dearBudget }
    settle()
    startDaemon()
    plan(.peopleLooked, in: 600_000)
    plan(.networkLooked, in: 900_000)
    plan(.deviceLooked, in: 3_600_000)
    plan(.memoryLooked, in: 1_200_000)
  }

  /// Has apps' users ask for this number of downloads and uploads, at random moments within a span from now.
  public mutating func enqueue(_ count: Int, within span: Duration) {
    let names = apps.keys.sorted()
    for _ in 0..<count { plan(.wished(dice.pick(names)), in: dice.draw(0...max(span.wholeMilliseconds, 1))) }
    watch.wishes += count
  }

  /// Lets time pass.
  public mutating func run(for span: Duration) {
    let end = device.now + span.wholeMilliseconds
    while let next = schedule.next, next <= end, failures.count < 20 {
      guard let (at, happening) = schedule.pop() else { break }
      device.now = max(device.now, at)
      take(happening)
    }
    device.now = max(device.now, end)
    checkHunger()
  }

  /// Ends all faults, has people repair what they can, waits until nothing is left to do, and checks that everything
  /// ever accepted has been told or is accounted for.
  public mutating func comeToRest() {
    faults = .none
    run(for: .hours(2))
    watch.kills = 0  // Apps that hung until now may have been killed.
    putRight()
    run(for: .hours(1))
    order(.leave)
    run(for: .days(16))
    putRight()
    visitAll()
    reachAppointments()
    run(for: .hours(12))
    visitAll()
    checkRest()
  }

  mutating func plan(_ happening: Happening, in span: Int64) { schedule.plan(happening, at: device.now + span) }

  mutating func log(_ text: @autoclosure () -> String) {
    if keepsJournal { journal.append("\(device.now) turn \(turns): \(text())") }
  }

  mutating func fail(_ text: String) {
    guard failures.count < 20 else { return }
    failures.append("seed \(seed), turn \(turns): \(text)")
  }

  private mutating func take(_ happening: Happening) {
    switch happening {
    case .drained(let number): if number == daemon { drain() }
    case .wentOn(let number): if number == daemon { goOn() }
    case .alarmed(let number, let alarm): if number == daemon, alarm == self.alarm { ring() }
    case .revived: if supervisor == nil { startDaemon() }
    case .engineStepped(let id, let attempt, let number): if number == daemon { step(id, attempt) }
    case .engineStopped(let id, let attempt, let number):
      if number == daemon { report(.transfer(id, attempt: attempt, .stopped)) }
    case .delivered(let order, let number): if number == daemon { finish(order) }
    case .reported(let event, let number): if number == daemon { post(event) }
    case .launched(let order, let number): bringUp(order, for: number)
    case .stood(let app, let life, let stint, let number): if number == daemon { stand(app, life: life, stint: stint) }
    case .exited(let pid, true): if !holds(happening, pid) { exit(pid, isCrash: true) }
    case .exited(let pid, false): exit(pid, isCrash: false)
    case .stepped(let pid, let step): if !holds(happening, pid) { take(step, of: pid) }
    case .received(let connection, let letter):
      if !holds(happening, connections[connection]?.pid) { receive(letter, on: connection) }
    case .called(let connection, let call): forward(call, from: connection)
    case .hungUp(let connection): hangUp(connection)
    case .attached(let connection): forwardAttachment(of: connection)
    case .wished(let app): wish(app)
    case .peopleLooked: lookAtPeople()
    case .networkLooked: lookAtNetwork()
    case .deviceLooked: lookAtDevice()
    case .networkReturned: sense(Conditions())
    case .memoryLooked: lookAtMemory()
    }
  }

  /// A budget so small that no fetch is worth its cost for weeks: apps are refreshed only so that they do not starve.
  private static var dearBudget: FetchBudget {
    let accounts = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, left: 7, price: 9) }
    return FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
  }

  /// Bounds so low that a small world reaches them.
  private static var narrowLimits: Limits {
    var limits = Limits()
    (limits.runningMax, limits.runningPerHostMax, limits.tellsInFlightMax) = (5, 2, 3)
    (limits.stagedBytesPerAppMax, limits.launchesPerAppMax, limits.launchInterval) = (25_000, 5, .minutes(10))
    (limits.remnantsPerAppMax, limits.historyPerAppMax) = (3, 12)
    return limits
  }

  /// Fills the world: two or three apps and a program or two.
  private mutating func settle() {
    let count = 1 + dice.below(3)
    for number in 1...count {
      house("app\(number)", .bundle(path: "/apps/\(number).app", executable: "/apps/\(number)"))
    }
    if dice.falls(500) { house("relaunched", .program(relaunch: ["relaunched", "--background"])) }
    if dice.falls(300) { house("program", .program(relaunch: [])) }
  }

  private mutating func house(_ name: String, _ kind: InstalledApp.Kind) {
    var app = InstalledApp(id: AppID(name), displayName: name, kind: kind)
    if case .bundle = kind, dice.falls(600) { app.modes = ["fetch", "processing"] }
    apps[app.id] = Household(installed: app, dice: &dice)
  }
}
