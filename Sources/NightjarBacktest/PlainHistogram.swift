/// The baseline that knows only the hour: how often an app was launched in it, on weekdays and on weekends.
///
/// While little was seen of an app in an hour, it is expected as often as its mean and the person's habits over all
/// apps say. Evidence loses half of its weight in 14 days. It advances through the days along with the replay, so that
/// its size follows from the apps and not from the days.
struct PlainHistogram {
  private let course: Course
  private var told = 0
  /// Launches in each slot, one app after the other, and their sums over the slots, which few ticks change.
  private var launches: [Double]
  private var launchesInAll: [Double]
  /// Launches of all apps together in each slot, and in all.
  private var profile = [Double](repeating: 0, count: slots)
  private var profileInAll = 0.0
  private var hours = [Double](repeating: 0, count: slots)
  private var hoursInAll = 0.0
  private var weight = 1.0

  /// A histogram before the first tick of a course.
  init(_ course: Course) {
    self.course = course
    launches = [Double](repeating: 0, count: course.apps.count * Self.slots)
    launchesInAll = [Double](repeating: 0, count: course.apps.count)
  }

  /// Learns what has happened up to a tick; to be called once for each tick, in order.
  mutating func live(until tick: Course.Tick) {
    while told < tick.steps {
      tell(course.steps[told], at: tick.clock)
      told += 1
    }
    pass(at: tick.clock)
  }

  /// Its forecast: how many launches of an app there will be in half an hour.
  func rate(of app: Int, at clock: Int64) -> Double {
    let slot = Self.slot(clock)
    let strength = Self.strength * weight
    let expected = launchesInAll[app] / max(hoursInAll, .leastNonzeroMagnitude) * liveliness(of: slot)
    return (launches[app * Self.slots + slot] + strength * expected) / (hours[slot] + strength) / 2
  }

  /// How many times as often as on the mean the person launches anything in an hour.
  private func liveliness(of slot: Int) -> Double {
    guard profileInAll > 0 else { return 1 }
    let mean = profileInAll / hoursInAll
    let strength = Self.strength * weight
    return (profile[slot] + strength * mean) / (hours[slot] + strength) / mean
  }

  private mutating func tell(_ step: Course.Step, at clock: Int64) {
    guard step.isLaunch else { return }
    let app = Int(step.app)
    let slot = Self.slot(clock - DiaryWriter.tick)
    launches[app * Self.slots + slot] += weight
    launchesInAll[app] = launches[(app * Self.slots)..<((app + 1) * Self.slots)].reduce(0, +)
    profile[slot] += weight
    profileInAll = profile.reduce(0, +)
  }

  /// Five minutes have passed.
  private mutating func pass(at clock: Int64) {
    hours[Self.slot(clock - DiaryWriter.tick)] += weight * Double(DiaryWriter.tick) / 3600
    hoursInAll = hours.reduce(0, +)
    weight *= Self.growth
  }

  private static func slot(_ clock: Int64) -> Int {
    let isWeekend = [2, 3].contains((clock / Course.day) % 7)
    return Int(clock % Course.day / 3600) + (isWeekend ? 24 : 0)
  }

  private static let slots = 48
  /// How many hours of what is expected each slot begins with.
  private static let strength = 2.0
  /// By how much evidence gains weight in five minutes: doubled in 14 days.
  private static let growth = 1.000_171_93
}
