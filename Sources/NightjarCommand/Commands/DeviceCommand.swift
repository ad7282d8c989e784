import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar device`.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Show the device's conditions, which transfers obey, or simulate others.",
    discussion: """
      The network is none, unmetered, metered or cellular, constrained or not; the power is external or battery.
      Discretionary transfers wait for an unmetered network, external power, the end of low power mode, and a battery \
      that is charging or not nearly empty. A server on this machine is reached without a network, unless one is \
      simulated.
      """,
    subcommands: [Show.self, Set.self, Reset.self, WarnMemory.self], defaultSubcommand: Show.self)
}

extension DeviceCommand {
  /// `nightjar device show`.
  struct Show: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the device's conditions.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      try context.show(try await context.connect().call(ControlInterface.ShowDevice.self))
    }
  }

  /// `nightjar device set`.
  struct Set: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract:
        "Simulate conditions, until `device reset`: \(Simulation.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: "Such as: nightjar device set battery=15 charging=no network=cellular locked=yes")
    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("What is simulated, as name=value.", valueName: "condition"),
      completion: .list(Simulation.Name.allCases.flatMap { name in name.samples.map { "\(name.rawValue)=\($0)" } }))
    var conditions: [String]

    func validate() throws { _ = try Simulation(conditions) }

    func run(in context: Context) async throws {
      let simulation = try Simulation(conditions)
      try context.show(try await context.connect().call(ControlInterface.SetDevice.self, simulation.parameters))
    }
  }

  /// `nightjar device reset`.
  struct Reset: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset", abstract: "Simulate nothing any more: what is sensed counts again.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      try context.show(try await context.connect().call(ControlInterface.ResetDevice.self))
    }
  }
}

extension ControlInterface.Device {
  /// The conditions in words, under the names by which they are set; simulated ones are marked.
  var facts: [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = [
      ("network", network.rawValue + mark("network")), ("constrained", yes(constrained) + mark("constrained")),
      ("power", power.rawValue + mark("power")),
    ]
    if let charging {
      facts.append(("battery", (battery.map { "\($0) %" } ?? "none") + mark("battery")))
      facts.append(("charging", yes(charging) + mark("charging")))
    }
    if let lowPower { facts.append(("lowpower", yes(lowPower) + mark("lowPower"))) }
    if let locked { facts.append(("locked", yes(locked) + mark("locked"))) }
    if asleep == true { facts.append(("asleep", "yes")) }
    for (index, source) in (sources ?? []).enumerated() { facts.append((index == 0 ? "sources" : "", source)) }
    return facts
  }

  private func yes(_ fact: Bool) -> String { fact ? "yes" : "no" }
  private func mark(_ name: String) -> String { simulated.contains(name) ? " (simulated)" : "" }
}

extension Context {
  fileprivate func show(_ reply: ControlInterface.DeviceReply) throws {
    try show(reply.device, orLines: FactSheet.lines(reply.device.facts))
  }
}
