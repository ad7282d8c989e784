import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The energy of a fetch` {
  private let alone = Radio.lte.joules(apart: 2, received: 100_000, sent: 10_000)
  private let joined = Radio.lte.joules(joining: 2, received: 100_000, sent: 10_000)

  @Test func `is the whole of what the radio takes, if it is alone`() {
    var bench = Bench.onBattery(apps: 1)

    let cost = bench.fetch(1)

    #expect((cost - alone).magnitude < 1e-6)
  }

  @Test func `is less for three that begin together, by the promotions, the tails and the time that they share`() {
    var (together, apart) = (Bench.onBattery(apps: 3), Bench.onBattery(apps: 3))
    let before = together.joulesLeft

    let begun = (1...3).map { together.begin($0) }
    together.pass(.seconds(2))
    for fetch in begun { together.end(fetch) }
    for number in 1...3 {
      apart.fetch(number)
      apart.pass(.seconds(100))
    }

    let shared = 2 * (Radio.lte.promotion.joules + Radio.lte.tailJoules() + 2 * Radio.lte.wattsActive)
    #expect((apart.joules - 3 * alone).magnitude < 1e-6)
    #expect((apart.joules - together.joules - shared).magnitude < 1e-6)
    #expect((before - together.joulesLeft - together.joules).magnitude < 0.1)  // A little has come in meanwhile.
  }

  @Test func `is none for a night in which the device sleeps, nor for minutes in which a debugger holds the app`() {
    var (sleeping, traced) = (Bench.onBattery(apps: 1), Bench.onBattery(apps: 1))

    let overnight = sleeping.begin(1)
    sleeping.sleep(.hours(10))
    sleeping.pass(.seconds(2))
    sleeping.end(overnight)
    let held = traced.begin(1)
    traced.tracer = 77
    traced.pass(.minutes(10))
    traced.tracer = nil
    traced.pass(.seconds(2))
    traced.end(held)

    let most = Radio.lte.joules(apart: 30, received: 100_000, sent: 10_000)  // That it is free is noticed later.
    #expect((sleeping.joules - alone).magnitude < 1e-6)
    #expect(traced.joules >= alone && traced.joules <= most)
    #expect(sleeping.rows.memory.fetches.first?.cost.wall == .seconds(2))
  }

  @Test func `is no promotion within another's tail, and of that tail what is over`() {
    var bench = Bench.onBattery(apps: 2)
    bench.fetch(1)
    bench.pass(.seconds(5))

    let cost = bench.fetch(2)

    #expect((cost - joined - Radio.lte.tailJoules(first: 5)).magnitude < 1e-6)
  }

  @Test func `is the same for two together, whichever ends first`() {
    var bench = Bench.onBattery(apps: 2)
    let first = bench.begin(1)
    bench.pass(.seconds(10))

    bench.fetch(2)
    bench.pass(.seconds(3))
    bench.end(first)

    let both = Radio.lte.joules(apart: 15, received: 200_000, sent: 20_000)
    #expect((bench.joules - both).magnitude < 1e-6)
  }

  @Test func `is no promotion while the traffic of a person has left the radio up`() {
    var bench = Bench.onBattery(apps: 2)
    bench.order(.launch(Bench.app(1).id, arguments: []))
    bench.pass(.seconds(5))

    let cost = bench.fetch(2)

    #expect((cost - joined - Radio.lte.tailJoules(first: 3)).magnitude < 1e-6)
  }

  @Test(arguments: [true, false])
  func `is no promotion and no tail beside a transfer, unless nothing is heard of that`(isHeard: Bool) {
    var bench = Bench.onBattery(apps: 1)
    bench.queue(1)
    bench.pass(.seconds(20))
    if isHeard { bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 8_000_000, expected: nil))) }

    let cost = bench.fetch(1)

    #expect((cost - (isHeard ? joined : alone)).magnitude < 1e-6)
  }

  @Test(arguments: [Conditions.Network.cellular, .unmetered])
  func `is that of the network with which the app was told, and so are its bytes, whichever it ends with`(
    network: Conditions.Network
  ) {
    var bench = Bench.onBattery(apps: 1)
    bench.senseBattery(on: network)
    let before = bench.bytesLeft
    let begun = bench.begin(1)
    bench.pass(.seconds(2))

    bench.senseBattery(on: network == .cellular ? .unmetered : .cellular)
    bench.end(begun)

    let radio = network == .cellular ? Radio.lte : .wifi
    let whole = radio.joules(apart: 2, received: 100_000, sent: 10_000)
    #expect((bench.joules - whole).magnitude < 1e-6)
    let bytes = before - bench.bytesLeft
    #expect((bytes > 100_000) == (network == .cellular))
  }

  @Test func `is the whole for the first of a new daemon, which knows of no other`() {
    var bench = Bench.onBattery(apps: 2)
    bench.fetch(1)

    bench.restart()
    bench.senseBattery()
    let cost = bench.fetch(2)

    #expect((cost - alone).magnitude < 1e-6)
  }
}

