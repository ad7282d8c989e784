import GRDB
import NightjarCore
import NightjarModel

/// Decisions about fetches, and their outcomes.
enum DecisionTable {
  private static let names =
    "number, app, at, verdict, score, threshold, probability, age, updates_per_hour, value, obstacles, opening, request,"
    + " outcome, wall, cpu, received, sent, joules"
  private static let places = Array(repeating: "?", count: names.split(separator: ",").count).joined(separator: ", ")
  private static let upsert = "INSERT OR REPLACE INTO decision (\(names)) VALUES (\(places))"
  private static let delete = "DELETE FROM decision WHERE number = ?"
  private static let select = "SELECT \(names) FROM decision ORDER BY number"

  static func write(_ changes: [Int64: FetchDecision?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for number in changes.keys.sorted() {
      if case .some(.some(let decision)) = changes[number] {
        try upsert.write { add(decision, to: &$0) }
      } else {
        try delete.write { $0.add(number) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "decision", select) { row throws(DamagedRow) in
      try decision(&row)
    } keep: {
      $0.decisions.append($1)
    }
  }

  private static func add(_ decision: FetchDecision, to row: inout Bindings) {
    row.add(decision.number)
    row.add(decision.app.rawValue)
    row.add(decision.at.nanoseconds)
    row.add(decision.verdict.rawValue)
    add(decision.weight, to: &row)
    row.add(text: LineText.bytes(of: decision.obstacles.map(\.line)))
    row.add(decision.window)
    row.add(decision.request)
    row.add(decision.outcome?.rawValue)
    if let cost = decision.cost { row.add(cost) } else { for _ in 0..<5 { row.add(nil as Int64?) } }
  }

  private static func add(_ weight: FetchWeight?, to row: inout Bindings) {
    guard let weight else {
      for _ in 0..<6 { row.add(nil as Int64?) }
      return
    }
    row.add(weight.score)
    row.add(weight.threshold)
    row.add(weight.probability)
    row.add(weight.age)
    row.add(weight.updatesPerHour)
    row.add(weight.value)
  }

  private static func decision(_ row: inout Columns) throws(DamagedRow) -> FetchDecision {
    var decision = FetchDecision(
      number: try row.number(), app: AppID(try row.text()), at: Timestamp(nanoseconds: try row.integer()),
      verdict: try row.word(), weight: try weight(&row))
    decision.obstacles = try obstacles(of: row.text(LineText.lines))
    decision.window = try row.integerIfAny()
    decision.request = try row.textIfAny()
    decision.outcome = try row.wordIfAny()
    decision.cost = try cost(&row)
    return decision
  }

  private static func weight(_ row: inout Columns) throws(DamagedRow) -> FetchWeight? {
    let (score, threshold, probability) = (try row.realIfAny(), try row.realIfAny(), try row.realIfAny())
    let (age, updates, value) = (try row.integerIfAny(), try row.realIfAny(), try row.realIfAny())
    guard let score, let threshold, let probability, let age, let updates, let value else { return nil }
    return FetchWeight(
      score: score, threshold: threshold, probability: probability, age: .nanoseconds(age), updatesPerHour: updates,
      value: value)
  }

  private static func cost(_ row: inout Columns) throws(DamagedRow) -> FetchCost? {
    let (wall, cpu) = (try row.integerIfAny(), try row.integerIfAny())
    let (received, sent, joules) = (try row.integerIfAny(), try row.integerIfAny(), try row.realIfAny())
    guard let wall, let cpu, let received, let sent, let joules else { return nil }
    return FetchCost(
      wall: .nanoseconds(wall), cpu: .nanoseconds(cpu), received: received, sent: sent, joules: joules)
  }

  private static func obstacles(of lines: [String]) throws(DamagedRow) -> [FetchObstacle] {
    var obstacles: [FetchObstacle] = []
    for line in lines { obstacles.append(try FetchObstacle(line: line)) }
    return obstacles
  }
}

extension FetchObstacle {
  /// Its code and, if known, until when, in nanoseconds since 1970.
  fileprivate var line: String { until.map { "\(code.rawValue) \($0.nanoseconds)" } ?? code.rawValue }

  fileprivate init(line: String) throws(DamagedRow) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count <= 2, let word = words.first, let code = Code(rawValue: String(word)) else {
      throw DamagedRow(detail: "'\(line)' is no obstacle that this version knows")
    }
    guard words.count == 2 else {
      self.init(code)
      return
    }
    guard let until = Int64(words[1]) else { throw DamagedRow(detail: "'\(words[1])' is no time") }
    self.init(code, until: Timestamp(nanoseconds: until))
  }
}

extension Columns {
  fileprivate mutating func realIfAny() throws(DamagedRow) -> Double? {
    guard isNull else { return try real() }
    _ = try integerIfAny()
    return nil
  }
}
