import Glibc
import MockDevice
import NightjarModel
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

/// The sensors against real buses and services that pretend a device.
@Suite(.blocking) struct SensorTests {
  @Test func `everything comes from the services that there are`() throws {
    let bus = try MockBus(.upower, .logind, .networkManager, .oldProfiles)
    try bus.setBattery(percent: 17.2, isCharging: false, isInUse: true)
    try bus.setNetwork(metered: 1)
    try bus.openSession("one")
    try bus.setLocked(true, session: "one")
    try bus.setProfile("power-saver", of: .oldProfiles)

    let sensed = try Sensed(bus.address)

    #expect(sensed.firstConditions?.battery == 17)
    #expect(sensed.has { now, _ in now.network == .metered && now.power == .battery && !now.isCharging })
    #expect(sensed.has { now, _ in now.isLocked && now.isLowPower && !now.isAsleep })
    #expect(sensed.has { _, sources in sources == .allServices })
  }

  @Test func `every change is told`() throws {
    let bus = try MockBus(.upower, .logind, .networkManager, .profiles)
    try bus.openSession("one")
    let sensed = try Sensed(bus.address)
    #expect(sensed.has { now, sources in now == Conditions(isLocked: false) && sources == .allServices })

    try bus.setNetwork(metered: 3)
    #expect(sensed.has { now, _ in now.network == .metered })
    try bus.setNetwork(metered: 4, type: "gsm")
    #expect(sensed.has { now, _ in now.network == .cellular })
    try bus.setNetwork(metered: 4)
    #expect(sensed.has { now, _ in now.network == .unmetered })
    try bus.setBattery(percent: 5, isCharging: true, isInUse: false)
    #expect(sensed.has { now, _ in now.battery == 5 && now.isCharging && now.power == .external })
    try bus.setBattery(percent: 4, isCharging: false, isInUse: true)
    #expect(sensed.has { now, _ in now.battery == 4 && !now.isCharging && now.power == .battery })
    try bus.setProfile("power-saver", of: .profiles)
    #expect(sensed.has { now, _ in now.isLowPower })
    try bus.setProfile("performance", of: .profiles)
    #expect(sensed.has { now, _ in !now.isLowPower })
    try bus.setLocked(true, session: "one")
    #expect(sensed.has { now, _ in now.isLocked })
    try bus.setLocked(false, session: "one")
    #expect(sensed.has { now, _ in !now.isLocked })
    try bus.setAsleep(true)
    #expect(sensed.has { now, _ in now.isAsleep })
    try bus.setAsleep(false)
    #expect(sensed.has { now, _ in !now.isAsleep })
  }

  @Test func `a service that goes leaves its place to the kernel, and has it again when it comes back`() throws {
    let bus = try MockBus(.upower, .logind)
    try bus.setBattery(percent: 5, isCharging: false, isInUse: true)
    try bus.openSession("one")
    try bus.setLocked(true, session: "one")
    let sensed = try Sensed(bus.address)
    #expect(sensed.has { now, sources in now.isLocked && now.battery == 5 && sources.lowPower == .nobody })

    bus.stop(.upower)
    #expect(sensed.has { now, sources in now.battery == nil && now.power == .external && sources.power == .kernel })
    bus.stop(.logind)
    #expect(sensed.has { now, sources in now.lock == nil && sources.lock == .nobody && sources.sleep == .kernel })
    try bus.start(.upower)
    try bus.setBattery(percent: 6, isCharging: false, isInUse: true)
    #expect(sensed.has { now, sources in now.battery == 6 && sources.power == .service })
    try bus.start(.profiles)
    try bus.setProfile("power-saver", of: .profiles)
    #expect(sensed.has { now, sources in now.isLowPower && sources.lowPower == .service })
  }

