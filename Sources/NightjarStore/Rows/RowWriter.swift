import GRDB
import GRDBSQLite

/// Runs one statement for one row after another.
struct RowWriter {
  private let db: Database
  private let statement: Statement

  init(_ db: Database, _ sql: String) throws {
    (self.db, statement) = (db, try db.cachedStatement(sql: sql))
  }

  /// Runs the statement with the values that `bind` adds, and returns how many rows it changed.
  @discardableResult
  func write(_ bind: (inout Bindings) -> Void) throws -> Int {
    var bindings = Bindings(statement.sqliteStatement)
    bind(&bindings)
    precondition(bindings.count == sqlite3_bind_parameter_count(statement.sqliteStatement), statement.sql)
    try check(bindings.code, is: SQLITE_OK)
    let code = sqlite3_step(statement.sqliteStatement)
    let count = sqlite3_changes(db.sqliteConnection)
    let refusal = code == SQLITE_DONE ? nil : db.refusal(code)
    sqlite3_reset(statement.sqliteStatement)
    if let refusal { throw refusal }
    return Int(count)
  }

  private func check(_ code: CInt, is expected: CInt) throws {
    guard code == expected else { throw db.refusal(code) }
  }
}

extension Database {
  /// SQLite's latest error, with its own message.
  func refusal(_ code: CInt) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)))
  }
}
