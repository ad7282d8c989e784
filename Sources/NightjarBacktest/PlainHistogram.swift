/// The baseline that knows only the hour: how often an app was launched in it, on weekdays and on weekends.
///
/// Drawn towards the app's mean as long as little was seen; what was seen loses half of its weight in 14 days.
struct PlainHistogram {
  private var launches: [Double]
  private var hours = [Double](repeating: 0, count: slots)
  private var weight = 1.0

  private init(apps: Int) { launches = [Double](repeating: 0, count: apps * Self.slots) }

  /// What it foresees: for each tick, for each app, how many launches there will be in half an hour.
  static func matrix(apps: Int, steps: [Course.Step], ticks: [Course.Tick]) -> [Double] {
    var histogram = PlainHistogram(apps: apps)
    var told = 0
    var result: [Double] = []
    result.reserveCapacity(apps * ticks.count)
    for tick in ticks {
      while told < tick.steps {
        histogram.tell(steps[told], at: tick.clock)
        told += 1
      }
      histogram.pass(at: tick.clock)
      for app in 0..<apps { result.append(histogram.rate(of: app, at: tick.clock)) }
    }
    return result
  }

  private mutating func tell(_ step: Course.Step, at clock: Int64) {
    guard step.app >= 0, step.kind == .launched || step.kind == .launchedAfterIdle else { return }
    launches[Int(step.app) * Self.slots + Self.slot(clock - DiaryWriter.tick)] += weight
  }

  /// Five minutes have passed.
  private mutating func pass(at clock: Int64) {
    hours[Self.slot(clock - DiaryWriter.tick)] += weight * Double(DiaryWriter.tick) / 3600
    weight *= Self.growth
  }

  private func rate(of app: Int, at clock: Int64) -> Double {
    let own = launches[(app * Self.slots)..<((app + 1) * Self.slots)]
    let mean = own.reduce(0, +) / max(hours.reduce(0, +), .leastNonzeroMagnitude)
    let slot = Self.slot(clock)
    let strength = Self.strength * weight
    return (own[own.startIndex + slot] + strength * mean) / (hours[slot] + strength) / 2
  }

  private static func slot(_ clock: Int64) -> Int {
    let isWeekend = [2, 3].contains((clock / Course.day) % 7)
    return Int(clock % Course.day / 3600) + (isWeekend ? 24 : 0)
  }

  private static let slots = 48
  /// How many hours of the app's mean each slot begins with.
  private static let strength = 2.0
  /// By how much evidence gains weight in five minutes: doubled in 14 days.
  private static let growth = 1.000_171_93
}
