import NightjarHabits

/// Made-up content for a person's real launches: each app's changes at a rate of its own, more by day than by night
/// (protocol, section on outcomes).
struct Content: Sendable {
  /// How often content may change, in an hour: seven rates, from once a day to every ten minutes.
  static let ratesPerHour = [0.04, 0.1, 0.25, 0.6, 1.2, 2.5, 6.0]

  /// The rate of each app.
  let perHour: [Double]
  /// When each app's content has changed, in order.
  private let changes: [[Int64]]

  /// Content for a course; another seed gives each app another rate and other moments.
  init(_ course: Course, seed: UInt64) {
    var dice = Dice(seed: seed &+ 1)
    let begin = Int(seed % 7)
    let rates = course.apps.indices.map { Self.ratesPerHour[($0 + begin) % Self.ratesPerHour.count] }
    let days = Int64(course.ticks.count) * DiaryWriter.tick
    changes = rates.map { Self.moments(perHour: $0, until: days, &dice) }
    perHour = rates
  }

  /// Whether anything is new at a time since an earlier look.
  func isNew(_ app: Int, after earlier: Int64, at time: Int64) -> Bool {
    let changes = changes[app]
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= earlier { low = middle + 1 } else { high = middle }
    }
    return low < changes.count && changes[low] <= time
  }

  /// A Poisson process, thinned out less from 7 to 23 o'clock than in the other hours.
  private static func moments(perHour: Double, until end: Int64, _ dice: inout Dice) -> [Int64] {
    var (moments, time) = ([Int64](), 0.0)
    while true {
      time += -Curves.ln(dice.share()) * 3600 / (perHour * byDay)
      guard time < Double(end) else { return moments }
      let hour = Int64(time) % Course.day / 3600
      if (7..<23).contains(hour) || dice.share() < byNight / byDay { moments.append(Int64(time)) }
    }
  }

  /// The factors of the mean rate; sixteen hours of the one and eight of the other make a day of the mean.
  private static let (byDay, byNight) = (1.3, 0.4)
}
