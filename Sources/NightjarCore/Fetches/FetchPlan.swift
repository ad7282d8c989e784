import NightjarHabits
import NightjarModel

/// The rule, its input apart from the apps' records, and when it is next asked.
struct FetchPlan: Sendable {
  let rule: FetchRule
  /// The person's habits, when they are saved, and what fetches may cost.
  var habits: Habits
  var saving: HabitSaving
  var budget: FetchBudget
  /// The radio's activity as far as this daemon has seen it; fetches are charged by it.
  var meter = RadioMeter(.wifi)
  /// The apps that are decided about.
  var prospects = Prospects()
  /// When the rule has to be asked again though nothing has happened.
  var look = FetchLook()
  /// The same on the wall clock: when an app's earliest begin comes, or the local clocks are set.
  var appointment: Timestamp?
  /// Whether something that may change the rule's answer has happened since it was last asked.
  var isDisturbed = true
  /// When this daemon last asked the rule.
  var askedAt: Age?
  /// When this daemon last saw a person use the device.
  var usedAt: Age?
  /// Why the saved habits could not be used, until that is reported.
  var trouble: String?
  /// How far the wall clock may be corrected without counting as set.
  private let slack: Duration
  /// By how many milliseconds the wall clock was ahead of the boot clock when they were seen last, and in which boot.
  private var wallAhead: (boot: BootID, milliseconds: Int64)?
  /// By how many seconds the local clocks were ahead of UTC when last seen.
  private var offset: Int64?

  init(_ limits: Limits, habits: Habits, budget: FetchBudget?, at now: Age) {
    rule = FetchRule(FetchSettings(limits))
    slack = limits.clockSlack
    (self.habits, saving) = (habits, HabitSaving(limits, at: now))
    self.budget = budget ?? FetchBudget(rule.settings, apps: 1, at: now)
  }

  /// Reads the clocks. What was foreseen by the time of day no longer holds once the wall clock is set or its offset
  /// from UTC changes; the boot clock tells how much time has really passed.
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

  /// Notes that something has happened that concerns every app.
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
