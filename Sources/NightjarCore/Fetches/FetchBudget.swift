public import NightjarModel
import NightjarHabits

/// What fetches may still cost, and how much a fetch must be worth for it: the threshold.
///
/// Each of three things may be spent so much of in a day: fetches, energy, bytes that cost money. Each has a price that
/// sinks as time passes and rises with what is spent, so slowly that it is much the same by day and by night and in the
/// course of weeks comes to where the allowance is spent and no more (an integral controller on the logarithm of the
/// price). The highest price of what a fetch would take just then is the threshold. Beside it each has a balance, which grows
/// to seven days' allowance; where one is overdrawn nothing is fetched that would take more of it, and where it is next to
/// nothing the price does not sink. What is not granted at all is never there, and moves no price.
public struct FetchBudget: Hashable, Sendable {
  /// What may be spent so much of in a day.
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

  /// One of them: its allowance, what is left of it and its price.
  public struct Account: Hashable, Sendable {
    /// What may be spent in a day, in its own unit.
    public var perDay: Double
    /// What is left, in days' allowances: at most seven.
    public var left: Double
    /// The natural logarithm of the price.
    public var price: Double
    /// Whether anything is granted.
    var isGranted: Bool { perDay > FetchBudget.nothing }

    /// An account as it was saved; values that make no sense are drawn into their bounds.
    public init(perDay: Double, left: Double = 1, price: Double) {
      self.perDay = perDay.isFinite ? max(perDay, FetchBudget.nothing) : FetchBudget.nothing
      self.left = left.isFinite ? min(max(left, -10), FetchBudget.leftMax) : 0
      self.price = price.isFinite ? min(max(price, FetchBudget.priceMin), FetchBudget.priceMax) : FetchBudget.priceFirst
    }

    /// Grants so many days' allowances. The price sinks by them, and far below the one that binds only by what the balance can
    /// take: so what was not spent meanwhile brings it back, or most of the way in its first weeks, once it binds itself.
    fileprivate mutating func grant(_ days: Double, gain: Double, binding: Double) {
      let taken = min(days, FetchBudget.leftMax - left)
      let (most, least) = (min(sinking(in: days), 1), min(sinking(in: taken), 1))
      price = max(price - most * gain, min(price - least * gain, binding - 1))
      left += taken
    }

    /// By how many days' allowances the price sinks in so many days: by none that comes in while there is next to nothing.
    /// Where all is spent as it comes the price is too low, however that came to be.
    func sinking(in days: Double) -> Double {
      days - max(0, min(left + days, FetchBudget.scarce) - max(left, -FetchBudget.scarce))
    }
  }

  /// The accounts, in the order of ``Good``.
  public private(set) var accounts: [Account]
  /// Days that the budget has lived through.
  public private(set) var days: Double
  /// Until when what was granted is counted.
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

  /// What a fetch must be worth by the prices of what it would take under such conditions; how dear the conditions themselves
  /// make it is the rule's to say.
  public func threshold(under device: Conditions) -> Double { Curves.exp(binding(under: device).price) }

  /// The account whose price binds under such conditions.
  func binding(under device: Conditions) -> Account {
    Good.allCases.reduce(account(of: .fetches)) { dearest, good in
      good.isTaken(under: device) && account(of: good).price > dearest.price ? account(of: good) : dearest
    }
  }

  /// The good that is overdrawn and that a fetch would take under such conditions, and when that ends.
  public func spent(under device: Conditions) -> (good: Good, until: Age)? {
    let taken = Good.allCases.filter { $0.isTaken(under: device) }
    guard let worst = taken.max(by: { wait(for: $0) < wait(for: $1) }), wait(for: worst) >= 0 else { return nil }
    return (worst, at + .seconds(wait(for: worst) * 86_400 + 1))
  }

  /// How many days it takes until there is something of a good: a day from now for ever, if it is not granted.
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

  /// Charges what was spent of a good, in its own unit.
  public mutating func spend(_ amount: Double, of good: Good) {
    let part = max(0, amount) / account(of: good).perDay
    guard part.isFinite, account(of: good).isGranted else { return }
    accounts[good.rawValue].left = max(accounts[good.rawValue].left - part, -10)
    accounts[good.rawValue].price += part * gain
    bound()
  }

  /// How much a day's allowance moves the price: much in the first days, while nobody knows what it should be.
  var gain: Double { max(Self.gainMin, Self.gainFirst / (1 + days)) }

  /// The price of energy and that of costly bytes follow the one of fetches, which are taken wherever these are: so they are not
  /// far off when their time comes. Not the other way round: nothing is dearer for what it does not take.
  private mutating func bound() {
    let least = max(account(of: .fetches).price - 1, Self.priceMin)
    for place in accounts.indices { accounts[place].price = min(max(accounts[place].price, least), Self.priceMax) }
  }

  private static func allowances(_ settings: FetchSettings, apps: Int) -> [Double] {
    [settings.perAppAndDay * Double(max(apps, 1)), settings.joulesPerDay, settings.expensiveBytesPerDay]
      .map { max($0, nothing) }
  }

  fileprivate static let nothing = 1e-6

  fileprivate static let leftMax = 7.0
  /// Up to which balance, in days' allowances, and from which debt on there is next to nothing: greater debts come of one
  /// great spending rather than of many that were too cheap.
  fileprivate static let scarce = 0.5
  fileprivate static let (priceMin, priceMax, priceFirst) = (-9.0, 9.0, -2.0)
  private static let (gainMin, gainFirst) = (0.4, 3.0)
}
