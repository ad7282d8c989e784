import NightjarBacktest
import NightjarModel

/// The results of a backtest as tables: one for each budget, and below it the energy it takes.
struct BacktestTables {
  private let report: BacktestReport

  init(_ report: BacktestReport) { self.report = report }

  func lines(width: Int?, _ hasColour: Bool) -> [String] {
    let free = report.rows.filter { $0.budget == nil }
    let budgets = Budget.all.map(Optional.some).filter { budget in report.rows.contains { $0.budget == budget } }
    let parts = (budgets.isEmpty ? [nil] : budgets).flatMap { budget -> [String] in
      let rows = report.rows.filter { $0.budget == budget }
      let shown = budget == nil ? rows : free + rows
      return ["", heading(budget)] + Self.freshness(shown).lines(width: width, hasColour: hasColour)
        + [""] + Self.energy(shown).lines(width: width, hasColour: hasColour)
    }
    return [summary] + parts
  }

  private var summary: String {
    let apps = report.apps.counted("app of theirs", "apps of theirs")
    let launches = report.launches.counted("launch", "launches")
    return "\(report.users.counted("person", "people")), \(apps), \(launches). Means over people; "
      + "ages in minutes, energy in joules a day."
  }

  private func heading(_ budget: Budget?) -> String {
    switch budget {
    case .fetchesPerAppDay(let fetches): "At \(fetches.fixed(0)) fetches for each app and day:"
    case .joulesPerDay(let joules): "At \(joules.fixed(0)) J a day (LTE, batched):"
    case nil: "Without fetching:"
    }
  }

  private static func freshness(_ rows: [BacktestRow]) -> Table {
    let headings = ["FETCHES", "≤15", "≤30", "≤60", "IDLE≤30", "MEDIAN", "P90", "WASTED", "OVER POLL (≤30)"]
    var table = Table([.init(heading: "POLICY")] + headings.map { .init(heading: $0, side: .right) })
    for row in rows {
      let figures = [
        row.fetchesPerAppDay.fixed(2), row.fresh15.fixed(3), row.fresh30.fixed(3), row.fresh60.fixed(3),
        row.idleFresh30?.fixed(3) ?? "-", row.ageMedianMinutes.fixed(1), row.ageP90Minutes.fixed(0),
        row.wasted.fixed(2),
        row.comparison,
      ]
      table.append(([row.policy] + figures).map { Table.Cell($0, row.style) })
    }
    return table
  }

  private static func energy(_ rows: [BacktestRow]) -> Table {
    let headings = ["WAKES", "LTE", "BATCHED", "3G", "BATCHED", "WIFI", "BATCHED"]
    var table = Table([.init(heading: "POLICY")] + headings.map { .init(heading: $0, side: .right) })
    for row in rows {
      let figures = [
        row.wakesPerDay, row.joulesLTE, row.joulesLTEBatched, row.joules3G, row.joules3GBatched, row.joulesWiFi,
        row.joulesWiFiBatched,
      ]
      table.append(([row.policy] + figures.map { $0.fixed(1) }).map { Table.Cell($0, row.style) })
    }
    return table
  }
}

extension BacktestRow {
  fileprivate var budget: Budget? {
    budgetFetchesPerAppDay.map { .fetchesPerAppDay($0) } ?? budgetJoulesPerUserDay.map { .joulesPerDay($0) }
  }

  fileprivate var style: Style { policy == PolicyName.nightjar.rawValue ? .good : .plain }

  /// How much better than polling it is, between which bounds, and for how many people.
  fileprivate var comparison: String {
    guard let wins = winsOverPoll, let gain = fresh30OverPoll, let low = fresh30OverPollLow,
      let high = fresh30OverPollHigh
    else { return "-" }
    return "\(gain.signed) [\(low.signed), \(high.signed)] \(wins)/\(users)"
  }
}

extension Int {
  /// So many, with the word for one or for any other number.
  func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension Double {
  fileprivate var signed: String { (self < 0 ? "" : "+") + fixed(3) }
}
