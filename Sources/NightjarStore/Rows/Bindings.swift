import GRDB
import GRDBSQLite
import NightjarModel

/// Binds values to a statement's parameters, one after the other.
///
/// Values go to SQLite directly: GRDB's own arguments cut a text at its first NUL, and box every value.
struct Bindings {
  private let statement: OpaquePointer
  /// How many parameters are bound.
  private(set) var count: CInt = 0
  /// The first error code, or `SQLITE_OK`.
  private(set) var code = SQLITE_OK

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func add(_ value: Int64) { note(sqlite3_bind_int64(statement, count + 1, value)) }

  mutating func add(_ value: Int64?) {
    if let value { add(value) } else { note(sqlite3_bind_null(statement, count + 1)) }
  }

  mutating func add(_ value: Double) { note(sqlite3_bind_double(statement, count + 1, value)) }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(text: $0) }
  }

  mutating func add(_ text: String?) {
    if let text { add(text) } else { note(sqlite3_bind_null(statement, count + 1)) }
  }

  /// Adds a text given as UTF-8.
  mutating func add(text bytes: [UInt8]) { bytes.withUnsafeBufferPointer { add(text: $0) } }

  mutating func add(blob bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      // A null pointer would bind a null.
      let code =
        $0.isEmpty
        ? sqlite3_bind_zeroblob(statement, count + 1, 0)
        : sqlite3_bind_blob64(statement, count + 1, $0.baseAddress, UInt64($0.count), Self.copied)
      note(code)
    }
  }

  private mutating func add(text bytes: UnsafeBufferPointer<UInt8>) {
    let code =
      bytes.isEmpty
      ? sqlite3_bind_text(statement, count + 1, "", 0, Self.copied)
      : bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          statement, count + 1, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
      }
    note(code)
  }

  private mutating func note(_ code: CInt) {
    count += 1
    if self.code == SQLITE_OK { self.code = code }
  }

  /// `SQLITE_TRANSIENT`, which Swift cannot import: SQLite copies the value.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Bindings {
  mutating func add(_ value: Int) { add(Int64(value)) }
  mutating func add(_ value: Bool) { add(value ? 1 : 0 as Int64) }
  mutating func add(_ value: Duration) { add(value.storedNanoseconds) }
  mutating func add(_ value: Age) { add(value.sinceFirst) }
  mutating func add(_ value: Age?) { add(value?.sinceFirst.storedNanoseconds) }
  /// SQLite's integers are signed: the bit pattern is kept.
  mutating func add(bits value: UInt64) { add(Int64(bitPattern: value)) }
}
