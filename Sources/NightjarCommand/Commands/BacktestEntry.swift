import NightjarBacktest

/// A row of a backtest as programs get it: with what people read above all rows, for the document is an array of them.
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
