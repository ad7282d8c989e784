import NightjarHabits
import NightjarModel

/// The search for the ticks of the coming day at which fetches are worth it, as far as can be foreseen.
///
/// Ticks lie at multiples of their length on the device's time, so that several apps' fetches come together; they are
/// counted from the first one after now. Between two changes of the forecast a fetch becomes worth more with every
/// tick, and the threshold falls as allowances come in; so one look at the last tick before a change tells whether the
/// others need to be looked at.
struct FetchSearch {
  private let rule: FetchRule
  private let outlook: Outlook
  private let now: FetchRule.Instant
  private let threshold: Double
  private let gain: Double
  /// The account whose price the threshold follows down.
  private let binding: FetchBudget.Account
  /// What the threshold has fallen to at the end of the search.
  private let least: Double
  private let opens: Bool
  /// Until when an overdrawn allowance keeps everything waiting.
  private let spentUntil: Age?
  /// Seconds from one tick to the next, and from now to the first.
  private let length: Int64
  private let first: Int64
  /// The first tick to look at, and the end of all ticks.
  private var begin: Int64 = 0
  let end: Int64
  /// Whether the search covers all of `lookMax`, and does not end at `limit`.
  let isWhole: Bool

  init(
    _ rule: FetchRule, _ habits: Habits, _ device: Conditions, _ budget: FetchBudget, isWindowOpen: Bool,
    at now: FetchRule.Instant, within lookMax: Duration, notAfter limit: Age? = nil
  ) {
    (self.rule, self.now) = (rule, now)
    (gain, binding, opens) = (budget.gain, budget.binding(under: device), !isWindowOpen)
    threshold = rule.threshold(device, budget) * (isWindowOpen ? rule.settings.joinFactor : 1)
    spentUntil = budget.spent(under: device)?.until
    length = Self.length(rule.settings)
    first = Self.first(rule.settings, at: now.age)
    let seconds = min(max(lookMax.wholeSeconds, length), 7 * 86_400)
    let last = Self.ticks(upTo: limit ?? now.age + .seconds(seconds + length), now.age, first, length)
    (end, isWhole) = (min(last, seconds / length), last > seconds / length)
    least = threshold * Curves.exp(-gain * binding.sinking(in: Double(seconds + length) / 86_400))
    outlook = habits.outlook(at: now.local, halfHours: Int((first + end * length) / 1800) + 2)
  }

  /// How long it is from a point to the first tick after it.
  static func pause(_ settings: FetchSettings, at now: Age) -> Duration {
    Age(.seconds(now.sinceFirst.wholeSeconds + first(settings, at: now))) - now
  }

  private static func length(_ settings: FetchSettings) -> Int64 { max(settings.tick.wholeSeconds, 1) }

  private static func first(_ settings: FetchSettings, at now: Age) -> Int64 {
    length(settings) - now.sinceFirst.wholeSeconds % length(settings)
  }

  /// Skips the ticks up to a point.
  mutating func skip(to point: Age) { begin = Self.ticks(upTo: point, now.age, first, length) }

  private static func ticks(upTo point: Age, _ now: Age, _ first: Int64, _ length: Int64) -> Int64 {
    let seconds = point.sinceFirst.wholeSeconds - now.sinceFirst.wholeSeconds
    return seconds < first ? 0 : (seconds - first) / length + 1
  }

  func age(ofTick tick: Int64) -> Age { Age(.seconds(now.age.sinceFirst.wholeSeconds + offset(tick))) }

  /// The place of an app among the habits, tried first where it was before; nil if time can make no fetch of it worth
  /// it.
  func place(of prospect: Prospect, near place: Int?) -> Int? {
    prospect.timing.interval == nil ? nil : outlook.start.place(of: prospect.app, near: place)
  }

  /// The ticks at which an app is refreshed, if nothing else happens, in order.
  func ticks(for candidate: FetchRule.Candidate, max: Int) -> [Int64] {
    guard let interval = candidate.interval, let place = outlook.start.place(of: candidate.app) else { return [] }
    let timing = FetchRule.Timing(candidate)
    var view = view(of: timing, at: place)
    let floor = Swift.max(interval, rule.settings.intervalMin)
    var tick = Swift.max(start(timing, floor), begin)
    var found: [Int64] = []
    while tick < end, found.count < max {
      guard let next = self.next(from: tick, before: end, place, view) else { break }
      found.append(next)
      view.age = .zero - .seconds(offset(next))
      tick = Swift.max(next + 1, self.tick(notBefore: .seconds(offset(next)) + floor))
    }
    return found
  }

  /// The first of these ticks, if it comes before `end`.
  func firstTick(for timing: FetchRule.Timing, at place: Int, before end: Int64) -> Int64? {
    guard let interval = timing.interval else { return nil }
    let tick = Swift.max(start(timing, Swift.max(interval, rule.settings.intervalMin)), begin)
    return tick < end ? next(from: tick, before: end, place, view(of: timing, at: place)) : nil
  }

  private func view(of timing: FetchRule.Timing, at place: Int) -> View {
    View(updates: timing.updates, age: timing.age(at: now.age), sinceUse: outlook.start.sinceUse(place))
  }

  /// What changes only with an app's fetches in the course of a search.
  private struct View {
    let updates: UpdateRate
    /// How old its content is now; negative if it will be brought up to date later.
    var age: Duration
    let sinceUse: Duration
  }

  /// The first tick from a given one on at which a fetch is worth it.
  private func next(from begin: Int64, before end: Int64, _ place: Int, _ view: View) -> Int64? {
    var tick = begin
    while tick < end {
      let (forecast, until) = outlook.forecast(place, after: offset(tick))
      let last = min(max(tick, (until - 1 - first) / length), end - 1)
      if isDue(last, forecast, view) { return (tick...last).first { isDue($0, forecast, view) } }
      tick = last + 1
    }
    return nil
  }

  private func isDue(_ tick: Int64, _ forecast: Forecast, _ view: View) -> Bool {
    let seconds = offset(tick)
    let age = view.age + .seconds(seconds)
    if rule.isNeglected(age, view.sinceUse + .seconds(seconds), opens) { return true }
    let hours = age.inSeconds / 3600
    guard FetchRule.ceiling(forecast, age: hours, updates: view.updates) >= least else { return false }
    let value = FetchRule.value(forecast, age: hours, updates: view.updates)
    return value >= threshold * Curves.exp(-gain * binding.sinking(in: Double(seconds) / 86_400))
  }

  /// The first tick by which all obstacles that end at a known time are gone.
  private func start(_ timing: FetchRule.Timing, _ floor: Duration) -> Int64 {
    let fetched = timing.fetchedAt.map { tick(notBefore: $0 + floor - now.age) } ?? 0
    let failed = timing.notBefore.map { tick(notBefore: $0 - now.age) } ?? 0
    return Swift.max(fetched, failed, spentUntil.map { tick(notBefore: $0 - now.age) } ?? 0)
  }

  private func offset(_ tick: Int64) -> Int64 { first + tick * length }

  /// The first tick at least `wait` from now.
  private func tick(notBefore wait: Duration) -> Int64 {
    guard wait > .zero else { return 0 }
    let whole = wait.wholeSeconds
    let seconds = min(whole, 1 << 40) + (wait > .seconds(whole) ? 1 : 0)
    return max(0, (seconds - first + length - 1) / length)
  }
}
