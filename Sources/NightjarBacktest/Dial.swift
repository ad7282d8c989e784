import NightjarCore
import NightjarHabits

/// Turns a policy's one setting until it spends what it may and no more: the threshold of a rule, the period of a poll.
///
/// The setting is found by bisection, for each person alone, knowing what it leads to; the decisions themselves know
/// only what has happened by their moment. All trials are remembered for the budgets that follow.
struct Dial {
  private struct Trial {
    var setting: Double
    var tally: Tally
    var fetches: Double
    var joules: Double

    func spent(_ budget: Budget) -> (spent: Double, allowed: Double) {
      switch budget {
      case .fetchesPerAppDay(let allowed): (fetches, allowed)
      case .joulesPerDay(let allowed): (joules, allowed)
      }
    }
  }

  private let range: ClosedRange<Double>
  private let start: Double
  private let traffic: [Range<Int64>]
  private let run: (Double) -> Tally
  /// The result of a budget for a policy that keeps to it by itself; nil where the setting is to be found.
  private var keep: ((Budget) -> Tally)?
  /// In the order of their settings, so with ever fewer fetches.
  private var trials: [Trial] = []

  /// - Parameters:
  ///   - range: The settings that make sense, above zero; a larger one spends less.
  ///   - start: The one to try first.
  ///   - run: The result of a setting.
  init(
    _ range: ClosedRange<Double>, start: Double, traffic: [Range<Int64>], run: @escaping (Double) -> Tally
  ) {
    (self.range, self.start, self.traffic, self.run) = (range, start, traffic, run)
  }

  /// For a policy that is told its budget and keeps to it as well as it can.
  init(keep: @escaping (Budget) -> Tally) {
    self.init(1...1, start: 1, traffic: []) { _ in Tally() }
    self.keep = keep
  }

  /// The result of a setting that spends no more than a budget, and nearly all of it if any does.
  mutating func tally(within budget: Budget) -> Tally {
    if let keep { return keep(budget) }
    widen(for: budget)
    for number in 0..<Self.trialsMax {
      guard let above = place(above: budget), above + 1 < trials.count else { break }
      let (spent, allowed) = trials[above + 1].spent(budget)
      if spent >= allowed * Self.precision { break }
      let isTight = trials[above + 1].setting / trials[above].setting < 1 + 1e-9
      if isTight { break }
      attempt(between(above, budget, halves: number % 3 == 2))
    }
    return trials[min((place(above: budget) ?? -1) + 1, trials.count - 1)].tally
  }

  /// Tries ever larger and ever smaller settings, until one spends too much and one does not.
  private mutating func widen(for budget: Budget) {
    if trials.isEmpty { attempt(start) }
    while let last = trials.last, place(above: budget) == trials.count - 1, last.setting < range.upperBound {
      attempt(min(last.setting * Self.stride, range.upperBound))
    }
    while let first = trials.first, place(above: budget) == nil, first.setting > range.lowerBound {
      attempt(max(first.setting / Self.stride, range.lowerBound))
    }
  }

  /// The last of the trials that spend too much; nil if none does.
  private func place(above budget: Budget) -> Int? {
    trials.lastIndex { $0.spent(budget).spent > $0.spent(budget).allowed }
  }

  /// A setting between two trials, where the budget should be if spending fell evenly; in the middle every third time.
  private func between(_ place: Int, _ budget: Budget, halves: Bool) -> Double {
    let (low, high) = (trials[place], trials[place + 1])
    let (spent, allowed) = low.spent(budget)
    let rest = high.spent(budget).spent
    let share = halves ? 0.5 : Curves.ln(spent / (allowed * Self.aim)) / Curves.ln(spent / max(rest, spent * 1e-3))
    return low.setting * Curves.exp(Curves.ln(high.setting / low.setting) * min(max(share, 0.02), 0.98))
  }

  private mutating func attempt(_ setting: Double) {
    let tally = run(setting)
    let trial = Trial(
      setting: setting, tally: tally, fetches: tally.fetchesPerAppDay,
      joules: tally.joulesBatched(.lte, traffic: traffic))
    let place = trials.firstIndex { $0.setting > setting } ?? trials.count
    trials.insert(trial, at: place)
  }

  /// The factor between the settings of the first trials.
  private static let stride = 3.0
  private static let trialsMax = 14
  /// What part of a budget has to be spent, and what part is aimed at.
  private static let (precision, aim) = (0.99, 0.995)
}
