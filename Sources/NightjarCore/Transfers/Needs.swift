import NightjarModel

/// What a transfer needs of the device, as one of a few classes: whatever the device offers, it offers to a whole class.
struct Needs: OptionSet, Hashable, Comparable, Sendable {
  let rawValue: UInt8

  /// Its server is this machine.
  static let onlyLoopback = Needs(rawValue: 1)
  /// It waits for an unmetered network and for power.
  static let convenience = Needs(rawValue: 2)
  /// It may use no cellular network.
  static let noCellular = Needs(rawValue: 4)
  /// It may use no network that costs money.
  static let noExpense = Needs(rawValue: 8)
  /// It may use no network on which data is saved.
  static let noConstraint = Needs(rawValue: 16)

  /// How many classes there are.
  static let count = 32

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The class of a transfer.
  init(of request: TransferRequest, on host: Host) {
    let options = request.options
    self = host.isLoopback ? .onlyLoopback : []
    if !options.allowsConstrained { insert(.noConstraint) }
    if options.discretion != nil {
      insert(.convenience)  // Which leaves out every network that costs money.
    } else {
      if !options.allowsCellular { insert(.noCellular) }
      if !options.allowsExpensive { insert(.noExpense) }
    }
  }

  static func < (a: Needs, b: Needs) -> Bool { a.rawValue < b.rawValue }
}

/// What the device offers: what is sensed, and what a person has put in its place.
///
/// A server on this machine is reached without any network, so what is sensed of networks does not concern it. What is
/// simulated does: that is how an app is tried against a server of one's own. Power concerns every transfer alike.
struct Offer: Hashable, Sendable {
  var sensed = Conditions()
  var simulated = SimulatedConditions.none

  /// What the device is like, as far as anybody can tell.
  var conditions: Conditions { simulated.over(sensed) }

  /// Whether an attempt may be under way.
  func meets(_ needs: Needs) -> Bool { lack(of: needs, .asked) == nil }

  /// The first thing that is missing, and whether only a simulation has it so.
  func verdict(for request: TransferRequest, on host: Host) -> Verdict {
    guard let lack = lack(of: Needs(of: request, on: host), request.options.discretion ?? .asked) else {
      return .allowed
    }
    return .waits(.lacks(lack, isSimulated: isSimulated(lack)), atMost: nil)
  }

  private func lack(of needs: Needs, _ discretion: Lack.Discretion) -> Lack? {
    let isLocal = needs.contains(.onlyLoopback)
    let now = simulated.over(isLocal ? Conditions(power: sensed.power) : sensed)
    if now.network == .none { return .network }
    if now.network == .cellular, needs.contains(.noCellular) { return .otherThanCellular }
    if now.network.isExpensive, needs.contains(.noExpense) { return .inexpensive }
    if now.isConstrained, needs.contains(.noConstraint) { return .unconstrained }
    guard needs.contains(.convenience) else { return nil }
    if now.network.isExpensive { return .unmetered(discretion) }
    return now.power == .battery ? .externalPower(discretion) : nil
  }

  private func isSimulated(_ lack: Lack) -> Bool {
    switch lack {
    case .network, .otherThanCellular, .inexpensive, .unmetered: simulated.network != nil
    case .unconstrained: simulated.isConstrained != nil
    case .externalPower: simulated.power != nil
    }
  }
}
