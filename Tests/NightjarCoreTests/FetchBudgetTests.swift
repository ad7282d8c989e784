import NightjarCore
import NightjarModel
import Testing

@Suite struct FetchBudgetTests {
  private let settings = FetchSettings()
  private let indoors = Conditions()

  @Test func `spending raises the threshold, and time lowers it`() {
    var budget = FetchBudget(settings, apps: 10, at: .zero)
    let before = budget.threshold(under: indoors)

    budget.spend(20, of: .fetches)
    let spent = budget.threshold(under: indoors)
    budget.advance(to: Age(.hours(12)), apps: 10, under: indoors, settings)

    #expect(spent > before)
    #expect(budget.threshold(under: indoors) < spent)
  }

  @Test(arguments: [1.0, 4.0, 16.0]) func `in the long run what is granted is spent, and no more`(perDay: Double) {
    var settings = settings
    settings.perAppAndDay = perDay
    var budget = FetchBudget(settings, apps: 10, at: .zero)

    live(&budget, 0..<30, under: indoors, settings)
    let spent = live(&budget, 30..<60, under: indoors, settings).fetches

    #expect((0.85...1.1).contains(Double(spent) / (30 * 10 * perDay)))
  }

  /// In which days, and whether on a metered network or on none.
  @Test(arguments: [0..<7, 30..<60] as [Range<Int64>], [true, false])
  func `weeks in which little was fetched leave it too cheap no longer than for what they have saved`(
    days: Range<Int64>, isMetered: Bool
  ) {
    var (budget, other) = (FetchBudget(settings, apps: 10, at: .zero), FetchBudget(settings, apps: 10, at: .zero))
    live(&budget, 0..<days.lowerBound, under: indoors, settings)
    let device = isMetered ? abroad : Conditions(isOnline: false)
    live(&budget, days, under: device, settings)
    live(&budget, days.upperBound..<(days.upperBound + 14), under: indoors, settings)

    let after = live(&budget, (days.upperBound + 14)..<(days.upperBound + 21), under: indoors, settings).threshold
    #expect(after > live(&other, 0..<14, under: indoors, settings).threshold / 2)
  }

  /// Each hour of some days there are offers of many worths; whatever is worth the threshold is taken. How many were,
  /// and what they had to be worth on the average.
  @discardableResult
  private func live(
    _ budget: inout FetchBudget, _ days: Range<Int64>, under device: Conditions, _ settings: FetchSettings
  ) -> (fetches: Int, threshold: Double) {
    var (fetches, sum) = (0, 0.0)
    for hour in (days.lowerBound * 24)..<(days.upperBound * 24) {
      budget.advance(to: Age(.hours(hour)), apps: 10, under: device, settings)
      sum += budget.threshold(under: device)
      let day = hour % 24 > 7 ? 1.0 : 0.1
      for offer in 0..<(device.isOnline ? 40 : 0) {
        let isWorth = day * Double(offer * 17 % 40 + 1) / 200 >= budget.threshold(under: device)
        guard isWorth, budget.spent(under: device) == nil else { continue }
        budget.spend(1, of: .fetches)
        if device.network.isExpensive { budget.spend(5_000_000, of: .bytes) }
        fetches += 1
      }
    }
    return (fetches, sum / Double(max(days.count, 1) * 24))
  }

  private let onBattery = Conditions(power: .battery)
  private let abroad = Conditions(network: .cellular)

  @Test func `what is overdrawn keeps waiting what would take more of it, until it has come in again`() throws {
    var budget = FetchBudget(settings, apps: 1, at: .zero)
    #expect(budget.spent(under: onBattery) == nil)

    budget.spend(settings.joulesPerDay * 3, of: .joules)
    let spent = try #require(budget.spent(under: onBattery))
    #expect(spent.good == .joules && budget.spent(under: abroad) == nil)
    budget.advance(to: spent.until, apps: 1, under: indoors, settings)

    #expect(budget.spent(under: onBattery) == nil)
  }