  @Test func `a bus that goes is done without, and one that comes in its place is used`() throws {
    let bus = try MockBus(.upower)
    try bus.setBattery(percent: 5, isCharging: false, isInUse: true)
    let sensed = try Sensed(bus.address)
    #expect(sensed.has { now, sources in now.battery == 5 && sources.busTrouble == nil })

    bus.end()
    #expect(sensed.has { now, sources in now.battery == nil && sources.busTrouble?.contains("gone") == true })
    try bus.begin()
    try bus.start(.upower)
    try bus.setBattery(percent: 6, isCharging: false, isInUse: true)

    #expect(sensed.has { now, sources in now.battery == 6 && sources.busTrouble == nil })
  }

  @Test func `a bus that comes back is used also where no socket appears, as behind systemd's`() throws {
    let (bus, place) = (try MockBus(.upower), try TestHome())
    try bus.setBattery(percent: 5, isCharging: false, isInUse: true)
    let path = place.root + "/bus"
    try #require(symlink(String(bus.address.dropFirst("unix:path=".count)), path) == 0)
    let sensed = try Sensed("unix:path=\(path)")
    #expect(sensed.has { now, sources in now.battery == 5 && sources.busTrouble == nil })

    bus.end()
    try bus.begin()
    try bus.start(.upower)
    try bus.setBattery(percent: 6, isCharging: false, isInUse: true)

    #expect(sensed.has { now, sources in now.battery == 6 && sources.busTrouble == nil })
  }

  @Test func `a bus is found also where its folder is made later`() throws {
    let (bus, place) = (try MockBus(.upower), try TestHome())
    try bus.setBattery(percent: 5, isCharging: false, isInUse: true)
    let sensed = try Sensed("unix:path=\(place.root)/run/user/bus")
    #expect(sensed.has { _, sources in sources.busTrouble != nil })

    let folder = try place.folder("run/user")
    try #require(symlink(String(bus.address.dropFirst("unix:path=".count)), folder + "/bus") == 0)

    #expect(sensed.has { now, sources in now.battery == 5 && sources.busTrouble == nil })
  }

  @Test func `without a bus there is the kernel, and the reason is told`() throws {
    let place = try TestHome()

    let sensed = try Sensed("unix:path=\(place.root)/none")

    #expect(
      sensed.has { now, sources in
        sources.busTrouble?.contains("\(place.root)/none") == true && sources.power == .kernel
          && sources.network == .kernel && now.battery == nil
      })
  }

  @Test(arguments: ["", "nonsense", "unix:path=", "tcp:host=", "unix:abstract=/none/of/us"])
  func `an address that leads nowhere does no harm`(address: String) throws {
    let sensed = try Sensed(address)

    #expect(sensed.has { _, sources in sources.busTrouble != nil })
  }

  @Test func `a service that hangs delays the start for a second only, and is heard when it answers`() throws {
    let bus = try MockBus(.upower, .networkManager)
    try bus.setBattery(percent: 5, isCharging: false, isInUse: true)
    bus.setHanging(true, .upower)

    let sensed = try Sensed(bus.address)

    #expect(sensed.has { now, sources in now.battery == nil && sources.power == .kernel })
    bus.setHanging(false, .upower)
    #expect(sensed.has { now, sources in now.battery == 5 && sources.power == .service })
  }

  @Test func `a lock that is not told within that second is awaited, until it is told or nothing tells it`() throws {
    let bus = try MockBus(.logind)
    try bus.openSession("one")
    try bus.setLocked(true, session: "one")
    bus.setHanging(true, .logind)

    let sensed = try Sensed(bus.address)
    let without = try Sensed(nil)

    #expect(sensed.has { now, _ in now.lock == nil && now.isLockAwaited })
    bus.setHanging(false, .logind)
    #expect(sensed.has { now, _ in now.isLocked && !now.isLockAwaited })
    #expect(without.has { now, _ in now.lock == nil && !now.isLockAwaited })
  }

  @Test func `the sessions of other users lock nothing`() throws {
    let bus = try MockBus(.logind)
    try bus.openSession("other", user: 4711)
    try bus.setLocked(true, session: "other")
    let sensed = try Sensed(bus.address)
    #expect(sensed.has { now, sources in sources.lock == .service && !now.isLocked })

    try bus.openSession("own")
    try bus.setLocked(true, session: "own")

    #expect(sensed.has { now, _ in now.isLocked })
  }

  @Test func `a session that cannot be read leaves it open whether the device is locked`() throws {
    let bus = try MockBus(.logind)
    try bus.listUnreadableSession()

    let sensed = try Sensed(bus.address)

    #expect(sensed.has { now, sources in now.lock == nil && sources.sleep == .service })
  }

  @Test func `where the kernel tells nothing, supplies are polled, and the sources say so`() throws {
    let place = try TestHome()
    try place.put("Battery\n", to: "sys/class/power_supply/BAT0/type")
    try place.put("30\n", to: "sys/class/power_supply/BAT0/capacity")
    let sensed = try Sensed(nil) { settings in
      (settings.sysfs, settings.hearsUevents) = (place.root + "/sys", false)
      settings.pollInterval = .milliseconds(20)
    }
    #expect(sensed.has { now, sources in now.battery == 30 && sources.power == .polled(every: .milliseconds(20)) })

    try place.put("29\n", to: "sys/class/power_supply/BAT0/capacity")

    #expect(sensed.has { now, _ in now.battery == 29 })
  }

  @Test func `nothing is polled where there is nothing`() throws {
    let sensed = try Sensed(nil) { $0.hearsUevents = false }

    #expect(sensed.has { now, sources in sources.power == .nobody && now.power == .external })
  }
}

