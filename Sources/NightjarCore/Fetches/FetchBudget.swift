public import NightjarModel
import NightjarHabits

/// What fetches may still cost, and from that the threshold: how much a fetch must be worth.
///
/// Three goods have a daily allowance each: fetches, energy, bytes that cost money. Each has a price that falls with
/// time and rises with spending (an integral controller on the logarithm of the price). It moves so slowly that it is
/// much the same by day and by night, and settles in the course of weeks where the allowance is spent and no more. The
/// threshold is the highest price among the goods that a fetch would take at that moment. Each good also has a balance
/// of at most seven days' allowance. While it is overdrawn, nothing is fetched that would take more of that good; while
/// it is nearly empty, the price does not fall. A good without an allowance is never available, and moves no price.
public struct FetchBudget: Hashable, Sendable {
  /// Something with a daily allowance.
  public enum Good: Int, Hashable, Sendable, CaseIterable {
    /// Fetches themselves.
    case fetches
    /// Estimated joules out of a battery.
    case joules
    /// Bytes over networks that cost money.
    case bytes

    /// Whether a fetch takes it under such conditions.
    public func isTaken(under device: Conditions) -> Bool {
      switch self {
      case .fetches: true
      case .joules: device.power == .battery
      case .bytes: device.network.isExpensive
      }
    }
  }

  /// The account of one good: its allowance, its balance and its price.
  public struct Account: Hashable, Sendable {
    /// What may be spent in a day, in its own unit.
    public var perDay: Double
    /// The balance, in days' allowances: at most seven, and negative while it is overdrawn.
    public var left: Double
    /// The natural logarithm of the price.
    public var price: Double
    /// Whether anything is granted.
    var isGranted: Bool { perDay > FetchBudget.nothing }

    /// An account as it was saved; values that make no sense are brought within their bounds.
    public init(perDay: Double, left: Double = 1, price: Double) {
      self.perDay = perDay.isFinite ? max(perDay, FetchBudget.nothing) : FetchBudget.nothing
      self.left = left.isFinite ? min(max(left, FetchBudget.leftMin), FetchBudget.leftMax) : 0
      self.price = price.isFinite ? min(max(price, FetchBudget.priceMin), FetchBudget.priceMax) : FetchBudget.priceFirst
    }

    /// Grants the allowances of `days`, and lets the price fall by them. A price more than 1 below the binding one
    /// falls only by what the balance can take in. So once it binds itself, spending the balance raises it back, or
    /// most of the way in its first weeks.
    fileprivate mutating func grant(_ days: Double, gain: Double, binding: Double) {
      let taken = min(days, FetchBudget.leftMax - left)
      let (most, least) = (min(sinking(in: days), 1), min(sinking(in: taken), 1))
      price = max(price - most * gain, min(price - least * gain, binding - 1))
      left += taken
    }

    /// By how many days' allowances the price falls in `days`: income while the balance is nearly empty does not count.
    /// Where everything is spent as it comes in, the price is too low, whatever the cause.
    func sinking(in days: Double) -> Double {
      days - max(0, min(left + days, FetchBudget.scarce) - max(left, -FetchBudget.scarce))
    }
  }

  /// The accounts, in the order of ``Good``.
  public private(set) var accounts: [Account]
  /// Days that the budget has lived through.
  public private(set) var days: Double
  /// Up to when allowances have been granted.
  public private(set) var at: Age

  /// A new budget.
  public init(_ settings: FetchSettings, apps: Int, at now: Age) {
    accounts = Self.allowances(settings, apps: apps).map { Account(perDay: $0, price: Self.priceFirst) }
    (days, at) = (0, now)
  }

  /// A budget as it was saved.
  public init(accounts: [Account], days: Double, at: Age) {
    let missing = Good.allCases.count - accounts.count
    let others = [Account](repeating: Account(perDay: 1, price: Self.priceFirst), count: max(0, missing))
    self.accounts = Array((accounts + others).prefix(Good.allCases.count))
    (self.days, self.at) = (days.isFinite ? max(0, days) : 0, at)
  }

  /// The account of a good.
  public func account(of good: Good) -> Account { accounts[good.rawValue] }

