import NightjarModel
import Testing

@testable import NightjarCore

extension Bench {
  /// Queues a transfer of the command line with options.
  fileprivate mutating func queue(
    _ number: UInt64, host: String = "a.example", _ arrange: (inout TransferOptions) -> Void
  ) {
    var request = TransferRequest.made(number, app: .commandLine, session: nil, host: host)
    request.resourceTimeout = .days(7)
    arrange(&request.options)
    order(.enqueue(request))
  }

  fileprivate func verdict(_ id: Int64) -> Verdict? { view(TransferID(id))?.verdict }

  fileprivate mutating func simulate(
    network: Conditions.Network? = nil, isConstrained: Bool? = nil, power: Conditions.Power? = nil
  ) -> [Deed] {
    order(.simulate(SimulatedConditions(network: network, isConstrained: isConstrained, power: power)))
    return deeds
  }
}

@Suite struct `The conditions` {
  @Test(arguments: [
    (Conditions(network: .none), Lack.network), (Conditions(network: .cellular), .otherThanCellular),
    (Conditions(network: .metered), .inexpensive), (Conditions(isConstrained: true), .unconstrained),
  ])
  func `let no transfer run that may not use such a network`(conditions: Conditions, lack: Lack) {
    var bench = Bench()
    bench.send(.sensed(conditions))

    bench.queue(1) { ($0.allowsCellular, $0.allowsExpensive, $0.allowsConstrained) = (false, false, false) }
    let started = bench.deeds.starts
    let verdict = bench.verdict(1)
    bench.send(.sensed(Conditions()))

    #expect(started.isEmpty)
    #expect(verdict == .waits(.lacks(lack, isSimulated: false), atMost: nil))
    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
  }

  @Test func `let an ordinary transfer run on any network, and on the battery`() {
    var bench = Bench()
    bench.send(.sensed(Conditions(network: .cellular, isConstrained: true, power: .battery)))

    bench.queue(1)

    #expect(bench.deeds.starts.count == 1)
  }

  @Test func `hold a discretionary transfer for an unmetered network and for power, in a lane or under way`() {
    var bench = Bench()
    bench.queue(1) { $0.isDiscretionary = true }
    let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)

    let onBattery = bench.send(.sensed(Conditions(power: .battery)))
    let reported = bench.send(
      .transfer(TransferID(1), attempt: 1, .checkpointed(point)), .transfer(TransferID(1), attempt: 1, .stopped))
    let waiting = bench.verdict(1)
    let onHotspot = bench.send(.sensed(Conditions(network: .metered)))
    let plugged = bench.send(.sensed(Conditions()))

