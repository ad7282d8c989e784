import MockDevice
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// A real daemon on a pretended device: services on a bus of its own (python3-dbusmock), power supplies (umockdev).
  @Suite struct DeviceTests {
    @Test func `a discretionary transfer pauses on a metered network and goes on, also after a sleep`()
      async throws
    {
      let film = Content(seed: 11, size: 400_000)
      let server = try await HTTPTestServer.start()
      let slowly = Serving(film).with { ($0.speed, $0.mishap, $0.mishapAfter) = (100_000, .stall, 300_000) }
      server.play("/film", .serve(slowly), .serve(Serving(film)))
      let bus = try MockBus(.networkManager, .upower, .oldProfiles, .logind)
      try await withHome(["NIGHTJAR_SENSORS_BUS": bus.address]) { home in
        try await home.start()
        try await home.run([
          "download", server.farURL("/film"), "--discretionary", "--no-wait", "-o", home.folder + "/f",
        ])
        try await eventually("bytes have come") { try await home.transfer(1)?.count ?? 0 > 50_000 }

        try bus.setNetwork(metered: 1)
        let reason = try await home.reason { $0.contains("unmetered network") }
        let words = try await home.run(["status"])
        try bus.setAsleep(true)
        try await eventually("the daemon has heard") { try await home.device.asleep == true }
        try bus.setAsleep(false)
        try bus.setNetwork(metered: 4)

        try await eventually("the whole has come") { Files.bytes(home.folder + "/f").count == film.size }
        #expect(reason.contains("since it is discretionary") && !reason.contains("simulated"))
        #expect(words.contains("network      metered\n") && words.contains("Network: NetworkManager"))
        #expect(server.requests("/film").count == 2)
        #expect(server.requests("/film").last?.headers["range"] != nil)
      }
      try await server.stop()
    }

    @Test func `low power mode and an empty battery hold a discretionary transfer, each with its reason`() async throws
    {
      let server = try await HTTPTestServer.start()
      server.play("/page", .answer(status: 200, body: "here"))
      let bus = try MockBus(.upower, .profiles)
      try bus.setProfile("power-saver", of: .profiles)
      try bus.setBattery(percent: 12, isCharging: false, isInUse: false)
      try await withHome(["NIGHTJAR_SENSORS_BUS": bus.address]) { home in
        try await home.start()
        try await home.run([
          "download", server.farURL("/page"), "--discretionary", "--no-wait", "-o", home.folder + "/p",
        ])

        let saving = try await home.reason { $0.contains("low power mode") }
        try bus.setProfile("balanced", of: .profiles)
        let empty = try await home.reason { $0.contains("at 20 %") }
        try await home.run(["device", "set", "battery=11"])
        let pretended = try await home.reason { $0.contains("(simulated)") }
        try await home.run(["device", "reset"])
        try bus.setBattery(percent: 12, isCharging: true, isInUse: false)

        try await eventually("it has come") { Files.text(home.folder + "/p") == "here" }
        #expect(!saving.contains("simulated") && !empty.contains("simulated"))
        #expect(pretended.contains("until the battery is charging"))
      }
      try await server.stop()
    }

    @Test func `a locked screen, a restarted service and a lost bus are seen in the status`() async throws {
      let bus = try MockBus(.logind, .upower)
      try bus.openSession("one")
      try bus.setLocked(true, session: "one")
      try await withHome(["NIGHTJAR_SENSORS_BUS": bus.address]) { home in
        try await home.start()
        try await eventually("it is locked") { try await home.device.locked == true }

        bus.stop(.logind)
        try await eventually("nobody locks any more") { try await home.device.locked == false }
        #expect(
          try await home.device.sources?.contains("Locked screen: nobody tells, so nothing waits for it.") == true)
        try bus.start(.logind)
        try bus.openSession("two")
        try bus.setLocked(true, session: "two")
        try await eventually("it is locked again") { try await home.device.locked == true }
        bus.end()

        try await eventually("the status says so") {
          try await home.run(["status"]).contains("No service is asked over D-Bus: the system bus has gone")
        }
      }
    }

    @Test func `power supplies are read from sysfs, and the kernel tells when they change`() async throws {
      let supplies = try MockSupplies()
      try await withHome(["NIGHTJAR_SENSORS_SYSFS": "/sys"]) { home in
        try await home.start(under: supplies.prefix)
        try await eventually("it has been sensed") { try await home.device.battery == 17 }
        let first = try await home.device
        #expect(first.power == .battery && first.charging == false)
        #expect(first.sources?.contains("Power and battery: the kernel (sysfs, uevents).") == true)

        try supplies.setPlugged(true)
        try await eventually("it is plugged in") { try await home.device.power == .external }
        try supplies.setBattery(percent: 18, status: "Charging")

        try await eventually("it charges") {
          let now = try await home.device
          return now.battery == 18 && now.charging == true
        }
      }
    }

    @Test func `where the kernel cannot be heard, supplies are polled, and the status says so`() async throws {
      let supplies = try MockSupplies()
      let settings = [
        "NIGHTJAR_SENSORS_SYSFS": "/sys", "NIGHTJAR_SENSORS_UEVENTS": "never", "NIGHTJAR_SENSORS_POLL_INTERVAL": "1",
      ]
      try await withHome(settings) { home in
        try await home.start(under: supplies.prefix)
        try await eventually("the status says so") {
          try await home.run(["status"]).contains("sysfs, polled every 1 s, since the kernel tells of no change")
        }

        try supplies.setBattery(percent: 16, status: "Discharging", quietly: true)

        try await eventually("it is seen") { try await home.device.battery == 16 }
      }
    }
  }
}

extension HTTPTestServer {
  /// An address of this machine that is not taken for its loopback: a network is needed to reach it.
  fileprivate func farURL(_ path: String) -> String { "http://0.0.0.0:\(port)\(path)" }
}

extension Home {
  fileprivate var device: ControlInterface.Device {
    get async throws { try await call(ControlInterface.ShowDevice.self).device }
  }

  /// What the first transfer waits for, once that is what is looked for.
  fileprivate func reason(_ isSought: (String) -> Bool) async throws -> String {
    try await eventually("the transfer waits for it") {
      let words = try await call(ControlInterface.Why.self, .init(id: 1)).sentences.first
      return words.flatMap { isSought($0) ? $0 : nil }
    }
  }
}