extension SignalSources {
  fileprivate static let allServices: SignalSources = {
    var sources = SignalSources()
    (sources.network, sources.power, sources.lowPower) = (.service, .service, .service)
    (sources.lock, sources.sleep) = (.service, .service)
    return sources
  }()
}

/// Sensors at work, and the latest that they have reported.
private final class Sensed: Sendable {
  private struct Facts {
    var all: [Conditions] = []
    var sources: SignalSources?
    var isReady = false
  }

  private let lookout: Lookout
  private let sensors: Sensors
  private let facts: FactBox
  private let empty: TestHome

  private final class FactBox: Sendable {
    let value = Mutex(Facts())
    let bell = Doorbell()

    func change(_ change: (inout Facts) -> Void) {
      value.withLock { change(&$0) }
      bell.ring()
    }
  }

  /// Sensors that have reported for the first time; sysfs is empty unless arranged.
  init(_ address: String?, _ arrange: (inout SensorSettings) -> Void = { _ in }) throws {
    let facts = FactBox()
    (self.facts, lookout, empty) = (facts, try Lookout(), try TestHome())
    var settings = SensorSettings(environment: [:])
    (settings.busAddress, settings.sysfs) = (address, empty.root)
    arrange(&settings)
    sensors = Sensors(
      lookout: lookout, settings: settings, report: { now in facts.change { $0.all.append(now) } },
      reportSources: { sources in facts.change { $0.sources = sources } })
    sensors.start { facts.change { $0.isReady = true } }
    while !facts.value.withLock({ $0.isReady }) { guard facts.bell.wait() else { break } }
  }

  deinit { lookout.stop() }

  /// What was reported before it was ready.
  var firstConditions: Conditions? { facts.value.withLock { $0.all.first } }

  /// Whether this comes to be so.
  func has(_ holds: (Conditions, SignalSources) -> Bool) -> Bool {
    repeat {
      let now = facts.value.withLock { ($0.all.last, $0.sources) }
      if let conditions = now.0, let sources = now.1, holds(conditions, sources) { return true }
    } while facts.bell.wait()
    print("in the end it was \(facts.value.withLock { "\($0.all.last as Any), \($0.sources as Any)" })")
    return false
  }
}