/// An app that was told of a fetch.
private struct Begun {
  let client: Client
  let errand: Int64
}

extension Bench {
  /// Apps that do not run and may be refreshed, on a device that has a battery and a mobile network.
  fileprivate static func onBattery(apps count: Int) -> Bench {
    var bench = Bench()
    bench.senseBattery()
    for number in 1...count { bench.send(.installed(app(number), nil)) }
    return bench
  }

  fileprivate mutating func senseBattery(on network: Conditions.Network = .cellular) {
    send(.sensed(Conditions(network: network, power: .battery, battery: 80)))
  }

  fileprivate static func app(_ number: Int) -> InstalledApp {
    let path = "/apps/\(number).app"
    var app = InstalledApp(
      id: AppID("dev.example.app\(number)"), displayName: "App \(number)",
      kind: .bundle(path: path, executable: path + "/app"))
    app.modes = ["fetch"]
    return app
  }

  /// A person asks for a fetch of an app, which is launched and told.
  fileprivate mutating func begin(_ number: Int) -> Begun {
    let client = Client(Self.app(number).id, pid: Int32(100 + number), connection: UInt64(number))
    order(.fetchNow(client.app, request: nil))
    send(.app(client.app, life: 1, .launched(pid: client.pid)))
    attach(client)
    var errand: Int64 = 0
    for case .performFetch(let number, _) in deeds.messages { errand = number }
    send(.app(client.app, life: 1, .metered(errand: errand, cpu: nil, received: 0, sent: 0)))
    return Begun(client: client, errand: errand)
  }

  /// It has moved 100 kB down and 10 kB up.
  fileprivate mutating func end(_ fetch: Begun) {
    ask(.finishFetch(fetch.errand, .newData), as: fetch.client)
    stand()
    let read = AppFact.metered(errand: fetch.errand, cpu: nil, received: 100_000, sent: 10_000)
    send(.app(fetch.client.app, life: 1, read))
  }

  /// A fetch of two seconds; what it has cost.
  @discardableResult
  fileprivate mutating func fetch(_ number: Int) -> Double {
    let begun = begin(number)
    pass(.seconds(2))
    end(begun)
    return rows.memory.fetches.first { $0.app == begun.client.app }?.cost.joules ?? .infinity
  }

  /// What all fetches have cost.
  fileprivate var joules: Double { rows.memory.fetches.reduce(0) { $0 + $1.cost.joules } }

  /// What is left of what fetches may take from the battery.
  fileprivate var joulesLeft: Double {
    mutating get { order(.listFetches(nil))?.fetches?.budget.joules.left ?? .nan }
  }

  /// What is left of what fetches may move over networks that cost money.
  fileprivate var bytesLeft: Double {
    mutating get { order(.listFetches(nil))?.fetches?.budget.bytes.left ?? .nan }
  }
}
