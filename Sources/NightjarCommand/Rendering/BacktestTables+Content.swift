import NightjarBacktest
import NightjarModel

extension BacktestTables {
  /// The results of each policy, with content that changes at its own rates.
  static func content(_ rows: [ContentTrial.Row], width: Int?, _ hasColour: Bool) -> [String] {
    let headings = ["BUDGET", "FETCHES", "UP TO DATE", "NOTHING NEW"]
    var table = Table([.init(heading: "DECIDED BY")] + headings.map { .init(heading: $0, side: .right) })
    for row in rows {
      let figures = [
        row.budgetFetchesPerAppDay.fixed(0), row.fetchesPerAppDay.fixed(2), row.upToDate.fixed(3), row.noData.fixed(3),
      ]
      let style = row.manner == .value ? Style.good : .plain
      table.append(([row.manner.rawValue] + figures).map { Table.Cell($0, style) })
    }
    let people = (rows.first?.users ?? 0).counted("person", "people")
    return ["\(people), with content that is made up; shares of their launches and of fetches.", ""]
      + table.lines(width: width, hasColour: hasColour)
  }
}
