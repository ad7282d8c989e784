import NightjarHabits
import NightjarModel

/// What the rule goes by beside the books of each app, and when it is asked again.
struct FetchPlan: Sendable {
  let rule: FetchRule
  /// What was learned of the person, and when it is saved; what a fetch may cost.
  var habits: Habits
  var saving: HabitSaving
  var budget: FetchBudget
  /// What the radio does, as far as this daemon has seen, by which fetches are charged.
  var meter = RadioMeter(.wifi)
  /// The apps that are decided about.
  var prospects = Prospects()
  /// When the rule has to be asked again though nothing has happened.
  var look = FetchLook()
  /// The same on the wall clock: an app asked not to be run before, or clocks are set then.
  var appointment: Timestamp?
  /// Whether something has happened since it was asked that may change its answer.
  var isDisturbed = true
  /// When it was asked last, by this daemon.
  var askedAt: Age?
  /// When a person was seen to use the device last, by this daemon.
  var usedAt: Age?
  /// Why what was learned could not be gone on with, until that was told.
  var trouble: String?
  /// How far the wall clock may be corrected without counting as set.
  private let slack: Duration
  /// By how many milliseconds the wall clock was ahead of the boot clock when they were seen last, and in which boot.
  private var wallAhead: (boot: BootID, milliseconds: Int64)?
  /// By how many seconds the clocks of the place were ahead of UTC when they were seen last.
  private var offset: Int64?

  init(_ limits: Limits, habits: Habits, budget: FetchBudget?, at now: Age) {
    rule = FetchRule(FetchSettings(limits))
    slack = limits.clockSlack
    (self.habits, saving) = (habits, HabitSaving(limits, at: now))
    self.budget = budget ?? FetchBudget(rule.settings, apps: 1, at: now)
  }

  /// Takes a look at the clocks: what was foreseen by the time of the day does not hold once the wall clock is set or goes by
  /// another offset, and the time that has really passed is what the boot clock says.
  mutating func see(_ moment: Moment, _ local: LocalTime) {
    if local.offset != offset { disturbAll() }
    offset = local.offset
    let ahead = moment.wall.milliseconds - moment.boot.wholeMilliseconds
    let before = wallAhead
    wallAhead = (moment.bootID, ahead)
    guard let before, before.boot == moment.bootID else { return disturbAll() }
    guard abs(ahead - before.milliseconds) > slack.wholeMilliseconds else { return }
    disturbAll()
    habits.clockSet(from: local.later(by: (before.milliseconds - ahead) / 1000), to: local)
    if !habits.known.isEmpty { saving.learned(isUrgent: true) }  // An older state would count the leap as time.
  }

  /// Something has happened that concerns every app.
  mutating func disturbAll() {
    isDisturbed = true
    prospects.unsettle()
  }

  mutating func isDue(at now: Age, wall: Timestamp) -> Bool {
    isDisturbed || appointment.map { $0 <= wall } ?? false || nextLook(notAfter: now).map { $0 <= now } ?? false
  }

  /// When the rule has to be asked again though nothing has happened; nil if never, or not by then.
  mutating func nextLook(notAfter limit: Age?) -> Age? {
    look.time(notAfter: limit, rule, habits, prospects.entries)
  }

  /// Whether a person has used the device within so long.
  func wasUsed(within span: Duration, at now: Age) -> Bool { usedAt.map { now - $0 < span } ?? false }

  /// Whether the rule was asked within so long.
  func wasAsked(within span: Duration, at now: Age) -> Bool { askedAt.map { now - $0 < span } ?? false }
}
