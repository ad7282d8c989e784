import NightjarModel

/// How often an app may be launched into the background: so many times at once, and once more after each interval.
///
/// All that is kept of it is one age for each app, up to which its launches are paid for. Every launch moves it on by
/// one interval, and it lies at most ``max`` intervals ahead (the generic cell rate algorithm).
struct LaunchBudget {
  let max: Int
  let interval: Duration

  init(_ limits: Limits) { (max, interval) = (limits.launchesPerAppMax, limits.launchInterval) }

  /// When another launch is granted; nil if at once.
  func grant(paidUntil: Age?, at now: Age) -> Age? {
    guard let paidUntil else { return nil }
    let grant = Age(paidUntil.sinceFirst - interval * (max - 1))
    return grant > now ? grant : nil
  }

  /// Up to when the launches are paid for after another one.
  func paid(after paidUntil: Age?, at now: Age) -> Age { Swift.max(paidUntil ?? now, now) + interval }
}
