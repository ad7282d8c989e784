import GRDB
import GRDBSQLite
import NightjarModel

/// Why a row is invalid.
struct DamagedRow: Error {
  let detail: String
}

/// Reads a row's columns, one after the other.
struct Columns {
  private let statement: OpaquePointer
  private var next: CInt = 0

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func integer() throws(DamagedRow) -> Int64 { try present(integerIfAny()) }

  mutating func integerIfAny() throws(DamagedRow) -> Int64? {
    guard let index = try advance(to: SQLITE_INTEGER) else { return nil }
    return sqlite3_column_int64(statement, index)
  }

  mutating func real() throws(DamagedRow) -> Double {
    guard let index = try advance(to: SQLITE_FLOAT) else { return try present(nil) }
    let value = sqlite3_column_double(statement, index)
    guard value.isFinite else { throw damage("not finite") }
    return value
  }

  /// Whether the next column is null.
  var isNull: Bool { sqlite3_column_type(statement, next) == SQLITE_NULL }

  mutating func text() throws(DamagedRow) -> String { try present(textIfAny()) }

  mutating func textIfAny() throws(DamagedRow) -> String? {
    guard let index = try advance(to: SQLITE_TEXT) else { return nil }
    guard let text = String(checking: bytes(sqlite3_column_text(statement, index), index)) else {
      throw damage("no UTF-8")
    }
    return text
  }

  /// Reads a text that is parsed into a value: its UTF-8 is valid during the call only.
  mutating func text<Value>(
    _ read: (UnsafeBufferPointer<UInt8>) throws(DamagedRow) -> Value
  ) throws(DamagedRow) -> Value {
    try present(textIfAny(read))
  }

  mutating func textIfAny<Value>(
    _ read: (UnsafeBufferPointer<UInt8>) throws(DamagedRow) -> Value
  ) throws(DamagedRow) -> Value? {
    guard let index = try advance(to: SQLITE_TEXT) else { return nil }
    return try read(bytes(sqlite3_column_text(statement, index), index))
  }

  mutating func blobIfAny() throws(DamagedRow) -> [UInt8]? {
    guard let index = try advance(to: SQLITE_BLOB) else { return nil }
    let start = sqlite3_column_blob(statement, index)?.assumingMemoryBound(to: UInt8.self)
    return Array(bytes(start, index))
  }

  /// An error about the column that was read last.
  func damage(_ detail: String) -> DamagedRow {
    DamagedRow(detail: "its \(String(cString: sqlite3_column_name(statement, next - 1))) is \(detail)")
  }

  private func present<Value>(_ value: Value?) throws(DamagedRow) -> Value {
    guard let value else { throw damage("missing") }
    return value
  }

  /// Steps to the next column, and returns its index; nil if it is null.
  private mutating func advance(to type: CInt) throws(DamagedRow) -> CInt? {
    let (index, found) = (next, sqlite3_column_type(statement, next))
    next += 1
    if found == SQLITE_NULL { return nil }
    guard found == type else { throw damage("of the wrong type") }
    return index
  }

  private func bytes(_ start: UnsafePointer<UInt8>?, _ index: CInt) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
  }
}

extension Columns {
  /// The possible sizes of a file; the sum over all files cannot overflow.
  static let byteCounts: Range<Int64> = 0..<1 << 50
  /// The possible values of a counter.
  static let numbers: Range<Int64> = 0..<1 << 60

  mutating func byteCount() throws(DamagedRow) -> Int64 { try present(byteCountIfAny()) }
  mutating func byteCountIfAny() throws(DamagedRow) -> Int64? { try integerIfAny(in: Self.byteCounts) }

  /// A counter, or a number given to a thing of its kind. Counted up from 0, it never comes near the end of its range,
  /// where the next increment would trap.
  mutating func number() throws(DamagedRow) -> Int64 { try present(numberIfAny()) }
  mutating func numberIfAny() throws(DamagedRow) -> Int64? { try integerIfAny(in: Self.numbers) }
  mutating func count() throws(DamagedRow) -> Int { Int(try number()) }

  private mutating func integerIfAny(in range: Range<Int64>) throws(DamagedRow) -> Int64? {
    guard let value = try integerIfAny() else { return nil }
    guard range.contains(value) else { throw damage("\(value), which is out of range") }
    return value
  }

  mutating func flag() throws(DamagedRow) -> Bool {
    switch try integer() {
    case 0: false
    case 1: true
    case let other: throw damage("\(other), neither 0 nor 1")
    }
  }

  mutating func duration() throws(DamagedRow) -> Duration { .nanoseconds(try integer()) }
  mutating func age() throws(DamagedRow) -> Age { Age(try duration()) }
  mutating func ageIfAny() throws(DamagedRow) -> Age? { try integerIfAny().map { Age(.nanoseconds($0)) } }
  mutating func bits() throws(DamagedRow) -> UInt64 { UInt64(bitPattern: try integer()) }

  /// Reads a case of an enumeration by its word.
  mutating func word<Word: RawRepresentable<String>>() throws(DamagedRow) -> Word { try present(wordIfAny()) }

  mutating func wordIfAny<Word: RawRepresentable<String>>() throws(DamagedRow) -> Word? {
    guard let text = try textIfAny() else { return nil }
    guard let word = Word(rawValue: text) else { throw damage("'\(text)', which this version does not know") }
    return word
  }
}