    #expect(onBattery == [.stop(TransferID(1), attempt: 1)])
    #expect(reported.isEmpty)
    #expect(waiting == .waits(.lacks(.externalPower(.asked), isSimulated: false), atMost: nil))
    #expect(onHotspot.isEmpty)
    #expect(plugged.starts.map(\.resume) == [point])
  }

  @Test(arguments: [
    (Conditions(isLowPower: true), Lack.fullPower(.asked)), (Conditions(battery: 19), .charge(.asked, percentMin: 20)),
    (Conditions(network: .metered, isLowPower: true), .unmetered(.asked)),
    (Conditions(power: .battery, battery: 5), .externalPower(.asked)),
    (Conditions(power: .battery, isLowPower: true), .fullPower(.asked)),
  ])
  func `hold a discretionary transfer for want of power, and say what is missing first`(now: Conditions, lack: Lack) {
    var bench = Bench()
    bench.queue(1) { $0.isDiscretionary = true }
    bench.queue(2)

    let short = bench.send(.sensed(now))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    let verdict = bench.verdict(1)
    let enough = bench.send(.sensed(Conditions(battery: 20)))

    #expect(short == [.stop(TransferID(1), attempt: 1)])
    #expect(verdict == .waits(.lacks(lack, isSimulated: false), atMost: nil))
    #expect(enough.starts.map(\.attempt) == [2])
  }

  @Test(arguments: [
    Conditions(battery: 3, isCharging: true), Conditions(battery: 20), Conditions(isLocked: true),
    Conditions(isAsleep: true),
  ])
  func `hold no transfer for a battery that is charging or full enough, nor for a locked screen`(now: Conditions) {
    var bench = Bench()
    bench.send(.sensed(now))

    bench.queue(1) { $0.isDiscretionary = true }

    #expect(bench.deeds.starts.count == 1)
  }

  @Test func `of power can be simulated each by itself, and a verdict says what is`() {
    var bench = Bench()
    bench.send(.sensed(Conditions(battery: 80, isCharging: true)))
    bench.queue(1) { $0.isDiscretionary = true }

    bench.order(.simulate(SimulatedConditions(battery: 15)))
    let charging = bench.deeds
    bench.order(.simulate(SimulatedConditions(isCharging: false, isLocked: true)))
    let draining = bench.deeds
    let device = bench.supervisor.device

    #expect(!charging.contains(.stop(TransferID(1), attempt: 1)))
    #expect(draining.contains(.stop(TransferID(1), attempt: 1)))
    #expect(bench.verdict(1) == .waits(.lacks(.charge(.asked, percentMin: 20), isSimulated: true), atMost: nil))
    #expect(device.conditions == Conditions(battery: 15, isLocked: true))
  }

  @Test(arguments: [-1, 101]) func `refuse a battery that is not in percent`(percent: Int) {
    var bench = Bench()

    let answer = bench.order(.simulate(SimulatedConditions(battery: percent)))

    #expect(answer == .refused(.invalid(field: "battery", reason: "it is in percent, from 0 to 100")))
    #expect(bench.supervisor.device.simulated == .none)
  }

  @Test(arguments: [
    (Conditions(network: .cellular), TransferFailure.ForbiddenNetwork.cellular as TransferFailure.ForbiddenNetwork?),
    (Conditions(network: .metered), .expensive), (Conditions(isConstrained: true), .constrained),
    (Conditions(network: .none, isConstrained: true), nil), (Conditions(), nil),
  ])
  func `are named by the failure of a transfer that waited in vain for a network that it may use`(
    now: Conditions, forbidden: TransferFailure.ForbiddenNetwork?
  ) {
    var bench = Bench()
    bench.send(.sensed(now))
    bench.queue(1) { ($0.allowsCellular, $0.allowsExpensive, $0.allowsConstrained) = (false, false, false) }

    bench.pass(.days(8))

    let failure = bench.view(TransferID(1))?.failure
    #expect(failure?.code == .resourceTimedOut && failure?.forbidden == forbidden)
  }

  @Test func `stop nothing that may go on`() {
    var bench = Bench()
    bench.queue(1)
    bench.queue(2) { $0.allowsCellular = false }

    let deeds = bench.send(.sensed(Conditions(network: .cellular)))

    #expect(deeds == [.stop(TransferID(2), attempt: 1)])
  }

  @Test func `concern this machine's servers only as far as somebody simulates them, and power all`() {
    var bench = Bench()
    bench.send(.sensed(Conditions(network: .cellular, isConstrained: true)))

    bench.queue(1, host: "localhost:8080") { ($0.isDiscretionary, $0.allowsConstrained) = (true, false) }
    let sensed = bench.deeds.starts
    let simulated = bench.simulate(network: .cellular)
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    let verdict = bench.verdict(1)
    bench.order(.endSimulation)
    let reset = bench.deeds.starts
    let onBattery = bench.simulate(power: .battery)

    #expect(sensed.count == 1)
    #expect(simulated.contains(.stop(TransferID(1), attempt: 1)))
    #expect(verdict == .waits(.lacks(.unmetered(.asked), isSimulated: true), atMost: nil))
    #expect(reset.map(\.attempt) == [2])
    #expect(onBattery.contains(.stop(TransferID(1), attempt: 2)))
  }

  @Test func `that are simulated stay so over a restart, until they are reset`() {
    var bench = Bench()
    _ = bench.simulate(network: .cellular, isConstrained: true)
    _ = bench.simulate(power: .battery)
    bench.order(.simulate(SimulatedConditions(battery: 7, isLowPower: true, isLocked: true)))

    bench.restart()
    bench.send(.sensed(Conditions()))
    let kept = bench.supervisor.device
    let answer = bench.order(.endSimulation)

    let pretended = Conditions(
      network: .cellular, isConstrained: true, power: .battery, battery: 7, isLowPower: true, isLocked: true)
    #expect(kept.conditions == pretended)
    #expect(answer == .device(DeviceView(conditions: Conditions(isLocked: false), simulated: .none)))
    #expect(bench.rows.memory.simulated == .none)
  }

  @Test func `end the wait of whoever failed for want of a network, once there is another`() {
    var bench = Bench()
    bench.send(.sensed(Conditions(network: .cellular)))
    bench.queue(1)
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))

    let deeds = bench.send(.sensed(Conditions()))

    #expect(deeds.starts.map(\.attempt) == [2])
  }
}

