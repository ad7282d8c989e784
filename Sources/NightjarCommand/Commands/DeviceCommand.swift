import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar device`.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Show the device's conditions, which transfers obey, or simulate others.",
    discussion: """
      The network is none, unmetered, metered or cellular, constrained or not; the power is external or battery.
      Discretionary transfers wait for an unmetered network and external power. A server on this machine is reached
      without a network, unless one is simulated.
      """,
    subcommands: [Show.self, Set.self, Reset.self], defaultSubcommand: Show.self)
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
      commandName: "set", abstract: "Simulate conditions, until `device reset`: network, power, constrained.",
      discussion: "Such as: nightjar device set network=cellular power=battery constrained=yes")
    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("What is simulated.", valueName: "name=value"),
      completion: .list(Simulation.Name.allCases.flatMap { name in name.values.map { "\(name.rawValue)=\($0)" } }))
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

/// Conditions as a person typed them: `network=cellular`.
struct Simulation {
  /// What can be simulated.
  enum Name: String, CaseIterable {
    case network, power, constrained

    var values: [String] {
      switch self {
      case .network: ControlInterface.Device.Network.allCases.map(\.rawValue)
      case .power: ControlInterface.Device.Power.allCases.map(\.rawValue)
      case .constrained: ["yes", "no"]
      }
    }
  }

  private(set) var parameters = ControlInterface.SetDevice.Parameters()

  /// - Throws: `ValidationError` for a name or a value that there is not.
  init(_ words: [String]) throws {
    for word in words { try take(word) }
  }

  private mutating func take(_ word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = Name(rawValue: parts[0]) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(word)' names nothing that can be simulated; there are \(names).")
    }
    guard parts.count == 2, name.values.contains(parts[1]) else {
      throw ValidationError("'\(word)' cannot be: \(name.rawValue) is \(name.values.joined(separator: ", ")).")
    }
    switch name {
    case .network: parameters.network = .init(rawValue: parts[1])
    case .power: parameters.power = .init(rawValue: parts[1])
    case .constrained: parameters.constrained = parts[1] == "yes"
    }
  }
}

extension ControlInterface.Device {
  /// The conditions in words; what is simulated says so.
  var facts: [(name: String, text: String)] {
    let network = "\(network.rawValue)\(mark("network"))"
    let data = "\(constrained ? "yes" : "no")\(mark("constrained"))"
    return [("network", network), ("constrained", data), ("power", "\(power.rawValue)\(mark("power"))")]
  }

  private func mark(_ name: String) -> String { simulated.contains(name) ? " (simulated)" : "" }
}

extension Context {
  fileprivate func show(_ reply: ControlInterface.DeviceReply) throws {
    try show(reply.device, orLines: FactSheet.lines(reply.device.facts))
  }
}
