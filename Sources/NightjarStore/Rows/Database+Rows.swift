import GRDB
import GRDBSQLite

extension Database {
  /// Runs a query, and hands every row to `read`. A row that `read` finds damaged goes to `leave`, and reading goes on.
  func forEachRow(
    _ sql: String, read: (inout Columns) throws(DamagedRow) -> Void, leave: (DamagedRow, inout Columns) -> Void
  ) throws {
    let statement = try cachedStatement(sql: sql)
    defer { sqlite3_reset(statement.sqliteStatement) }
    while true {
      let code = sqlite3_step(statement.sqliteStatement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw refusal(code) }
      do throws(DamagedRow) {
        var columns = Columns(statement.sqliteStatement)
        try read(&columns)
      } catch {
        var columns = Columns(statement.sqliteStatement)
        leave(error, &columns)
      }
    }
  }
}
