import GRDB
import NightjarCore
import NightjarModel

/// The budget of background fetch: one row.
enum BudgetTable {
  private static let names =
    "fetches_per_day, fetches_left, fetches_price, joules_per_day, joules_left, joules_price, bytes_per_day, bytes_left,"
    + " bytes_price, days, at"
  private static let upsert =
    "INSERT OR REPLACE INTO budget (only, \(names)) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  private static let select = "SELECT \(names) FROM budget"

  static func write(_ budget: FetchBudget?, to db: Database) throws {
    guard let budget else { return }
    try RowWriter(db, upsert).write { row in
      for good in [FetchBudget.Good.fetches, .joules, .bytes] {
        let account = budget.account(of: good)
        row.add(account.perDay)
        row.add(account.left)
        row.add(account.price)
      }
      row.add(budget.days)
      row.add(budget.at)
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "budget", select) { row throws(DamagedRow) in
      let accounts = [try account(&row), try account(&row), try account(&row)]
      return FetchBudget(accounts: accounts, days: try row.real(), at: try row.age())
    } keep: {
      $0.budget = $1
    }
  }

  private static func account(_ row: inout Columns) throws(DamagedRow) -> FetchBudget.Account {
    FetchBudget.Account(perDay: try row.real(), left: try row.real(), price: try row.real())
  }
}
