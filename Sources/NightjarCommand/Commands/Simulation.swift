import ArgumentParser
import NightjarWire

/// Conditions as a person typed them: `network=cellular`.
struct Simulation {
  /// What can be simulated.
  enum Name: String, CaseIterable {
    case network, power, constrained, battery, charging, lowpower, locked

    /// The possible words, or examples of numbers.
    var samples: [String] {
      switch self {
      case .network: ControlInterface.Device.Network.allCases.map(\.rawValue)
      case .power: ControlInterface.Device.Power.allCases.map(\.rawValue)
      case .battery: ["5", "15", "50", "100"]
      case .constrained, .charging, .lowpower, .locked: ["yes", "no"]
      }
    }

    fileprivate var values: String { self == .battery ? "0 to 100, in percent" : samples.joined(separator: ", ") }

    fileprivate func takes(_ value: String) -> Bool {
      self == .battery ? Int(value).map { 0...100 ~= $0 } ?? false : samples.contains(value)
    }
  }

  private(set) var parameters = ControlInterface.SetDevice.Parameters()

  /// - Throws: `ValidationError` for an unknown name or value.
  init(_ words: [String]) throws {
    for word in words { try take(word) }
  }

  private mutating func take(_ word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = Name(rawValue: parts[0]) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(word)' names nothing that can be simulated; there are \(names).")
    }
    guard parts.count == 2, name.takes(parts[1]) else {
      throw ValidationError("'\(word)' cannot be: \(name.rawValue) is \(name.values).")
    }
    set(name, parts[1])
  }

  private mutating func set(_ name: Name, _ value: String) {
    switch name {
    case .network: parameters.network = .init(rawValue: value)
    case .power: parameters.power = .init(rawValue: value)
    case .constrained: parameters.constrained = value == "yes"
    case .battery: parameters.battery = Int(value)
    case .charging: parameters.charging = value == "yes"
    case .lowpower: parameters.lowPower = value == "yes"
    case .locked: parameters.locked = value == "yes"
    }
  }
}