@Suite struct `What an app queues` {
  @Test func `while it runs in the background waits like what is discretionary, and says why`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.send(.sensed(Conditions(power: .battery)))

    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    let started = bench.deeds.starts
    let view = bench.view(TransferID(2))
    bench.send(.sensed(Conditions()))

    #expect(started.isEmpty)
    #expect(view?.request.options.isFromBackground == true)
    #expect(view?.verdict == .waits(.lacks(.externalPower(.background), isSimulated: false), atMost: nil))
    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `in the foreground goes at once, and so does what a program queues`() {
    var (bench, client) = Bench.withRunningApp()
    let program = Client(tool, pid: 7, connection: 7, relaunch: ["tool"])
    bench.attach(program)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: program)
    bench.send(.sensed(Conditions(network: .cellular, power: .battery)))

    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let ofApp = bench.deeds.starts
    bench.ask(.enqueue(.made(2, app: tool, task: 1), isSuspended: false), as: program)

    #expect(ofApp.count == 1)
    #expect(bench.deeds.starts.count == 1)
  }
}

@Suite struct `A transfer that must not begin before a time` {
  private static func later(_ bench: Bench, _ span: Int64) -> Timestamp {
    Timestamp(seconds: bench.wall.seconds + span)
  }

  @Test func `waits for it on the wall clock, and its resource timeout runs from then on`() {
    var bench = Bench()
    let time = Self.later(bench, 864_000)
    bench.queue(1) { $0.earliestBegin = time }

    let verdict = bench.verdict(1)
    let early = bench.passWithWall(.days(9))
    let late = bench.passWithWall(.days(1))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    bench.passWithWall(.days(6))

    #expect(verdict == .waits(.earliestBegin(time), atMost: .days(10)))
    #expect(early.starts.isEmpty)
    #expect(late.starts.count == 1)
    #expect(bench.failure(1) == nil)
  }

  @Test func `begins when the clock is set past it, and not before when the clock is set back`() {
    var bench = Bench()
    let time = Self.later(bench, 3600)
    for number in [1, 2] as [UInt64] { bench.queue(number) { $0.earliestBegin = time } }

    bench.wall = Self.later(bench, -86_400)
    let back = bench.pass(.hours(2))
    bench.wall = Self.later(bench, 172_800)
    let past = bench.send(.awoke)

    #expect(back.starts.isEmpty)
    #expect(past.starts.count == 2)
  }

  @Test func `begins at the next start when its time, and its timeout, passed without a daemon`() {
    var bench = Bench()
    let time = Self.later(bench, 3600)
    var request = TransferRequest.made(1, app: .commandLine, session: nil)
    (request.options.earliestBegin, request.resourceTimeout) = (time, .hours(1))
    bench.order(.enqueue(request))

    bench.boot += .days(30)
    bench.wall = Self.later(bench, 30 * 86_400)
    bench.restart()

    #expect(bench.deeds.starts.count == 1)
  }

  @Test func `can be cancelled and forgotten meanwhile`() {
    var bench = Bench()
    let time = Self.later(bench, 3600)
    bench.queue(1) { $0.earliestBegin = time }

    bench.order(.cancel(TransferID(1)))
    bench.order(.cancel(TransferID(1)))
    let done = bench.passWithWall(.hours(2))

    #expect(bench.view(TransferID(1)) == nil)
    #expect(done.isEmpty)
  }
}
