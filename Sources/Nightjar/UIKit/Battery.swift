import NightjarWire

/// The battery as apps see it.
struct Battery: Hashable, Sendable {
  /// From 0 to 1; -1 while unknown.
  var level: Float = -1
  var state = UIDevice.BatteryState.unknown

  /// A battery of which nothing is known.
  init() {}

  /// The battery as the daemon reports it. Plugged in and not full counts as charging, as on iOS.
  init(_ standing: AppInterface.Standing) {
    guard let percent = standing.battery, (0...100).contains(percent) else { return }
    level = Float(percent) / 100
    switch (standing.power, standing.charging) {
    case (.battery, true?), (.external, _), (nil, true?): state = percent == 100 ? .full : .charging
    case (.battery, _): state = .unplugged
    case (nil, _): state = .unknown
    }
  }
}

extension Link {
  /// Whether the person saves power, as the daemon last reported.
  var isLowPower: Bool { standing.lowPower ?? false }
}
