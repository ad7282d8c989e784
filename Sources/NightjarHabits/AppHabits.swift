import NightjarModel

/// What is learned of one app: about 150 numbers.
///
/// All evidence is weighted: what was seen long ago counts less. Times are on the line of ``Habits/lived``.
struct AppHabits: Hashable, Sendable {
  /// The app.
  let id: AppID
  /// How often, in each half hour, the app was opened within the next one.
  var uses = [Double](repeating: 0, count: Slot.count)
  /// Ticks that were seen since the app was first opened, on weekdays and at weekends.
  var ticks = Kinds()
  /// The sum of ``uses``.
  var total = 0.0
  /// For each step of time since its last use: how much more often it is opened than by the time of the day alone.
  var gaps = [Evidence](repeating: Evidence(), count: Gap.count)

  /// Visits that were begun, since the app was first opened or its habits were forgotten.
  var visits: Int64 = 0
  /// When the latest visit began.
  var opened: Int64
  /// When the app was last in use; while it is open, when that began.
  var used: Int64
  /// Whether it is open, as far as was reported.
  var isOpen = false
  /// The steps of ``Gap`` in which the last six ticks found the app, each as a byte, plus one; 0 where nothing is to be
  /// learned.
  var recent: UInt64 = 0

  init(id: AppID, at lived: Int64) { (self.id, opened, used) = (id, lived, lived) }

  /// The app with nothing learned of it. A visit goes on.
  func anew(at lived: Int64) -> AppHabits {
    var habits = AppHabits(id: id, at: lived)
    habits.isOpen = isOpen
    return habits
  }

  /// How likely an app is to be opened within half an hour at any time of the day, from its sums; `weight` is that of
  /// new evidence.
  static func mean(_ total: Double, _ ticks: Kinds, _ weight: Double) -> Double {
    let priorTicks = Self.priorTicks * weight
    return (total + priorTicks * Self.priorRate) / (ticks[0] + ticks[1] + priorTicks)
  }

  /// Until when the app is or was in use. A visit whose end is not reported is assumed to end after `Habits.visitMax`.
  var usedUntil: Int64 { used + (isOpen ? Habits.visitMax : 0) }

  /// How long the app has not been in use at a time of now or later; not above zero while it is.
  func pause(at lived: Int64) -> Int64 { lived - usedUntil }

  /// Whether the app is in use.
  func isInUse(at lived: Int64) -> Bool { isOpen && pause(at: lived) <= 0 }

  mutating func scale(by factor: Double) {
    for slot in uses.indices { uses[slot] *= factor }
    for step in gaps.indices { gaps[step].scale(by: factor) }
    ticks.scale(by: factor)
    total *= factor
  }

  /// The assumed rate of an app that was just opened for the first time, and how many ticks that weighs.
  private static let priorRate = 0.1
  private static let priorTicks = 72.0
}

/// A quantity on weekdays, and one at weekends.
struct Kinds: Hashable, Sendable {
  private var (weekday, weekend) = (0.0, 0.0)

  subscript(kind: Int) -> Double {
    get { kind == 0 ? weekday : weekend }
    set { if kind == 0 { weekday = newValue } else { weekend = newValue } }
  }

  mutating func scale(by factor: Double) { (weekday, weekend) = (weekday * factor, weekend * factor) }
}
