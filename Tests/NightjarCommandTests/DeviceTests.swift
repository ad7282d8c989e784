import NightjarCommand
import NightjarWire
import Testing
import Varlink

@Suite(.timeLimit(.minutes(2))) struct DeviceTests {
  @Test func `the device is shown, with what is simulated of it`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { state in
      state.device = .init(
        network: .cellular, constrained: true, power: .external, simulated: ["network", "lowPower"], battery: 15,
        charging: false, lowPower: true, locked: false, asleep: true, sources: ["one comes from here", "another"])
    }

    let status = await bench.run("device")

    #expect(status == 0)
    #expect(
      bench.screen.output == """
        network      cellular (simulated)
        constrained  yes
        power        external
        battery      15 %
        charging     no
        lowpower     yes (simulated)
        locked       no
        asleep       yes
        sources      one comes from here
                     another

        """)
    daemon.stop()
  }

  @Test func `conditions are set by name, one or several at a time, and reset`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let first = await bench.run(
      "device", "set", "network=cellular", "constrained=yes", "battery=15", "charging=no", "lowpower=yes", "locked=yes")
    let second = await bench.run("device", "set", "power=battery", "--json")
    let set = daemon.read { $0.device }
    let reset = await bench.run("device", "reset")

    #expect([first, second, reset] == [0, 0, 0])
    #expect(set.network == .cellular && set.constrained && set.power == .battery && set.battery == 15)
    #expect(set.charging == false && set.lowPower == true && set.locked == true)
    #expect(bench.screen.output.contains("\"power\" : \"battery\""))
    #expect(daemon.read { $0.device.simulated } == [])
  }

  @Test(arguments: [
    ("speed=fast", "names nothing that can be simulated; there are network, power, constrained, battery"),
    ("network", "network is none, unmetered, metered, cellular"),
    ("network=wifi", "network is none, unmetered, metered, cellular"),
    ("constrained=perhaps", "constrained is yes, no"), ("power=", "power is external, battery"),
    ("battery=101", "battery is 0 to 100, in percent"), ("battery=full", "battery is 0 to 100, in percent"),
    ("charging=", "charging is yes, no"),
  ])
  func `what cannot be simulated is refused in words`(word: String, reason: String) async throws {
    let bench = try Bench()

    let status = await bench.run("device", "set", word)

    #expect(status == 2)
    #expect(bench.screen.errors.contains(reason))
  }
}

extension TestDaemon {
  func serveDevice(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ShowDevice.self) { [weak self] call in self?.change(call) { _ in } }
    interface.handle(ControlInterface.ResetDevice.self) { [weak self] call in
      self?.change(call) { $0 = .init(network: .unmetered, constrained: false, power: .external, simulated: []) }
    }
    interface.handle(ControlInterface.SetDevice.self) { [weak self] call in
      let given = call.parameters
      self?.change(call) { device in
        device.network = given.network ?? device.network
        device.constrained = given.constrained ?? device.constrained
        device.power = given.power ?? device.power
        device.battery = given.battery ?? device.battery
        device.charging = given.charging ?? device.charging
        device.lowPower = given.lowPower ?? device.lowPower
        device.locked = given.locked ?? device.locked
        device.simulated.append("it")
      }
    }
  }

  private func change<P: Sendable>(
    _ call: VarlinkCall<P, ControlInterface.DeviceReply>, _ change: (inout ControlInterface.Device) -> Void
  ) {
    call.reply(.init(device: changeDevice(change)))
  }
}