  /// What a fetch must be worth by the prices of the goods that it would take under such conditions. The rule adds what
  /// the conditions themselves call for (``FetchRule/threshold(_:_:)``).
  public func threshold(under device: Conditions) -> Double { Curves.exp(binding(under: device).price) }

  /// The account with the highest price among those that a fetch would take from under such conditions.
  func binding(under device: Conditions) -> Account {
    Good.allCases.reduce(account(of: .fetches)) { dearest, good in
      good.isTaken(under: device) && account(of: good).price > dearest.price ? account(of: good) : dearest
    }
  }

  /// The overdrawn good that a fetch would take under such conditions, and until when it is; of several, the one that
  /// takes longest.
  public func spent(under device: Conditions) -> (good: Good, until: Age)? {
    let taken = Good.allCases.filter { $0.isTaken(under: device) }
    guard let worst = taken.max(by: { wait(for: $0) < wait(for: $1) }), wait(for: worst) >= 0 else { return nil }
    return (worst, at + .seconds(wait(for: worst) * 86_400 + 1))
  }

  /// Days until a good is available again, negative while it is; always a day from now for a good without an allowance.
  private func wait(for good: Good) -> Double { account(of: good).isGranted ? -account(of: good).left : 1 }

  /// Grants what has come due by now, for so many apps that want fetches, on a device under such conditions.
  public mutating func advance(to now: Age, apps: Int, under device: Conditions, _ settings: FetchSettings) {
    let passed = max(0, (now - at).inSeconds / 86_400)
    at = max(at, now)
    let dearest = binding(under: device)
    let binding = dearest.price - min(dearest.sinking(in: passed), 1) * gain
    for (place, perDay) in Self.allowances(settings, apps: apps).enumerated() {
      accounts[place].perDay = perDay
      accounts[place].grant(passed, gain: gain, binding: binding)
    }
    days += passed
    bound()
  }

  /// Charges what was spent of a good, in its own unit. What would overdraw the balance beyond its bound is forgotten:
  /// it does not raise the price either.
  public mutating func spend(_ amount: Double, of good: Good) {
    let part = max(0, amount) / account(of: good).perDay
    guard part.isFinite, account(of: good).isGranted else { return }
    let left = account(of: good).left
    accounts[good.rawValue].left = max(left - part, Self.leftMin)
    accounts[good.rawValue].price += min(part, left - Self.leftMin) * gain
    bound()
  }

  /// Takes back a charge for what was not spent after all.
  public mutating func giveBack(_ amount: Double, of good: Good) {
    let part = max(0, amount) / account(of: good).perDay
    guard part.isFinite, account(of: good).isGranted else { return }
    accounts[good.rawValue].left = min(account(of: good).left + part, Self.leftMax)
    accounts[good.rawValue].price -= part * gain
    bound()
  }

  /// How much a day's allowance moves the price: much in the first days, while the right price is unknown.
  var gain: Double { max(Self.gainMin, Self.gainFirst / (1 + days)) }

  /// Keeps the prices of energy and costly bytes close behind the price of fetches, which every fetch takes as well: so
  /// they are not far off once they bind. Not the other way round: nothing gets dearer for what it does not take.
  private mutating func bound() {
    let least = max(account(of: .fetches).price - 1, Self.priceMin)
    for place in accounts.indices { accounts[place].price = min(max(accounts[place].price, least), Self.priceMax) }
  }

  private static func allowances(_ settings: FetchSettings, apps: Int) -> [Double] {
    [settings.perAppAndDay * Double(max(apps, 1)), settings.joulesPerDay, settings.expensiveBytesPerDay]
      .map { max($0, nothing) }
  }

  fileprivate static let nothing = 1e-6

  fileprivate static let (leftMin, leftMax) = (-10.0, 7.0)
  /// Balances and debts up to this, in days' allowances, count as nearly empty. Greater debts come from one great
  /// expense, not from many fetches that were too cheap.
  fileprivate static let scarce = 0.5
  fileprivate static let (priceMin, priceMax, priceFirst) = (-9.0, 9.0, -2.0)
  private static let (gainMin, gainFirst) = (0.4, 3.0)
}