  @Test func `fetches that are overdrawn keep everything waiting`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)

    budget.spend(settings.perAppAndDay * 2, of: .fetches)

    #expect([indoors, onBattery, abroad].allSatisfy { budget.spent(under: $0)?.good == .fetches })
  }

  @Test func `what is not granted is never there, and is at once when it is granted again`() {
    var none = settings
    (none.perAppAndDay, none.expensiveBytesPerDay) = (0, 0)
    var budget = FetchBudget(none, apps: 3, at: .zero)
    let before = budget.threshold(under: indoors)

    budget.spend(1e9, of: .bytes)
    budget.spend(3, of: .fetches)
    budget.advance(to: Age(.days(30)), apps: 3, under: indoors, none)
    #expect(budget.spent(under: indoors)?.good == .fetches && budget.threshold(under: indoors) <= before)
    budget.advance(to: Age(.days(30) + .seconds(1)), apps: 3, under: indoors, settings)

    #expect(budget.spent(under: abroad) == nil)
  }

  @Test func `an allowance that binds again after long is not far off`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)

    for day in Int64(1)...100 {
      budget.advance(to: Age(.days(day)), apps: 1, under: indoors, settings)
      budget.spend(settings.perAppAndDay, of: .fetches)
    }

    let (fetches, bytes) = (budget.account(of: .fetches).price, budget.account(of: .bytes).price)
    #expect(bytes >= fetches - 1)
  }

  @Test func `nothing is dearer for what it does not take, however much of that was spent`() {
    var (budget, modest) = (FetchBudget(settings, apps: 1, at: .zero), FetchBudget(settings, apps: 1, at: .zero))

    budget.spend(settings.expensiveBytesPerDay * 8, of: .bytes)
    for hour in Int64(0)...72 {
      for device in [indoors, onBattery] {
        #expect(budget.threshold(under: device) == modest.threshold(under: device))
        #expect(budget.spent(under: device) == nil)
      }
      #expect(budget.threshold(under: abroad) > modest.threshold(under: abroad))
      budget.advance(to: Age(.hours(hour)), apps: 1, under: indoors, settings)
      modest.advance(to: Age(.hours(hour)), apps: 1, under: indoors, settings)
      if hour % 3 == 0 { budget.spend(1, of: .fetches) }
      if hour % 3 == 0 { modest.spend(1, of: .fetches) }
    }
  }

  /// Bytes bind for months; then those fetches are made that were not, as many as the balance holds.
  @Test func `what others have kept from being spent is as dear as before once its balance is spent`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)
    spendAsGranted(&budget, days: 0..<20)
    let before = budget.account(of: .fetches)

    for hour in Int64(20 * 24)...(100 * 24) {
      budget.advance(to: Age(.hours(hour)), apps: 1, under: abroad, settings)
      if budget.account(of: .bytes).price < -1 { budget.spend(settings.expensiveBytesPerDay / 5, of: .bytes) }
      if hour % 24 == 0 { budget.spend(1, of: .fetches) }
    }
    budget.spend((budget.account(of: .fetches).left - before.left) * settings.perAppAndDay, of: .fetches)

    #expect((budget.account(of: .fetches).price - before.price).magnitude < 0.1)
  }

  @Test func `what one great spending has left dear is as cheap as before once that has come in again`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)
    spendAsGranted(&budget, days: 0..<20)
    let before = budget.account(of: .bytes).price

    budget.spend(settings.expensiveBytesPerDay * 14, of: .bytes)
    spendAsGranted(&budget, days: 20..<34)

    #expect(budget.account(of: .bytes).price - before < 0.5)
  }

  @Test func `what is overdrawn beyond all bounds is no dearer than the greatest debt`() {
    var (budget, modest) = (FetchBudget(settings, apps: 1, at: .zero), FetchBudget(settings, apps: 1, at: .zero))

    budget.spend(settings.expensiveBytesPerDay * 20, of: .bytes)
    modest.spend(settings.expensiveBytesPerDay * 11, of: .bytes)

    #expect(budget == modest)
  }

  @Test func `what is given back counts as never spent`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)
    let before = budget.account(of: .fetches)

    budget.spend(1, of: .fetches)
    budget.giveBack(1, of: .fetches)

    let after = budget.account(of: .fetches)
    #expect((after.left - before.left).magnitude < 1e-9 && (after.price - before.price).magnitude < 1e-9)
  }

  private func spendAsGranted(_ budget: inout FetchBudget, days: Range<Int64>) {
    for hour in (days.lowerBound * 24)..<(days.upperBound * 24) {
      budget.spend(settings.perAppAndDay / 24, of: .fetches)
      budget.advance(to: Age(.hours(hour + 1)), apps: 1, under: indoors, settings)
    }
  }

  @Test func `balances neither grow nor sink without end`() {
    var budget = FetchBudget(settings, apps: 1, at: .zero)

    budget.advance(to: Age(.days(4000)), apps: 1, under: indoors, settings)
    budget.spend(.infinity, of: .bytes)
    budget.spend(-5, of: .bytes)
    budget.spend(1e300, of: .joules)

    for account in budget.accounts {
      #expect((-10...7).contains(account.left))
      #expect(account.price.isFinite)
    }
    let threshold = budget.threshold(under: Conditions(network: .cellular, power: .battery))
    #expect(threshold > 0 && threshold.isFinite)
  }

  @Test func `a clock that goes back grants nothing`() {
    var budget = FetchBudget(settings, apps: 1, at: Age(.days(3)))
    let before = budget

    budget.advance(to: Age(.days(2)), apps: 1, under: indoors, settings)

    #expect(budget == before)
  }

  @Test func `what was saved is gone on with, and drawn into its bounds`() {
    var budget = FetchBudget(settings, apps: 4, at: .zero)
    budget.spend(3, of: .fetches)

    #expect(FetchBudget(accounts: budget.accounts, days: budget.days, at: budget.at) == budget)
    let rubbish = FetchBudget.Account(perDay: .nan, left: .infinity, price: .nan)
    #expect(FetchBudget(accounts: [rubbish], days: .nan, at: .zero).threshold(under: indoors).isFinite)
  }
}
