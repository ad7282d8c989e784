import Glibc
import NightjarModel
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct NetworkTests {
  @Test func `the network is told of as it comes and goes`() throws {
    guard let island = try Island() else { return }
    let sensor = island.sensor()
    #expect(island.next() == false)

    #expect(island.run("ip link set lo up; ip link add one type veth peer name other && ip link set other up"))
    #expect(island.run("ip link set one up && ip address add 192.0.2.1/24 dev one"))
    #expect(island.next() == true)
    #expect(island.run("ip link set other down"))  // The cable is pulled.
    #expect(island.next() == false)
    #expect(island.run("ip link set other up"))
    #expect(island.next() == true)
    #expect(island.run("ip address del 192.0.2.1/24 dev one"))
    #expect(island.next() == false)

    withExtendedLifetime(sensor) {}
  }

  @Test func `an address of link scope is no network, one of IPv6 is`() throws {
    guard let island = try Island() else { return }
    #expect(island.run("ip link add one type veth peer name other && ip link set other up && ip link set one up"))
    #expect(island.run("ip address add 169.254.7.7/16 dev one && ip address add fe80::7/64 dev one nodad"))
    let sensor = island.sensor()
    #expect(island.next() == false)

    #expect(island.run("ip address add 2001:db8::7/64 dev one nodad"))

    #expect(island.next() == true)
    withExtendedLifetime(sensor) {}
  }

  @Test func `a default route without an address is a network`() throws {
    guard let island = try Island() else { return }
    #expect(island.run("ip link add one type veth peer name other && ip link set other up && ip link set one up"))
    let sensor = island.sensor()
    #expect(island.next() == false)

    #expect(island.run("ip route add default dev one"))

    #expect(island.next() == true)
    withExtendedLifetime(sensor) {}
  }

  @Test func `a default route over a mobile modem is cellular, and what costs less goes first`() throws {
    guard let island = try Island() else { return }
    let place = try TestHome()
    try place.put("DEVTYPE=wwan\nINTERFACE=one\n", to: "sys/class/net/one/uevent")
    try place.put("INTERFACE=two\n", to: "sys/class/net/two/uevent")
    #expect(island.run("ip link add one type veth peer name first && ip link set first up && ip link set one up"))
    #expect(island.run("ip link add two type veth peer name second && ip link set second up && ip link set two up"))
    let sensor = island.sensor(sysfs: place.root + "/sys")
    #expect(island.nextReading()?.network(nil) == Conditions.Network.none)

    #expect(island.run("ip address add 192.0.2.1/24 dev one && ip route add default dev one metric 700"))
    #expect(island.eventually(.cellular))
    #expect(island.run("ip address add 198.51.100.1/24 dev two && ip route add default dev two metric 600"))
    #expect(island.eventually(.unmetered))
    #expect(island.run("ip link set second down"))
    #expect(island.eventually(.cellular))

    withExtendedLifetime(sensor) {}
  }

  @Test func `a sensor that is gone says nothing`() throws {
    guard let island = try Island() else { return }
    do {
      let sensor = island.sensor()
      #expect(island.next() == false)
      withExtendedLifetime(sensor) {}
    }

    #expect(island.run("ip link add one type veth peer name other && ip link set other up && ip link set one up"))
    #expect(island.run("ip address add 192.0.2.1/24 dev one"))

    #expect(island.hasHeardNothing)
  }
}

/// A thread in a network namespace of its own, where at first there is nothing but a loopback that is down.
final class Island: Sendable {
  let lookout: Lookout
  private let facts = Mutex<[NetworkReading]>([])
  private let bell = Doorbell()

  /// Nil, with the reason printed, where we may not make one.
  init?() throws {
    lookout = try Lookout()
    // unshare(2), which the Glibc module does not show.
    typealias Unshare = @convention(c) (_ flags: Int32) -> Int32
    let newNetwork: Int32 = 0x4000_0000
    let result = here { unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "unshare"), to: Unshare.self)(newNetwork) }
    if result == 0 && run("ip link show") { return }
    print("skipped: no network namespace for us, or no ip(8); run it as root")
    return nil
  }

  deinit { lookout.stop() }

  /// A sensor that looks at this namespace, because its socket is made here.
  func sensor(sysfs: String = "/nowhere") -> NetworkSensor? {
    let made = Made()
    _ = here {
      let sensor = try? NetworkSensor(lookout: self.lookout, sysfs: sysfs) { [weak self] reading in
        self?.facts.withLock { $0.append(reading) }
        self?.bell.ring()
      }
      made.sensor.withLock { $0 = sensor }
      return 0
    }
    return made.sensor.withLock { $0 }
  }

  private final class Made: Sendable { let sensor = Mutex<NetworkSensor?>(nil) }

  var hasHeardNothing: Bool { facts.withLock { $0.isEmpty } }

  /// Whether there is a network by the next fact, waited for; nil if none comes.
  func next() -> Bool? { nextReading()?.isOnline }

  /// Whether this network is reported in the end.
  func eventually(_ network: Conditions.Network) -> Bool {
    while let reading = nextReading() { if reading.network(nil) == network { return true } }
    return false
  }

  /// The next fact, waited for; nil if none comes.
  func nextReading() -> NetworkReading? {
    repeat {
      if let fact = facts.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return fact }
    } while bell.wait()
    return nil
  }

  /// Runs a command in the namespace; whether it succeeded.
  func run(_ command: String) -> Bool {
    here {
      Doorbell.shell(command)
    } == 0
  }

  private final class Answer: Sendable { let value = Atomic<Int32>(-1) }

  /// Does something on the thread, and waits for what comes of it.
  private func here(_ deed: @escaping @Sendable () -> Int32) -> Int32 {
    let (answer, done) = (Answer(), Doorbell())
    lookout.perform {
      answer.value.store(deed(), ordering: .sequentiallyConsistent)
      done.ring()
    }
    return done.wait() ? answer.value.load(ordering: .sequentiallyConsistent) : ETIMEDOUT
  }
}
