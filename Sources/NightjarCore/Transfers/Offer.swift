import NightjarModel

/// What the device offers: what is sensed, and what a person has put in its place.
///
/// A server on this machine is reached without any network, so what is sensed of networks does not concern it. What is
/// simulated does: that is how an app is tried against a server of one's own. Power concerns every transfer alike.
struct Offer: Hashable, Sendable {
  var sensed = Conditions()
  var simulated = SimulatedConditions.none
  /// How full the battery must be for discretionary transfers, unless it is charging.
  let batteryMin: Int

  /// The device's conditions: what is simulated takes the place of what is sensed.
  var conditions: Conditions { simulated.over(sensed) }

  /// Whether an attempt may be under way.
  func meets(_ needs: Needs) -> Bool { lack(of: needs, .asked) == nil }

  /// Whether a transfer may run; if not, the first thing that it lacks, and whether that is only simulated.
  func verdict(for request: TransferRequest, on host: Host) -> Verdict {
    guard let lack = lack(of: Needs(of: request, on: host), request.options.discretion ?? .asked) else {
      return .allowed
    }
    return .waits(.lacks(lack, isSimulated: isSimulated(lack)), atMost: nil)
  }

  /// The present network, if the request may not use it.
  func forbiddenNetwork(for request: TransferRequest, on host: Host) -> TransferFailure.ForbiddenNetwork? {
    let (now, options) = (conditions(forLoopback: host.isLoopback), request.options)
    if now.network == .cellular, !options.allowsCellular { return .cellular }
    if now.network.isExpensive, !options.allowsExpensive { return .expensive }
    return now.network != .none && now.isConstrained && !options.allowsConstrained ? .constrained : nil
  }

  private func lack(of needs: Needs, _ discretion: Lack.Discretion) -> Lack? {
    let now = conditions(forLoopback: needs.contains(.onlyLoopback))
    if now.network == .none { return .network }
    if now.network == .cellular, needs.contains(.noCellular) { return .otherThanCellular }
    if now.network.isExpensive, needs.contains(.noExpense) { return .inexpensive }
    if now.isConstrained, needs.contains(.noConstraint) { return .unconstrained }
    guard needs.contains(.convenience) else { return nil }
    return now.network.isExpensive ? .unmetered(discretion) : lackOfPower(now, discretion)
  }

  private func lackOfPower(_ now: Conditions, _ discretion: Lack.Discretion) -> Lack? {
    if now.isLowPower { return .fullPower(discretion) }
    if now.power == .battery { return .externalPower(discretion) }
    guard let battery = now.battery, battery < batteryMin, !now.isCharging else { return nil }
    return .charge(discretion, percentMin: batteryMin)
  }

  private func conditions(forLoopback isLoopback: Bool) -> Conditions {
    var sensed = sensed
    if isLoopback { (sensed.network, sensed.isConstrained) = (.unmetered, false) }
    return simulated.over(sensed)
  }

  private func isSimulated(_ lack: Lack) -> Bool {
    switch lack {
    case .network, .otherThanCellular, .inexpensive, .unmetered: simulated.network != nil
    case .unconstrained: simulated.isConstrained != nil
    case .externalPower: simulated.power != nil
    case .fullPower: simulated.isLowPower != nil
    case .charge: simulated.battery != nil || simulated.isCharging != nil
    }
  }
}
