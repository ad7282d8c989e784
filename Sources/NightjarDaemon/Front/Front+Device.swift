import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls about the device.
extension Front {
  func handleDevice(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ShowDevice.self) { [self] call in showDevice(.showDevice, call) }
    interface.handle(ControlInterface.ResetDevice.self) { [self] call in showDevice(.endSimulation, call) }
    interface.handle(ControlInterface.SimulateMemoryWarning.self) { [self] call in
      order(.simulateMemory(call.parameters.urgent == true ? .urgent : .warning), call) { answer in
        if case .warned(let apps) = answer { .init(apps: apps.map(\.rawValue)) } else { nil }
      }
    }
    interface.handle(ControlInterface.SetDevice.self) { [self] call in
      showDevice(.simulate(SimulatedConditions(call.parameters)), call)
    }
  }

  private func showDevice<P: Sendable>(_ question: ControlCall, _ call: VarlinkCall<P, ControlInterface.DeviceReply>) {
    order(question, call) { if case .device(let view) = $0 { .init(device: view.message) } else { nil } }
  }
}

extension SimulatedConditions {
  fileprivate init(_ parameters: ControlInterface.SetDevice.Parameters) {
    self.init(
      network: parameters.network.map { Conditions.Network(rawValue: $0.rawValue)! },
      isConstrained: parameters.constrained, power: parameters.power.map { Conditions.Power(rawValue: $0.rawValue)! },
      battery: parameters.battery, isCharging: parameters.charging, isLowPower: parameters.lowPower,
      isLocked: parameters.locked)
  }

  /// The names of the message's fields.
  fileprivate var names: [String] {
    let fields: [(String, Bool)] = [
      ("network", network != nil), ("constrained", isConstrained != nil), ("power", power != nil),
      ("battery", battery != nil), ("charging", isCharging != nil), ("lowPower", isLowPower != nil),
      ("locked", isLocked != nil),
    ]
    return fields.filter(\.1).map(\.0)
  }
}

extension DeviceView {
  /// The device as people and scripts see it.
  var message: ControlInterface.Device {
    ControlInterface.Device(
      network: .init(rawValue: conditions.network.rawValue)!, constrained: conditions.isConstrained,
      power: .init(rawValue: conditions.power.rawValue)!, simulated: simulated.names, battery: conditions.battery,
      charging: conditions.isCharging, lowPower: conditions.isLowPower, locked: conditions.isLocked,
      asleep: conditions.isAsleep, sources: sources.sentences)
  }
}
