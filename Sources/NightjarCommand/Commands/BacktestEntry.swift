import NightjarBacktest

/// A row of a backtest in JSON. It repeats what people read above the table, since the document is an array of rows.
struct BacktestEntry: Encodable {
  let row: BacktestRow
  let report: BacktestReport

  private enum CodingKeys: String, CodingKey {
    case apps, launches
    case usersLeftOut = "users_left_out"
  }

  func encode(to encoder: any Encoder) throws {
    try row.encode(to: encoder)
    var entries = encoder.container(keyedBy: CodingKeys.self)
    try entries.encode(report.apps, forKey: .apps)
    try entries.encode(report.launches, forKey: .launches)
    try entries.encode(report.unfit.count, forKey: .usersLeftOut)
  }
}
