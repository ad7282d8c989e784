/// What was wrong with lines of a trace that were left out.
public struct TraceComplaints: Hashable, Sendable {
  /// One line that was left out.
  public struct Complaint: Hashable, Sendable {
    /// The line's number; the first is 1.
    public var line: Int
    /// What is wrong with it.
    public var reason: String
  }

  /// How many complaints are kept; the others are counted.
  public static let keptMax = 5

  /// The first of them.
  public private(set) var first: [Complaint] = []
  /// How many lines were left out.
  public private(set) var count = 0
  /// How many lines were read, without the first one.
  public internal(set) var lines = 0
  /// How many lines are of an earlier time than a line of the same person before them.
  public internal(set) var unsorted = 0

  mutating func add(line: Int, _ reason: String) {
    count += 1
    if first.count < Self.keptMax { first.append(Complaint(line: line, reason: reason)) }
  }
}

/// Turns lines into rows.
struct TraceParser {
  private(set) var complaints = TraceComplaints()
  private(set) var users = TraceNames()
  private(set) var apps = TraceNames()
  private let wanted: Set<String>?
  private var columns: TraceColumns?
  private var time = TraceTime()
  private var isWanted: [Bool] = []
  private var newest: [Int64] = []
  private var fields: [UnsafeRawBufferPointer] = []

  /// - Parameter wanted: The people whose rows are of interest; nil for all.
  init(users wanted: Set<String>?) { self.wanted = wanted }

  /// Whether the first line has been read.
  var hasColumns: Bool { columns != nil }

  /// Reads one line; nil if it is of no use.
  ///
  /// - Throws: `TraceError` if the first line does not name the columns.
  mutating func row(_ line: UnsafeRawBufferPointer?, number: Int) throws(TraceError) -> TraceRow? {
    guard let columns else {
      guard let line else { throw TraceColumns.tooLong }
      columns = try TraceColumns(header: line)
      return nil
    }
    if line?.isEmpty == true { return nil }
    complaints.lines += 1
    switch read(line, columns) {
    case .success(let row): return row
    case .failure(let flaw):
      complaints.add(line: number, flaw.reason)
      return nil
    }
  }

  /// What is wrong with a line.
  private struct Flaw: Error { var reason: String }

  private mutating func read(_ line: UnsafeRawBufferPointer?, _ columns: TraceColumns) -> Result<TraceRow?, Flaw> {
    guard let line else { return .failure(Flaw(reason: "it is longer than \(TraceLines.bytesMax) bytes")) }
    split(line)
    guard fields.count == columns.count else {
      return .failure(Flaw(reason: "it has \(fields.count) columns rather than \(columns.count)"))
    }
    guard let time = time.seconds(fields[columns.time]) else { return .failure(noTime(fields[columns.time])) }
    guard let kind = kind(columns) else { return .failure(Flaw(reason: "its event_type is unknown")) }
    for column in [columns.user, columns.app] where !(1...TraceNames.bytesMax).contains(fields[column].count) {
      return .failure(Flaw(reason: "a name is empty or longer than \(TraceNames.bytesMax) bytes"))
    }
    return named(columns, time, kind)
  }

  private mutating func noTime(_ text: UnsafeRawBufferPointer) -> Flaw {
    let isZoned = time.isZoned(text)
    let flaw = isZoned ? "has a zone, and times have to be of the person's clock," : "is no time"
    return Flaw(reason: "its timestamp \(flaw) such as 2027-01-31 09:30:00")
  }

  private mutating func named(
    _ columns: TraceColumns, _ time: Int64, _ kind: TraceRow.Kind
  ) -> Result<TraceRow?, Flaw> {
    guard let user = users.number(of: fields[columns.user]) else { return .failure(Flaw(reason: Self.tooMany)) }
    if user == isWanted.count {
      isWanted.append(wanted.map { $0.contains(users[user]) } ?? true)
      newest.append(.min)
    }
    guard isWanted[Int(user)] else { return .success(nil) }
    guard let app = apps.number(of: fields[columns.app]) else { return .failure(Flaw(reason: Self.tooMany)) }
    if time < newest[Int(user)] { complaints.unsorted += 1 }
    newest[Int(user)] = max(newest[Int(user)], time)
    return .success(TraceRow(user: user, time: time, app: app, kind: kind))
  }

  private static let tooMany = "the names before it are already \(TraceNames.countMax)"

  private mutating func split(_ line: UnsafeRawBufferPointer) {
    fields.removeAll(keepingCapacity: true)
    var begin = 0
    for place in line.indices where line[place] == UInt8(ascii: "\t") {
      fields.append(Self.unquoted(line[begin..<place]))
      begin = place + 1
    }
    fields.append(Self.unquoted(line[begin...]))
  }

  /// A field without the quotes around it, which some programs write around every text, or around some.
  private static func unquoted(_ field: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
    let quote = UInt8(ascii: "\"")
    let isQuoted = field.count >= 2 && field.first == quote && field.last == quote
    return UnsafeRawBufferPointer(rebasing: isQuoted ? field.dropFirst().dropLast() : field)
  }

  /// LSApp's words for events; a session that broke off has left the foreground.
  private func kind(_ columns: TraceColumns) -> TraceRow.Kind? {
    guard let event = columns.event else { return .seen }
    switch String(decoding: fields[event], as: UTF8.self).lowercased() {
    case "opened", "user interaction": return .seen
    case "closed", "broken": return .closed
    default: return nil
    }
  }
}
